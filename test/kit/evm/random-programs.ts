import { fromHex, toHex } from '../../../core/bytes.ts'
import { pick, type Random } from '../random.ts'
import { OPCODES, push } from './assemble.ts'
import type { PreAccount } from './chain-state.ts'

const address = (number: number): string => `0x${number.toString(16).padStart(40, '0')}`

export const SENDER = address(0xabcdee)
export const COINBASE = address(0xc0)
const CONTRACTS = [0x1000, 0x1001, 0x1002, 0x1003, 0x1004].map(address)
/** Accounts that delegate to the first contract, to nobody, and to a precompile. */
const DELEGATING = [0x2000, 0x2001, 0x2002].map(address)
const NOBODY = address(0xdead)
const PRECOMPILES = [...Array.from({ length: 18 }, (_, i) => i + 1), 0x100].map(address)

/**
 * What each instruction takes, the top of the stack first: a word, an offset, a length, an address, a slot, a value,
 * gas, a block's number, part of what was returned.
 */
const INPUTS: readonly (readonly [weight: number, inputs: string, names: string])[] = [
  [3, 'ww', 'ADD SUB MUL DIV SDIV MOD SMOD LT GT SLT SGT EQ AND OR XOR BYTE SHL SHR SAR SIGNEXTEND EXP'],
  [3, 'www', 'ADDMOD MULMOD'],
  [3, 'w', 'ISZERO NOT CLZ BLOBHASH POP'],
  [2, '', 'ADDRESS ORIGIN CALLER CALLVALUE CALLDATASIZE CODESIZE GASPRICE RETURNDATASIZE COINBASE TIMESTAMP'],
  [2, '', 'NUMBER PREVRANDAO GASLIMIT CHAINID SELFBALANCE BASEFEE BLOBBASEFEE PC MSIZE GAS JUMPDEST'],
  [4, 'ol', 'KECCAK256 LOG0'],
  [2, 'olw', 'LOG1'],
  [2, 'olww', 'LOG2'],
  [2, 'olwww', 'LOG3'],
  [2, 'olwwww', 'LOG4'],
  [4, 'a', 'BALANCE EXTCODESIZE EXTCODEHASH'],
  [4, 'aool', 'EXTCODECOPY'],
  [4, 'o', 'CALLDATALOAD MLOAD'],
  [6, 'ool', 'CALLDATACOPY CODECOPY MCOPY'],
  [6, 'orr', 'RETURNDATACOPY'],
  [2, 'n', 'BLOCKHASH'],
  [10, 'ow', 'MSTORE'],
  [4, 'ow', 'MSTORE8'],
  [8, 's', 'SLOAD TLOAD'],
  [12, 'sw', 'SSTORE'],
  [8, 'sw', 'TSTORE'],
  [12, 'vol', 'CREATE'],
  [12, 'volw', 'CREATE2'],
  [16, 'gavolol', 'CALL'],
  [8, 'gavolol', 'CALLCODE'],
  [10, 'gaolol', 'DELEGATECALL STATICCALL'],
]
const CHOICES = INPUTS.flatMap(([weight, inputs, names]) =>
  names.split(' ').flatMap((name) => Array.from({ length: weight }, () => ({ name, inputs }))),
)
const ENDS: readonly (readonly [name: string, inputs: string])[] = [
  ['RETURN', 'ol'],
  ['RETURN', 'ol'],
  ['RETURN', 'ol'],
  ['REVERT', 'ol'],
  ['STOP', ''],
  ['SELFDESTRUCT', 'a'],
]
const RARE_ENDS: typeof ENDS = [...ENDS, ['INVALID', ''], ['JUMP', 'w']]
/** Instructions that leave nothing on the stack. */
const SILENT = /^(POP|JUMPDEST|LOG.|.*COPY|MSTORE8?|[ST]STORE)$/

const EDGES = [0n, 0n, 1n, 1n, 2n, 31n, 32n, 33n, 255n, 256n, 2n ** 64n, 2n ** 128n - 1n, 2n ** 255n].concat([
  2n ** 255n - 1n,
  2n ** 256n - 1n,
  2n ** 256n - 2n,
])
const HUGE = [2n ** 20n, 2n ** 32n - 1n, 2n ** 53n, 2n ** 64n - 1n, 2n ** 256n - 1n, 2n ** 256n - 32n]
const NULLARY = ['GAS', 'RETURNDATASIZE', 'CALLDATASIZE', 'SELFBALANCE', 'CALLER', 'CALLVALUE', 'MSIZE', 'PC']

const chance = (random: Random, percent: number): boolean => random(100) < percent

/** Never 0xef: see `randomCase`. */
const randomBytes = (random: Random, length: number): number[] =>
  Array.from({ length }, () => {
    const byte = random(256)
    return byte === 0xef ? 0xee : byte
  })

