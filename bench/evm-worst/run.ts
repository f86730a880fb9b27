import { join } from 'node:path'
import { createCustomCommon, Hardfork, Mainnet } from '@ethereumjs/common'
import { paramsEVM } from '@ethereumjs/evm'
import { fromLatin1, NO_BYTES } from '../../core/bytes.ts'
import { keccak256 } from '../../core/crypto/keccak.ts'
import type { Store } from '../../daemon/store/store.ts'
import { loadMachine, machine } from '../../modules/evm/chain-machine.ts'
import type { BlockEnvironment } from '../../modules/evm/machine/frame.ts'
import { Substate } from '../../modules/evm/machine/substate.ts'
import { wordBytes } from '../../modules/evm/machine/word.ts'
import { EVM_CHAIN_ID } from '../../modules/evm/params.ts'
import { WorldState } from '../../modules/evm/world-state.ts'
import { runSlowly } from '../../test/kit/evm/slow-way.ts'
import { inDirectory } from '../../test/kit/store/store.ts'
import { EACH_ROUND, type Program, programs } from './programs.ts'
import { addressOf, buildState, contextOn, openState, PROGRAMS, SENDER } from './state.ts'

/**
 * Gas a second of the programs that take longest for their gas, by processor time, on a state on disk; some beside
 * the library's own machine, as it is, on the same state. ONLY=CREATE,cold narrows it down. Ends with code 1 where one
 * is below the goal.
 */
const GOAL = 10
const ROUNDS = 3
const BASELINE_GAS = 500_000

const block: BlockEnvironment = {
  number: 1_000n,
  timestamp: 1n,
  coinbase: addressOf(0xc0),
  prevRandao: wordBytes(7n),
  gasLimit: 30_000_000n,
  baseFee: 1n,
  chainId: EVM_CHAIN_ID,
}

const common = createCustomCommon({ chainId: Number(EVM_CHAIN_ID) }, Mainnet, {
  hardfork: Hardfork.Osaka,
  params: paramsEVM,
  customCrypto: { keccak256: (bytes) => keccak256(bytes) },
})

async function mgasOf(run: () => Promise<number> | number): Promise<number> {
  const before = process.cpuUsage()
  const gas = await run()
  const { user, system } = process.cpuUsage(before)
  return gas / (user + system)
}

/** Answers the gas that was used. */
function runOurs(store: Store, at: number, gas: number, round: number): number {
  const substate = new Substate()
  const to = addressOf(at)
  substate.touch(SENDER)
  substate.touch(to)
  for (const address of machine().precompileAddresses) substate.touch(fromLatin1(address))
  const { gasLeft } = machine().run(
    {
      world: new WorldState(contextOn(store), SENDER),
      block,
      substate,
      transaction: { origin: SENDER, gasPrice: 1n },
    },
    {
      kind: 'call',
      depth: 0,
      caller: SENDER,
      to,
      codeAddress: to,
      value: 0n,
      data: wordBytes(BigInt(round * EACH_ROUND)),
      gas,
      isStatic: false,
    },
  )
  return gas - gasLeft
}

async function runLibrary(store: Store, at: number): Promise<number> {
  const ctx = contextOn(store)
  const { gasUsed } = await runSlowly(
    {
      sender: SENDER,
      nonce: 0n,
      to: addressOf(at),
      data: NO_BYTES,
      gasLimit: BigInt(BASELINE_GAS),
      value: 0n,
      maxFeePerGas: 1n,
      maxPriorityFeePerGas: 1n,
      accessList: [],
      authorizations: [],
    },
    ctx,
    new WorldState(ctx),
    block,
    common,
  )
  return gasUsed
}

/** The best of the rounds, each on a store that was just opened: neighbours on the machine only add to a time. */
async function best(path: string, run: (store: Store, round: number) => Promise<number> | number) {
  let most = 0
  for (let round = 0; round < ROUNDS; round++) {
    const store = await openState(path)
    try {
      most = Math.max(most, await mgasOf(() => run(store, round)))
    } finally {
      await store.close()
    }
  }
  return most
}

interface Row {
  readonly name: string
  readonly mgas: number
  readonly library: number | undefined
}

async function measure(path: string, at: number, { name, gas, isBaseline }: Program): Promise<Row> {
  const mgas = await best(path, (store, round) => runOurs(store, at, gas, round))
  const library = isBaseline === true ? await best(path, (store) => runLibrary(store, at)) : undefined
  return { name, mgas, library }
}

const only = process.env['ONLY']?.split(',')
const isAsked = ({ name }: Program): boolean => only === undefined || only.some((part) => name.includes(part))

await loadMachine()
const rows: Row[] = []
await inDirectory(async (directory) => {
  const path = join(directory, 'state')
  await buildState(path)
  for (const [i, program] of programs.entries())
    if (isAsked(program)) rows.push(await measure(path, PROGRAMS + i, program))
})
rows.sort((a, b) => a.mgas - b.mgas)
console.log(`${'program'.padEnd(42)}${'Mgas/s'.padStart(10)}${'the library'.padStart(14)}`)
for (const { name, mgas, library } of rows)
  console.log(`${name.padEnd(42)}${mgas.toFixed(1).padStart(10)}${(library?.toFixed(2) ?? '').padStart(14)}`)
const slow = rows.filter(({ mgas }) => mgas < GOAL)
for (const { name, mgas } of slow) console.error(`below ${GOAL} Mgas/s: ${name}: ${mgas.toFixed(1)}`)
process.exitCode = slow.length === 0 ? 0 : 1
