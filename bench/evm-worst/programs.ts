import { assemble, asWord, looping } from '../../test/kit/evm/assemble.ts'

/** A program that takes long for its gas, or is suspected to. */
export interface Program {
  readonly name: string
  readonly code: Uint8Array
  readonly gas: number
  /** Whether the library's own machine runs it, too, for comparison. */
  readonly isBaseline?: boolean
}

/** What programs call and look at. */
export const callees = {
  stop: { address: 0xff01, code: assemble('STOP') },
  jumpsInJumpdests: { address: 0xff02, code: filled('4 JUMP INVALID JUMPDEST STOP', 'JUMPDEST') },
  jumpsInPushes: { address: 0xff03, code: filled('4 JUMP INVALID JUMPDEST STOP', '1') },
  jumpsNowhere: { address: 0xff04, code: filled('65535 JUMP', 'ADD') },
  reverts: { address: 0xff05, code: assemble('0 0 REVERT') },
  storesAndReverts: { address: 0xff06, code: assemble(`${repeat('GAS 1 SSTORE', 20)} 0 0 REVERT`) },
  notesAndReverts: { address: 0xff07, code: assemble(`${repeat('1 GAS TSTORE', 50)} 0 0 REVERT`) },
  logsAndReverts: { address: 0xff08, code: assemble(`${repeat('0 0 LOG0', 20)} 0 0 REVERT`) },
  usesMemory: { address: 0xff09, code: assemble('1 0 MSTORE') },
  usesMuchMemory: { address: 0xff0a, code: assemble('1 24000 MSTORE') },
  returnsMuch: { address: 0xff0b, code: assemble('24000 0 RETURN') },
  revertsWithMuch: { address: 0xff0c, code: assemble('24000 0 REVERT') },
} as const

/** Where many of a kind are; of each, `MANY`. */
export const MANY = 3_600
export const BIG_CONTRACTS = 0x1000000
export const ACCOUNTS = 0x2000000
/** Accounts that delegate to the contracts. */
export const DELEGATING = 0x3000000
/** What a run may use of them, so that each meets others: it is told where to begin in its calldata. */
export const EACH_ROUND = 1_200

function repeat(text: string, times: number): string {
  return `${text} `.repeat(times)
}

/** 24 KiB that begin with `start`. */
function filled(start: string, rest: string): Uint8Array {
  return assemble(`${start} ${repeat(rest, 24_576)}`).slice(0, 24_576)
}

const program = (name: string, body: string, start = '', gas = 5_000_000): Program => ({
  name,
  code: looping(body, start),
  gas,
})
const CREATING_GAS = 16_000_000
const COLD_GAS = 3_000_000

const calling = (to: number | string, { gas = 'GAS', input = '0', answer = '0', value = '0' } = {}): string =>
  `${answer} 0 ${input} 0 ${value} ${to} ${gas} CALL POP`

const ALL_ONES = `0x${'ff'.repeat(32)}`
const ODD = `0x${'fe'.repeat(32)}`
const WIDE = `0x${'fd'.repeat(32)}`
const LEAST = `0x80${'00'.repeat(31)}`
const HALF = `0x${'fe'.repeat(15)}${'01'.repeat(17)}`

/** `a op b`, with operands below on the stack. */
const unary = (op: string): Program => program(op, repeat(`DUP1 ${op} POP`, 100), ALL_ONES)
const binary = (op: string, b = ALL_ONES, a = ODD): Program =>
  program(op, repeat(`DUP2 DUP2 ${op} POP`, 100), `${b} ${a}`)
const ternary = (op: string): Program =>
  program(op, repeat(`DUP3 DUP3 DUP3 ${op} POP`, 100), `${ALL_ONES} ${ODD} ${WIDE}`)

const arithmetic: readonly Program[] = [
  ...['ADD', 'SUB', 'MUL', 'LT', 'SLT', 'EQ', 'AND', 'XOR'].map((op) => binary(op)),
  ...['DIV', 'SDIV', 'MOD', 'SMOD'].map((op) => binary(op, HALF, op === 'SDIV' ? LEAST : ALL_ONES)),
  ...['SHL', 'SHR', 'SAR'].map((op) => binary(op, ALL_ONES, '127')),
  ...['BYTE', 'SIGNEXTEND'].map((op) => binary(op, ALL_ONES, '30')),
  ...['NOT', 'ISZERO', 'CLZ'].map(unary),
  ...['ADDMOD', 'MULMOD'].map(ternary),
  program('EXP of 32 bytes', 'DUP2 DUP2 EXP POP', `${ALL_ONES} ${ODD}`),
  program('EXP of a byte', 'DUP2 DUP2 EXP POP', `255 ${ODD}`),
]

