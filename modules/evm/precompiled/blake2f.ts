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
  when,
} from './wasm.ts'

/** EIP-152: BLAKE2b's compression function (RFC 7693), of as many rounds as are paid for. */

/** Of the input: rounds (4, big-endian), h (64), m (128), t (16), f (1). */
const INPUT_BYTES = 213
const STATE_BYTES = 64
const STATE_AT = 4
const FINAL_AT = 212
/** In memory, in the input's order. */
const STATE = 0
const MESSAGE = 64
const OFFSET = 192

const INITIAL = [
  0x6a09e667f3bcc908n,
  0xbb67ae8584caa73bn,
  0x3c6ef372fe94f82bn,
  0xa54ff53a5f1d36f1n,
  0x510e527fade682d1n,
  0x9b05688c2b3e6c1fn,
  0x1f83d9abfb41bd6bn,
  0x5be0cd19137e2179n,
]

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

// Parameters, then the 16 words v.
const ROUNDS = 0
const IS_FINAL = 1
const v = (i: number): number => 2 + i
const words16 = Array.from({ length: 16 }, (_, i) => i)

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

const invert = (word: number): Code => [...get(v(word)), ...i64Const(-1n), ...I64_XOR, ...set(v(word))]

/** `run(rounds, isFinal)` on the memory, whose state it replaces. */
export const compression = (): Uint8Array =>
  assemble(
    [I32, I32],
    words16.map(() => I64),
    [
      ...words16.flatMap((i) => [
        ...(i < 8 ? i64Load(STATE + 8 * i) : i64Const(INITIAL[i - 8]!)),
        ...set(v(i)),
      ]),
      ...[12, 13].flatMap((i) => [...get(v(i)), ...i64Load(OFFSET + 8 * (i - 12)), ...I64_XOR, ...set(v(i))]),
      ...get(IS_FINAL),
      ...when(invert(14)),
      ...rounds,
      ...words16
        .slice(0, 8)
        .flatMap((i) =>
          i64Store(STATE + 8 * i, [
            ...i64Load(STATE + 8 * i),
            ...get(v(i)),
            ...I64_XOR,
            ...get(v(i + 8)),
            ...I64_XOR,
          ]),
        ),
    ],
  )

interface Compression {
  readonly memory: { readonly buffer: ArrayBuffer }
  /** Rounds of 32 bits without a sign. */
  readonly run: (rounds: number, isFinal: number) => void
}

export function loadBlake2f(): Contract {
  const { memory, run } = new WebAssembly.Instance(new WebAssembly.Module(compression()))
    .exports as Compression
  const input = new Uint8Array(memory.buffer, 0, FINAL_AT - STATE_AT)
  const roundsOf = (data: Uint8Array): number =>
    ((data[0]! << 24) | (data[1]! << 16) | (data[2]! << 8) | data[3]!) >>> 0
  return {
    gas: (data) =>
      data.length === INPUT_BYTES && data[FINAL_AT]! <= 1 ? BigInt(roundsOf(data)) : 'OUT_OF_RANGE',
    run(data) {
      for (let i = 0; i < input.length; i++) input[i] = data[STATE_AT + i]!
      run(roundsOf(data), data[FINAL_AT]!)
      return input.slice(0, STATE_BYTES)
    },
  }
}
