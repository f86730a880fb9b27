import type { PrecompileFunc } from '@ethereumjs/evm'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { keccak256 } from '../../core/crypto/keccak.ts'
import { call, libraryContract, ourContract, PLENTY } from '../../test/kit/evm/precompiled.ts'
import { type Input, inputs } from './inputs.ts'

/**
 * Gas a second of each precompiled contract, by processor time and on one thread, beside @ethereumjs/evm's own as they come
 * (on noble; for point evaluation with the test kit's KZG on noble). ONLY=0x05,0x0a narrows it down. Ends with code 1 where one of
 * ours is below the floor.
 */
const FLOOR = 10
/** A warm CALL's, where it counts. */
const CALL_GAS = 100n
const NAMES: Readonly<Record<number, string>> = {
  1: 'ecrecover',
  2: 'sha256',
  3: 'ripemd160',
  4: 'identity',
  5: 'modexp',
  6: 'bn254 add',
  7: 'bn254 mul',
  8: 'bn254 pairing',
  9: 'blake2f',
  10: 'point evaluation',
  11: 'BLS12-381 add',
  12: 'BLS12-381 multiples',
  13: 'BLS12-381 add',
  14: 'BLS12-381 multiples',
  15: 'BLS12-381 pairing',
  16: 'BLS12-381 map',
  17: 'BLS12-381 map',
  256: 'P-256 verify',
}

const processorMicroseconds = (): number => {
  const { user, system } = process.cpuUsage()
  return user + system
}

/** Neighbours on the machine only add to a time: the least of so many samples, in microseconds. */
async function leastTime(run: () => unknown, samples: number, sampleMs: number): Promise<number> {
  await run()
  let least = Number.POSITIVE_INFINITY
  // The first sample warms up.
  for (let i = 0; i <= samples; i++) {
    const before = processorMicroseconds()
    let runs = 0
    let spent = 0
    do {
      for (let j = 0; j < 4; j++) {
        const result = run()
        if (result instanceof Promise) await result
      }
      runs += 4
      spent = processorMicroseconds() - before
    } while (spent < sampleMs * 1_000)
    if (i > 0) least = Math.min(least, spent / runs)
  }
  return least
}

/** What the input must have been given for the contract to do its work: its price, though it may fail then. */
async function priceOf(contract: PrecompileFunc, data: Uint8Array): Promise<bigint> {
  const { executionGasUsed, exceptionError } = await contract(call(data, PLENTY))
  if (exceptionError === undefined) return executionGasUsed
  const isOutOfGas = async (limit: bigint): Promise<boolean> =>
    (await contract(call(data, limit))).exceptionError?.error === 'out of gas'
  if (!(await isOutOfGas(0n)) || (await isOutOfGas(PLENTY))) return 0n
  let low = 0n
  let high = PLENTY
  while (high - low > 1n) {
    const middle = (low + high) / 2n
    if (await isOutOfGas(middle)) low = middle
    else high = middle
  }
  return high
}

interface Row {
  readonly name: string
  readonly gas: bigint
  readonly us: number
  readonly mgas: number
  readonly libraryMgas: number
}

async function measure({ address, name, data, isCallCounted = false }: Input): Promise<Row> {
  const [ours, library] = [ourContract(address), libraryContract(address)]
  const price = await priceOf(ours, data)
  const gas = price + (isCallCounted || price === 0n ? CALL_GAS : 0n)
  const limit = price === 0n ? 0n : PLENTY
  const us = await leastTime(() => ours(call(data, limit)), 5, 40)
  const libraryUs = await leastTime(() => library(call(data, limit)), 1, 30)
  return {
    name: `${NAMES[address]} (0x${address.toString(16).padStart(2, '0')}), ${name}`,
    gas,
    us,
    mgas: Number(gas) / us,
    libraryMgas: Number(gas) / libraryUs,
  }
}

const line = (cells: readonly string[]): string =>
  `${cells[0]!.padEnd(70)}${cells
    .slice(1)
    .map((text) => text.padStart(13))
    .join('')}`

const only = process.env['ONLY']?.split(',').map(Number)
const slow: Row[] = []
console.log(line(['contract, input', 'gas', 'µs', 'Mgas/s', 'the library', 'times']))
for (const input of inputs()) {
  if (only !== undefined && !only.includes(input.address)) continue
  const row = await measure(input)
  if (row.mgas < FLOOR) slow.push(row)
  const times = (row.mgas / row.libraryMgas).toFixed(1)
  console.log(
    line([row.name, `${row.gas}`, row.us.toFixed(2), row.mgas.toFixed(1), row.libraryMgas.toFixed(2), times]),
  )
}
for (const length of [32, 64, 4_096]) {
  const message = new Uint8Array(length).fill(3)
  const gas = 30 + 6 * Math.ceil(length / 32)
  const [us, noble] = [
    await leastTime(() => keccak256(message), 5, 40),
    await leastTime(() => keccak_256(message), 1, 30),
  ]
  console.log(
    line([
      `Keccak-256 (KECCAK256), ${length} bytes`,
      `${gas}`,
      us.toFixed(2),
      (gas / us).toFixed(1),
      (gas / noble).toFixed(2),
      (noble / us).toFixed(1),
    ]),
  )
}
for (const { name, mgas } of slow) console.error(`below ${FLOOR} Mgas/s: ${name}: ${mgas.toFixed(1)}`)
process.exitCode = slow.length === 0 ? 0 : 1