const machinery: readonly Program[] = [
  program('JUMPDEST', repeat('JUMPDEST', 1_000)),
  program('JUMP', ''),
  program('JUMPI', '1 0 JUMPI'),
  program('PUSH1', repeat('1 POP', 100)),
  program('PUSH20', repeat(`0x${'ff'.repeat(20)} POP`, 100)),
  program('PUSH32', repeat(`${ALL_ONES} POP`, 100)),
  program('DUP and SWAP', repeat('DUP1 SWAP1 POP', 100), '1'),
  program('PC, MSIZE and GAS', repeat('PC POP MSIZE POP GAS POP', 50)),
  ...['CALLER', 'ORIGIN', 'ADDRESS', 'COINBASE', 'PREVRANDAO', 'TIMESTAMP', 'CHAINID', 'CODESIZE'].map((op) =>
    program(op, repeat(`${op} POP`, 100)),
  ),
  program('SELFBALANCE', repeat('SELFBALANCE POP', 50)),
  program('BLOCKHASH', repeat('1 NUMBER SUB BLOCKHASH POP', 20)),
  program('BLOCKHASH that is not there', repeat('200 NUMBER SUB BLOCKHASH POP', 20)),
  program('BLOCKHASH of many', repeat('DUP1 99 AND NUMBER SUB BLOCKHASH POP 1 ADD', 20), '0'),
  program('BLOCKHASH of long ago', repeat('0 BLOCKHASH POP', 20)),
]

const memory: readonly Program[] = [
  program('KECCAK256 of nothing', '0 0 KECCAK256 POP'),
  program('KECCAK256 of 32 bytes', '32 0 KECCAK256 POP'),
  program('KECCAK256 of 137 bytes', '137 0 KECCAK256 POP'),
  program('KECCAK256 of 32 KiB', '32768 0 KECCAK256 POP'),
  program('MLOAD', repeat('32 MLOAD POP', 50), `${ALL_ONES} 32 MSTORE`),
  program('MSTORE', repeat('DUP1 32 MSTORE', 50), ALL_ONES),
  program('MSTORE8', repeat('1 32 MSTORE8', 50)),
  program('CALLDATALOAD', repeat('1 CALLDATALOAD POP', 20)),
  program('memory that grows by the word', repeat('1 MSIZE MSTORE', 100), '', CREATING_GAS),
  ...['CALLDATACOPY', 'CODECOPY'].map((op) => program(`${op} of 32 KiB`, `32768 0 0 ${op}`)),
  program('MCOPY of 32 KiB', '32768 1 0 MCOPY'),
  ...['CALLDATACOPY', 'CODECOPY', 'MCOPY'].map((op) => program(`${op} of a byte`, repeat(`1 7 5 ${op}`, 50))),
  program('MCOPY of nothing', repeat('0 0 0 MCOPY', 50)),
  program('RETURNDATACOPY of 24 KB', '24000 0 0 RETURNDATACOPY', calling(callees.returnsMuch.address)),
  program('RETURNDATACOPY of nothing', repeat('0 0 0 RETURNDATACOPY', 50)),
  program('LOG0 of nothing', '0 0 LOG0'),
  program('LOG0 of 1 KiB', '1024 0 LOG0'),
  program('LOG0 of 64 KiB', '65536 0 LOG0'),
  program('LOG4 of nothing', '1 2 3 4 0 0 LOG4'),
]

/** `read` is of the account on the stack. */
const many = (name: string, first: number, read: string): Program =>
  program(`${name}, cold`, `DUP1 ${read} 1 ADD`, `0 CALLDATALOAD ${first} ADD`, COLD_GAS)
const copied = '24576 0 0 DUP4 EXTCODECOPY'

const state: readonly Program[] = [
  program('SLOAD of nothing, cold', 'DUP1 SLOAD POP 1 ADD', '1000000'),
  program('SLOAD, cold', 'DUP1 SLOAD POP 1 ADD', '0 CALLDATALOAD', COLD_GAS - 400_000),
  program('SLOAD, warm', repeat('0 SLOAD POP', 20)),
  program('SSTORE of new slots', 'DUP1 DUP1 SSTORE 1 ADD', '1000000', CREATING_GAS),
  program('SSTORE that clears', '0 DUP2 SSTORE 1 ADD', '0 CALLDATALOAD', 5_000_000),
  program('SSTORE to and fro', '1 1000000 SSTORE 0 1000000 SSTORE'),
  program('SSTORE of what is there', 'GAS 0 SSTORE DUP1 0 SSTORE DUP1 0 SSTORE', '1'),
  program('SLOAD of nothing, warm', repeat('1000000 SLOAD POP', 20)),
  program('TSTORE of new slots', 'DUP1 DUP1 TSTORE 1 ADD', '1'),
  program('TSTORE of one slot', 'GAS 0 TSTORE'),
  program('TLOAD', repeat('1 TLOAD POP', 20)),
  program('TLOAD of many slots', 'DUP1 TLOAD POP 1 ADD', '1'),
  many('BALANCE', ACCOUNTS, 'BALANCE POP'),
  program('BALANCE of nobody, cold', 'DUP1 BALANCE POP 1 ADD', '0x99000000'),
  many('EXTCODESIZE of 24 KiB', BIG_CONTRACTS, 'EXTCODESIZE POP'),
  many('EXTCODEHASH of 24 KiB', BIG_CONTRACTS, 'EXTCODEHASH POP'),
  many('EXTCODECOPY of 24 KiB', BIG_CONTRACTS, copied),
  many('EXTCODECOPY of no byte of 24 KiB', BIG_CONTRACTS, '0 0 0 DUP4 EXTCODECOPY'),
  ...['BALANCE', 'EXTCODESIZE', 'EXTCODEHASH'].map((op) =>
    program(`${op}, warm`, repeat(`${callees.jumpsInJumpdests.address} ${op} POP`, 20)),
  ),
  ...['BALANCE', 'EXTCODEHASH'].map((op) =>
    program(`${op} of nobody, warm`, repeat(`${0xdddd} ${op} POP`, 20)),
  ),
  program('EXTCODECOPY of 24 KiB, warm', `24576 0 0 ${callees.jumpsInJumpdests.address} EXTCODECOPY`),
  program('EXTCODECOPY of nothing, warm', `0 0 0 ${callees.jumpsInJumpdests.address} EXTCODECOPY`),
]

