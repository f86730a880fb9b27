import createModule from 'mcl-wasm/dist/mcl_c.js'

/**
 * A curve of mcl, whose numbers and points stay in its WebAssembly's memory: what is named a place here is an address in
 * it. All places are made at load and serve every call, so that memory does not grow.
 */

/** mcl's names of curves. Each needs an instance of its own. */
const curves = { bn254: 4, bls12381: 5, p256: 107 } as const
/** 10 × words of a scalar + words of a field element: how mcl-wasm was compiled. */
const COMPILED_FOR = 46
/** Big-endian bytes as long as the modulus: MCLBN_IO_SERIALIZE | MCLBN_IO_BIG_ENDIAN. */
const BIG_ENDIAN = 512 | 8192
/** The largest input of one call into mcl, in bytes. */
const SCRATCH_BYTES = 96

export const SCALAR_SIZE = 32
export const FIELD_SIZE = 48
export const G1_SIZE = 3 * FIELD_SIZE
export const G2_SIZE = 6 * FIELD_SIZE
export const GT_SIZE = 12 * FIELD_SIZE

export type Place = number

/** mcl's C interface (mcl/bn.h): results come first, and answers are 1 for yes, but setters answer 0 where all is well. */
interface Functions {
  readonly wasmMemory: { readonly buffer: ArrayBuffer }
  readonly _malloc: (bytes: number) => Place
  readonly _mclBn_init: (curve: number, compiledFor: number) => number
  readonly _mclBn_verifyOrderG1: (verify: 0 | 1) => void
  readonly _mclBn_verifyOrderG2: (verify: 0 | 1) => void
  readonly _mclBn_setETHserialization: (enable: 0 | 1) => void
  readonly _mclBn_setMapToMode: (mode: number) => number
  readonly _mclBn_getFpByteSize: () => number
  readonly _mclBnFp_setStr: (x: Place, bytes: Place, length: number, mode: number) => number
  readonly _mclBnFp_getStr: (bytes: Place, length: number, x: Place, mode: number) => number
  readonly _mclBnFp_setInt32: (x: Place, value: number) => void
  readonly _mclBnFp_clear: (x: Place) => void
  readonly _mclBnFp_mapToG1: (p: Place, x: Place) => number
  readonly _mclBnFp2_mapToG2: (p: Place, x: Place) => number
  readonly _mclBnFr_setBigEndianMod: (x: Place, bytes: Place, length: number) => number
  readonly _mclBnFr_isZero: (x: Place) => number
  readonly _mclBnFr_isEqual: (x: Place, y: Place) => number
  readonly _mclBnFr_neg: (z: Place, x: Place) => void
  readonly _mclBnFr_inv: (z: Place, x: Place) => void
  readonly _mclBnFr_mul: (z: Place, x: Place, y: Place) => void
  readonly _mclBnG1_clear: (p: Place) => void
  readonly _mclBnG1_isZero: (p: Place) => number
  readonly _mclBnG1_isValid: (p: Place) => number
  readonly _mclBnG1_isValidOrder: (p: Place) => number
  readonly _mclBnG1_normalize: (r: Place, p: Place) => void
  readonly _mclBnG1_neg: (r: Place, p: Place) => void
  readonly _mclBnG1_add: (r: Place, p: Place, q: Place) => void
  readonly _mclBnG1_mul: (r: Place, p: Place, x: Place) => void
  readonly _mclBnG1_mulVec: (r: Place, ps: Place, xs: Place, n: number) => void
  readonly _mclBnG1_deserialize: (p: Place, bytes: Place, length: number) => number
  readonly _mclBnG1_getBasePoint: (p: Place) => void
  readonly _mclBnG2_clear: (p: Place) => void
  readonly _mclBnG2_isZero: (p: Place) => number
  readonly _mclBnG2_isValid: (p: Place) => number
  readonly _mclBnG2_isValidOrder: (p: Place) => number
  readonly _mclBnG2_normalize: (r: Place, p: Place) => void
  readonly _mclBnG2_neg: (r: Place, p: Place) => void
  readonly _mclBnG2_add: (r: Place, p: Place, q: Place) => void
  readonly _mclBnG2_mulVec: (r: Place, ps: Place, xs: Place, n: number) => void
  readonly _mclBnG2_deserialize: (p: Place, bytes: Place, length: number) => number
  readonly _mclBnGT_mul: (z: Place, x: Place, y: Place) => void
  readonly _mclBnGT_setInt32: (x: Place, value: number) => void
  readonly _mclBnGT_isOne: (x: Place) => number
  readonly _mclBn_millerLoopVec: (z: Place, ps: Place, qs: Place, n: number) => void
  readonly _mclBn_finalExp: (z: Place, x: Place) => void
  readonly _mclBn_getUint64NumToPrecompute: () => number
  readonly _mclBn_precomputeG2: (lines: Place, q: Place) => void
  readonly _mclBn_precomputedMillerLoop2: (z: Place, p1: Place, l1: Place, p2: Place, l2: Place) => void
}