/** Writes a random program: each instruction finds what it takes on the stack, most of the time. */
class Writer {
  readonly bytes: number[] = []
  readonly #random: Random
  /** How high the stack is, about. */
  #height = 0
  /** Where JUMPDESTs are, and where one is to be named that does not exist yet. */
  readonly #destinations: number[] = []
  readonly #forward: { readonly at: number; readonly height: number }[] = []
  /** Whom it calls most of the time: those behind it, so that calls come to an end. */
  readonly #callees: readonly string[]

  constructor(random: Random, callees: readonly string[]) {
    this.#random = random
    this.#callees = callees
  }

  op(name: string): void {
    this.bytes.push(OPCODES.get(name)!)
  }

  number(value: bigint): void {
    this.bytes.push(...push(value))
    this.#height++
  }

  program(instructions: number): void {
    for (let i = 0; i < instructions; i++) this.instruction()
    if (chance(this.#random, 95)) this.ending()
  }

  instruction(): void {
    const random = this.#random
    if (chance(random, 1)) {
      this.end(pick(random, RARE_ENDS))
      return
    }
    if (chance(random, 8)) {
      this.branch()
      return
    }
    if (chance(random, 6)) {
      this.shuffle()
      return
    }
    if (chance(random, 5)) {
      this.initCode()
      return
    }
    const { name, inputs } = pick(random, CHOICES)
    if (name === 'RETURNDATACOPY' && chance(random, 60)) {
      this.copyAnswer()
      return
    }
    for (const kind of [...inputs].reverse()) this.input(kind)
    if (name === 'JUMPDEST') this.#destinations.push(this.bytes.length)
    this.op(name)
    this.#height -= inputs.length - (SILENT.test(name) ? 0 : 1)
  }

  copyAnswer(): void {
    this.op('RETURNDATASIZE')
    this.number(0n)
    this.input('o')
    this.op('RETURNDATACOPY')
    this.#height -= 2
  }

  /** DUP, SWAP and PUSH of every size. */
  shuffle(): void {
    const random = this.#random
    const length = random(33)
    if (chance(random, 30)) for (let i = 0; i < 17; i++) this.number(pick(random, EDGES))
    const many = chance(random, 5) ? 17 : Math.max(1, Math.min(17, this.#height))
    switch (random(3)) {
      case 0:
        this.op(`DUP${Math.max(1, random(many))}`)
        break
      case 1:
        this.op(`SWAP${Math.max(1, random(many))}`)
        return
      default:
        this.bytes.push(0x5f + length, ...randomBytes(random, length))
    }
    this.#height++
  }

  branch(): void {
    const random = this.#random
    if (this.#forward.length > 0 && chance(random, 60)) {
      this.land()
      return
    }
    this.input('w')
    if (this.#destinations.length > 0 && chance(random, 15))
      this.bytes.push(0x61, ...wide(pick(random, this.#destinations)))
    else {
      this.bytes.push(0x61, 0, 0)
      this.#forward.push({ at: this.bytes.length - 2, height: this.#height - 1 })
    }
    this.op('JUMPI')
    this.#height--
  }

  land(): void {
    const here = this.bytes.length
    const { at, height } = this.#forward.pop()!
    this.bytes.splice(at, 2, ...wide(here))
    this.#height = Math.min(this.#height, height)
    this.#destinations.push(here)
    this.op('JUMPDEST')
  }

  /** Puts a program that a creation may run into memory. */
  initCode(): void {
    const random = this.#random
    const writer = new Writer(random, [])
    if (chance(random, 50)) {
      writer.number(BigInt(random(40)))
      writer.number(BigInt(random(8)))
      writer.op(pick(random, ['RETURN', 'RETURN', 'REVERT']))
    } else {
      writer.input('s')
      writer.op(pick(random, ['SLOAD', 'CALLER', 'SELFBALANCE', 'TLOAD', 'GAS']))
      writer.input('s')
      writer.op(pick(random, ['SSTORE', 'TSTORE', 'SSTORE']))
      writer.input('a')
      writer.op(pick(random, ['SELFDESTRUCT', 'BALANCE', 'EXTCODEHASH', 'STOP']))
    }
    const bytes = writer.bytes.slice(0, 32)
    this.number(BigInt(`0x${toHex(Uint8Array.from(bytes)).padEnd(64, '0')}`))
    this.number(0n)
    this.op('MSTORE')
    for (const kind of ['l', 'o', 'v'] as const) this.input(kind)
    this.op('CREATE')
  }

  input(kind: string): void {
    const random = this.#random
    switch (kind) {
      case 'o':
        this.number(this.size(300))
        return
      case 'l':
        this.number(chance(random, 15) ? 0n : this.size(100))
        return
      case 'a':
        this.address()
        return
      case 's':
        this.number(BigInt(random(4)))
        return
      case 'v':
        this.number(chance(random, 75) ? 0n : pick(random, [1n, 2n, 1_000n, 10n ** 30n]))
        return
      case 'g':
        if (chance(random, 60)) {
          this.number(BigInt(random(60_000)))
          return
        }
        this.op('GAS')
        this.#height++
        return
      case 'r':
        if (chance(random, 97)) this.number(0n)
        else this.number(BigInt(random(40)))
        return
      case 'n':
        this.number(BigInt(random(1_100)))
        return
      default:
        this.word()
        return
    }
  }

  size(usual: number): bigint {
    const random = this.#random
    if (random(400) === 0) return pick(random, HUGE)
    return BigInt(chance(random, 5) ? random(20_000) : random(usual))
  }

  address(): void {
    const random = this.#random
    const dice = random(100)
    if (dice < 8 && this.#height > 0) this.op(`DUP${1 + random(Math.min(16, this.#height))}`)
    else if (dice < 13) this.op(pick(random, ['ADDRESS', 'CALLER', 'ORIGIN', 'COINBASE']))
    else {
      const callees =
        dice < 50 && this.#callees.length > 0 ? this.#callees : dice < 55 ? CONTRACTS : PRECOMPILES
      const list = dice < 60 ? callees : dice < 70 ? DELEGATING : dice < 92 ? PRECOMPILES : [SENDER, NOBODY]
      this.number(BigInt(pick(random, list)))
      return
    }
    this.#height++
  }

  word(): void {
    const random = this.#random
    const dice = random(100)
    if (dice < 35 && this.#height > 0) this.op(`DUP${1 + random(Math.min(16, this.#height))}`)
    else if (dice < 45) this.op(pick(random, NULLARY))
    else if (dice < 85) {
      this.number(pick(random, EDGES))
      return
    } else {
      const length = 1 + random(32)
      this.bytes.push(0x5f + length, ...randomBytes(random, length))
    }
    this.#height++
  }

  ending(): void {
    const random = this.#random
    while (this.#forward.length > 0 && chance(random, 98)) this.land()
    this.end(pick(random, ENDS))
  }

  end([name, inputs]: (typeof ENDS)[number]): void {
    for (const kind of [...inputs].reverse()) this.input(kind)
    this.op(name)
    this.#height -= inputs.length
  }
}

const wide = (place: number): number[] => [place >> 8, place & 255]

function randomProgram(random: Random, most: number, callees: readonly string[] = CONTRACTS): string {
  const writer = new Writer(random, callees)
  writer.program(1 + random(most))
  return `0x${toHex(Uint8Array.from(writer.bytes))}`
}

export interface RandomCase {
  readonly pre: Readonly<Record<string, PreAccount>>
  /** Nothing for a creation. */
  readonly to: string | undefined
  readonly data: string
  readonly value: string
  readonly gasLimit: string
  readonly hasAccessList: boolean
}

const hex = (value: number): string => `0x${value.toString(16)}`

/**
 * Contracts that call each other, and a transaction that calls the first. No program or init code begins with 0xef00 but
 * by a hash of 2^16: the library takes such code for EOF, so that a creation of it costs nothing, and shows
 * EXTCODECOPY, EXTCODESIZE and EXTCODEHASH two bytes of it.
 */
export function randomCase(random: Random): RandomCase {
  const pre: Record<string, PreAccount> = {
    [SENDER]: { balance: '0xffffffffffffffffff', nonce: '0x5', code: '0x', storage: {} },
  }
  for (const [i, contract] of CONTRACTS.entries())
    pre[contract] = {
      balance: hex(random(3) * 1_000),
      nonce: hex(1 + random(3)),
      code: randomProgram(random, 40, CONTRACTS.slice(i + 1)),
      storage: Object.fromEntries(
        [0, 1, 2, 3].filter(() => chance(random, 40)).map((s) => [hex(s), hex(1 + random(3))]),
      ),
    }
  for (const [i, to] of [CONTRACTS[0]!, NOBODY, PRECOMPILES[3]!].entries())
    pre[DELEGATING[i]!] = {
      balance: hex(random(2)),
      nonce: '0x1',
      code: `0xef0100${to.slice(2)}`,
      storage: {},
    }
  const isCreation = chance(random, 8)
  return {
    pre,
    to: isCreation ? undefined : chance(random, 8) ? DELEGATING[0] : CONTRACTS[0],
    data: isCreation
      ? randomProgram(random, 20)
      : `0x${toHex(Uint8Array.from(randomBytes(random, random(100))))}`,
    value: hex(chance(random, 70) ? 0 : random(2_000)),
    gasLimit: hex(chance(random, 15) ? 60_000 + random(60_000) : 100_000 + random(600_000)),
    hasAccessList: chance(random, 20),
  }
}

/** What an access list of a case has. */
export const ACCESSED = { address: fromHex(CONTRACTS[1]!.slice(2)), slots: [0n, 1n] }