const calls: readonly Program[] = [
  ...Object.entries(callees).map(([name, { address }]) =>
    program(`CALL, ${name}`, calling(address, name === 'jumpsNowhere' ? { gas: '300' } : {})),
  ),
  program('CALL of nobody', calling(0xdddd)),
  program('CALL with value', calling(callees.stop.address, { value: '1' })),
  program('CALL with no gas', calling(callees.jumpsNowhere.address, { gas: '0' })),
  program('CALL with 1 MiB of input', calling(callees.stop.address, { input: '1048576' })),
  program('CALL for 1 MiB of answer', calling(callees.stop.address, { answer: '1048576' })),
  program('STATICCALL', `0 0 0 0 ${callees.stop.address} GAS STATICCALL POP`),
  program('DELEGATECALL', `0 0 0 0 ${callees.stop.address} GAS DELEGATECALL POP`),
  many('CALL of 24 KiB', BIG_CONTRACTS, '0 0 0 0 0 DUP6 GAS CALL POP'),
  many('CALL of who delegates to 24 KiB', DELEGATING, '0 0 0 0 0 DUP6 GAS CALL POP'),
  program('CALL of who delegates, warm', calling(DELEGATING)),
  program('CALL behind 2,000 slots', calling(callees.reverts.address), unrolled('TSTORE')),
  program('CALL behind 2,000 logs', calling(callees.reverts.address), repeat('0 0 LOG0', 2_000)),
  { name: 'itself, all the way down', code: assemble(calling('ADDRESS')), gas: CREATING_GAS },
  program('itself, all the way down, again', calling('ADDRESS'), '', CREATING_GAS),
  program('itself, with memory in each frame', calling('ADDRESS'), '1 20000 MSTORE', CREATING_GAS),
  program('itself, with its memory as input', calling('ADDRESS', { input: '20000' }), '', CREATING_GAS),
  { name: 'itself, then back by REVERT', code: reverting(), gas: CREATING_GAS },
]

function reverting(): Uint8Array {
  return assemble(`1 GAS TSTORE ${calling('ADDRESS')} 0 0 REVERT`)
}

function unrolled(op: string): string {
  return Array.from({ length: 2_000 }, (_, i) => `1 ${i} ${op}`).join(' ')
}

/** Precompiles without gas, so that they have nothing to do. */
const unpaid: readonly Program[] = [...Array.from({ length: 17 }, (_, i) => i + 1), 0x100].map((address) =>
  program(
    `CALL of 0x${address.toString(16).padStart(2, '0')} without gas`,
    calling(address, { gas: '0', input: '1048576' }),
  ),
)

const INIT = (code: string): string => `${asWord(code)} 0 MSTORE`

const creations: readonly Program[] = [
  program('CREATE of nothing', '0 0 0 CREATE POP', '', CREATING_GAS),
  program('CREATE2 of nothing', 'DUP1 0 0 0 CREATE2 POP 1 ADD', '0', CREATING_GAS),
  program('CREATE of 48 KiB', '49152 0 0 CREATE POP', '', CREATING_GAS),
  program('CREATE2 of 48 KiB', 'DUP1 49152 0 0 CREATE2 POP 1 ADD', '0', CREATING_GAS),
  program(
    'CREATE, then CALL',
    '32 0 0 CREATE 0 0 0 0 0 DUP6 GAS CALL POP POP',
    INIT('1 0 RETURN'),
    CREATING_GAS,
  ),
  program('CREATE that destroys itself', '32 0 0 CREATE POP', INIT('ADDRESS SELFDESTRUCT'), CREATING_GAS),
  program('CREATE that reverts', '32 0 0 CREATE POP', INIT('0 0 REVERT'), CREATING_GAS),
  program('CREATE of 24 KiB', '32 0 0 CREATE POP', INIT('24576 0 RETURN'), CREATING_GAS),
]

const BASELINES = [
  'MUL',
  'PUSH32',
  'JUMPI',
  'KECCAK256 of 32 bytes',
  'SLOAD, cold',
  'CALL, stop',
  'CREATE of nothing',
]

export const programs: readonly Program[] = [
  ...arithmetic,
  ...machinery,
  ...memory,
  ...state,
  ...calls,
  ...unpaid,
  ...creations,
].map((each) => ({ ...each, isBaseline: BASELINES.includes(each.name) }))