export class Curve {
  readonly mcl: Functions
  /** Bytes of a field element outside of mcl. */
  readonly fieldBytes: number
  readonly #scratch: Place
  #memory: Uint8Array

  constructor(mcl: Functions) {
    this.mcl = mcl
    this.fieldBytes = mcl._mclBn_getFpByteSize()
    this.#memory = new Uint8Array(mcl.wasmMemory.buffer)
    this.#scratch = this.reserve(SCRATCH_BYTES)
  }

  static async load(name: keyof typeof curves): Promise<Curve> {
    const mcl: Functions = await createModule({ cryptoGetRandomValues: noRandomness })
    if (mcl._mclBn_init(curves[name], COMPILED_FOR) !== 0) throw new Error(`mcl has no curve ${name}`)
    // Points are read coordinate by coordinate, and each contract says itself which of them must be of the subgroup.
    mcl._mclBn_verifyOrderG1(0)
    mcl._mclBn_verifyOrderG2(0)
    return new Curve(mcl)
  }

  /** A place for good, of zeros. */
  reserve(bytes: number): Place {
    const place = this.mcl._malloc(bytes)
    if (place === 0) throw new Error('mcl has no memory')
    this.bytes.fill(0, place, place + bytes)
    return place
  }

  /** Bytes that the memory has. */
  get memoryBytes(): number {
    return this.bytes.length
  }

  /** The memory, whose buffer is another once it has grown. */
  get bytes(): Uint8Array {
    if (this.#memory.length === 0) this.#memory = new Uint8Array(this.mcl.wasmMemory.buffer)
    return this.#memory
  }

  /** A place with these bytes, until the next call. */
  lend(data: Uint8Array, start: number, length: number): Place {
    const { bytes } = this
    const at = this.#scratch
    for (let i = 0; i < length; i++) bytes[at + i] = data[start + i]!
    return at
  }

  /** A field element from big-endian bytes; false where they are not below the modulus. */
  readField(to: Place, data: Uint8Array, start: number): boolean {
    const from = this.lend(data, start, this.fieldBytes)
    return this.mcl._mclBnFp_setStr(to, from, this.fieldBytes, BIG_ENDIAN) === 0
  }

  writeField(out: Uint8Array, start: number, from: Place): void {
    const length = this.fieldBytes
    const at = this.#scratch
    if (this.mcl._mclBnFp_getStr(at, length, from, BIG_ENDIAN) !== length)
      throw new Error('mcl wrote no field element')
    const { bytes } = this
    for (let i = 0; i < length; i++) out[start + i] = bytes[at + i]!
  }

  /** A scalar from 32 big-endian bytes, modulo the group's order. */
  readScalar(to: Place, data: Uint8Array, start: number): void {
    if (this.mcl._mclBnFr_setBigEndianMod(to, this.lend(data, start, 32), 32) !== 0)
      throw new Error('mcl reads no scalar')
  }
}

/** Nothing that contracts ask of mcl is random. */
function noRandomness(): never {
  throw new Error('consensus code has no randomness')
}
