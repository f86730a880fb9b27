import { fromHex } from '../../../core/bytes.ts'
import type { Contract } from './contract.ts'
import {
  assemble,
  block,
  branch,
  branchIf,
  type Code,
  get,
  I32,
  I32_EQZ,
  I32_SUB,
  I64,
  I64_ADD,
  I64_ROTR,
  I64_XOR,
  i32Const,
  i64Const,
  i64Load,
  i64Store,
  loop,
  set,
} from './wasm.ts'

/** EIP-152: BLAKE2b's compression function (RFC 7693), of as many rounds as are paid for. */

/** Of the input: rounds (4, big-endian), h (64), m (128), t (16), f (1). */
const INPUT_BYTES = 213
const H_AT = 4
const H_BYTES = 64
const M_AT = 68
const M_BYTES = 128
const T_AT = 196
const T_BYTES = 16
const FINAL_AT = 212
/** In memory: the words v, then the message. */
const V = 0
const MESSAGE = 128
/**
 * Rounds of one call, in tens: a call stays in the compiler's first, slow code to its end, so that one of many rounds would be
 * slow where none has been before.
 */
const ROUNDS_AT_ONCE = 1_000

/** The second half of v: BLAKE2b's constants, little-endian. */
const INITIAL = fromHex(
  '08c9bcf367e6096a3ba7ca8485ae67bb2bf894fe72f36e3cf1361d5f3af54fa5' +
    'd182e6ad7f520e511f6c3e2b8c68059b6bbd41fbabd9831f79217e1319cde05b',
)

/** The words of the message that each round's eight mixings take. */
const SIGMA = [
  [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
  [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
  [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
  [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
  [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
  [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
  [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
  [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
  [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
  [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
]

/** Columns, then diagonals, of the 4 by 4 words. */
const MIXED = [
  [0, 4, 8, 12],
  [1, 5, 9, 13],
  [2, 6, 10, 14],
  [3, 7, 11, 15],
  [0, 5, 10, 15],
  [1, 6, 11, 12],
  [2, 7, 8, 13],
  [3, 4, 9, 14],
] as const

// The parameter, then the 16 words v.
const ROUNDS = 0
const v = (i: number): number => 1 + i
const all = Array.from({ length: 16 }, (_, i) => i)

/** a := a + b, and + the word of the message where one is named. */
const addTo = (a: number, b: number, word?: number): Code => [
  ...get(v(a)),
  ...get(v(b)),
  ...I64_ADD,
  ...(word === undefined ? [] : [...i64Load(MESSAGE + 8 * word), ...I64_ADD]),
  ...set(v(a)),
]

/** a := (a xor b), rotated right. */
const xorRotate = (a: number, b: number, bits: bigint): Code => [
  ...get(v(a)),
  ...get(v(b)),
  ...I64_XOR,
  ...i64Const(bits),
  ...I64_ROTR,
  ...set(v(a)),
]

const mix = ([a, b, c, d]: (typeof MIXED)[number], x: number, y: number): Code => [
  ...addTo(a, b, x),
  ...xorRotate(d, a, 32n),
  ...addTo(c, d),
  ...xorRotate(b, c, 24n),
  ...addTo(a, b, y),
  ...xorRotate(d, a, 16n),
  ...addTo(c, d),
  ...xorRotate(b, c, 63n),
]

const round = (sigma: readonly number[]): Code =>
  MIXED.flatMap((words, i) => mix(words, sigma[2 * i]!, sigma[2 * i + 1]!))

/** Ten rounds in a loop that ends before any of them. Depth 0 is the loop, 1 the block around it. */
const rounds: Code = block(
  loop([
    ...SIGMA.flatMap((sigma) => [
      ...get(ROUNDS),
      ...I32_EQZ,
      ...branchIf(1),
      ...get(ROUNDS),
      ...i32Const(1),
      ...I32_SUB,
      ...set(ROUNDS),
      ...round(sigma),
    ]),
    ...branch(0),
  ]),
)

/** `run(rounds)` on the memory: the rounds from the first on, of which there are ten different ones. */
export const compression = (): Uint8Array =>
  assemble(
    [I32],
    all.map(() => I64),
    [
      ...all.flatMap((i) => [...i64Load(V + 8 * i), ...set(v(i))]),
      ...rounds,
      ...all.flatMap((i) => i64Store(V + 8 * i, get(v(i)))),
    ],
  )

interface Compression {
  readonly memory: { readonly buffer: ArrayBuffer }
  readonly run: (rounds: number) => void
}

export function loadBlake2f(): Contract {
  const { memory, run } = new WebAssembly.Instance(new WebAssembly.Module(compression()))
    .exports as Compression
  const bytes = new Uint8Array(memory.buffer)
  const roundsOf = (data: Uint8Array): number =>
    ((data[0]! << 24) | (data[1]! << 16) | (data[2]! << 8) | data[3]!) >>> 0

  function begin(data: Uint8Array): void {
    for (let i = 0; i < H_BYTES; i++) bytes[V + i] = data[H_AT + i]!
    bytes.set(INITIAL, V + H_BYTES)
    const v12 = V + 8 * 12
    for (let i = 0; i < T_BYTES; i++) bytes[v12 + i]! ^= data[T_AT + i]!
    const v14 = V + 8 * 14
    if (data[FINAL_AT] === 1) for (let i = 0; i < 8; i++) bytes[v14 + i]! ^= 255
    for (let i = 0; i < M_BYTES; i++) bytes[MESSAGE + i] = data[M_AT + i]!
  }

  return {
    gas: (data) =>
      data.length === INPUT_BYTES && data[FINAL_AT]! <= 1 ? BigInt(roundsOf(data)) : 'OUT_OF_RANGE',
    run(data) {
      begin(data)
      for (let left = roundsOf(data); left > 0; left -= ROUNDS_AT_ONCE) run(Math.min(left, ROUNDS_AT_ONCE))
      const out = new Uint8Array(H_BYTES)
      for (let i = 0; i < H_BYTES; i++) out[i] = data[H_AT + i]! ^ bytes[V + i]! ^ bytes[V + H_BYTES + i]!
      return out
    },
  }
}
