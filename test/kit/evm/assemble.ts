import { fromHex, toHex } from '../../../core/bytes.ts'

const numbered = (name: string, first: number, from: number, to: number): [string, number][] =>
  Array.from({ length: to - from + 1 }, (_, i) => [`${name}${from + i}`, first + i])

const inOrder = (first: number, names: string): [string, number][] =>
  names.split(' ').map((name, i) => [name, first + i])

/** Osaka's instructions by name. */
export const OPCODES: ReadonlyMap<string, number> = new Map([
  ...inOrder(0x00, 'STOP ADD MUL SUB DIV SDIV MOD SMOD ADDMOD MULMOD EXP SIGNEXTEND'),
  ...inOrder(0x10, 'LT GT SLT SGT EQ ISZERO AND OR XOR NOT BYTE SHL SHR SAR CLZ'),
  ...inOrder(0x20, 'KECCAK256'),
  ...inOrder(0x30, 'ADDRESS BALANCE ORIGIN CALLER CALLVALUE CALLDATALOAD CALLDATASIZE CALLDATACOPY CODESIZE'),
  ...inOrder(0x39, 'CODECOPY GASPRICE EXTCODESIZE EXTCODECOPY RETURNDATASIZE RETURNDATACOPY EXTCODEHASH'),
  ...inOrder(0x40, 'BLOCKHASH COINBASE TIMESTAMP NUMBER PREVRANDAO GASLIMIT CHAINID SELFBALANCE BASEFEE'),
  ...inOrder(0x49, 'BLOBHASH BLOBBASEFEE'),
  ...inOrder(
    0x50,
    'POP MLOAD MSTORE MSTORE8 SLOAD SSTORE JUMP JUMPI PC MSIZE GAS JUMPDEST TLOAD TSTORE MCOPY',
  ),
  ...numbered('PUSH', 0x5f, 0, 32),
  ...numbered('DUP', 0x80, 1, 16),
  ...numbered('SWAP', 0x90, 1, 16),
  ...numbered('LOG', 0xa0, 0, 4),
  ...inOrder(0xf0, 'CREATE CALL CALLCODE RETURN DELEGATECALL CREATE2'),
  ['STATICCALL', 0xfa],
  ...inOrder(0xfd, 'REVERT INVALID SELFDESTRUCT'),
])

/** The shortest PUSH of a number; of no byte where that is zero. */
export function push(value: bigint): number[] {
  if (value === 0n) return [0x5f]
  const digits = value.toString(16)
  const bytes = fromHex(digits.length % 2 === 0 ? digits : `0${digits}`)
  return [0x5f + bytes.length, ...bytes]
}

/** A program from names of instructions and numbers, which are pushed: `1 0 SSTORE`. */
export function assemble(text: string): Uint8Array {
  const words = text.split(/\s+/).filter((word) => word !== '')
  return Uint8Array.from(
    words.flatMap((word) => {
      if (/^\d/.test(word)) return push(BigInt(word))
      const op = OPCODES.get(word)
      if (op === undefined) throw new Error(`no instruction is called ${word}`)
      return [op]
    }),
  )
}

/** A program that does `body` again and again, behind `start`. */
export function looping(body: string, start = ''): Uint8Array {
  return assemble(`${start} JUMPDEST ${body} ${assemble(start).length} JUMP`)
}

/** The word that begins with a program of at most 32 bytes. */
export const asWord = (program: string): string => `0x${toHex(assemble(program)).padEnd(64, '0')}`
