import { joinBytes, utf8 } from '../../../core/bytes.ts'

/** Just enough of an assembler for one WebAssembly function of 64-bit integers: WebAssembly's core specification, version 1. */

export type Code = readonly number[]

export const I32 = 0x7f
export const I64 = 0x7e
const EMPTY_BLOCK = 0x40
const FUNCTION_TYPE = 0x60
const END = 0x0b

function unsigned(value: number): Code {
  const out: number[] = []
  let rest = value
  for (; rest > 127; rest >>>= 7) out.push((rest & 127) | 128)
  out.push(rest)
  return out
}

function signed(value: bigint): Code {
  const out: number[] = []
  let rest = value
  for (;;) {
    const low = Number(rest & 127n)
    rest >>= 7n
    if ((rest === 0n && low < 64) || (rest === -1n && low >= 64)) return [...out, low]
    out.push(low | 128)
  }
}

export const get = (local: number): Code => [0x20, ...unsigned(local)]
export const set = (local: number): Code => [0x21, ...unsigned(local)]
export const i32Const = (value: number): Code => [0x41, ...signed(BigInt(value | 0))]
export const i64Const = (value: bigint): Code => [0x42, ...signed(BigInt.asIntN(64, value))]
/** From and to a fixed place of memory; the address 0 is pushed here, and `value` after it. */
export const i64Load = (place: number): Code => [...i32Const(0), 0x29, 3, ...unsigned(place)]
export const i64Store = (place: number, value: Code): Code => [
  ...i32Const(0),
  ...value,
  0x37,
  3,
  ...unsigned(place),
]
export const I32_SUB: Code = [0x6b]
export const I32_EQZ: Code = [0x45]
export const I64_ADD: Code = [0x7c]
export const I64_XOR: Code = [0x85]
export const I64_ROTR: Code = [0x8a]
export const block = (body: Code): Code => [0x02, EMPTY_BLOCK, ...body, END]
export const loop = (body: Code): Code => [0x03, EMPTY_BLOCK, ...body, END]
/** Out of the `depth`-th block around, or back to the beginning of such a loop. */
export const branch = (depth: number): Code => [0x0c, ...unsigned(depth)]
export const branchIf = (depth: number): Code => [0x0d, ...unsigned(depth)]

const bytes = (code: Code): Uint8Array => Uint8Array.from(code)
const counted = (content: Uint8Array): Uint8Array => joinBytes([bytes(unsigned(content.length)), content])
const section = (id: number, content: Uint8Array): Uint8Array =>
  joinBytes([Uint8Array.of(id), counted(content)])

/** A module with one page of memory, exported as `memory`, and one function without a result, exported as `run`. */
export function assemble(parameters: Code, locals: Code, body: Code): Uint8Array {
  const type = bytes([1, FUNCTION_TYPE, ...unsigned(parameters.length), ...parameters, 0])
  const exported = (name: string, kind: number): Uint8Array =>
    joinBytes([counted(utf8(name)), bytes([kind, 0])])
  const declared = bytes([...unsigned(locals.length), ...locals.flatMap((local) => [1, local])])
  const code = counted(joinBytes([declared, bytes(body), Uint8Array.of(END)]))
  return joinBytes([
    bytes([0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0]),
    section(1, type),
    section(3, bytes([1, 0])),
    section(5, bytes([1, 0, 1])),
    section(7, joinBytes([Uint8Array.of(2), exported('memory', 2), exported('run', 0)])),
    section(10, joinBytes([Uint8Array.of(1), code])),
  ])
}
