import { Common, Hardfork, Mainnet } from '@ethereumjs/common'
import {
  type EVMInterface,
  getActivePrecompiles,
  NobleBLS,
  NobleBN254,
  type PrecompileFunc,
  type PrecompileInput,
  paramsEVM,
} from '@ethereumjs/evm'
import type { KZG } from '@ethereumjs/util'
import { expect } from 'chai'
import { toHex } from '../../../core/bytes.ts'
import { loadPrecompiled } from '../../../modules/evm/precompiled/precompiled.ts'
import { verifyProof } from './kzg.ts'

/** Our precompiled contracts beside those of @ethereumjs/evm, all on noble. */

const common = new Common({
  chain: Mainnet,
  hardfork: Hardfork.Osaka,
  customCrypto: { kzg: { verifyProof } as unknown as KZG },
})
common.updateParams(paramsEVM)
const evm = { _bn254: new NobleBN254(), _bls: new NobleBLS() } as unknown as EVMInterface

const ours = await loadPrecompiled()
const theirs = getActivePrecompiles(common)

/** Addresses of all contracts that Osaka has, by the library. */
export const addresses = [...theirs.keys()]
export const ourAddresses = [...ours.keys()]

export interface Answer {
  readonly gas: bigint
  readonly bytes: string
  readonly error: string | undefined
}

export const PLENTY = 10n ** 12n

/** What the EVM hands to a contract. */
export const call = (data: Uint8Array, gasLimit: bigint): PrecompileInput => ({
  data,
  gasLimit,
  common,
  _EVM: evm,
})

async function ask(contract: PrecompileFunc, data: Uint8Array, gasLimit: bigint): Promise<Answer> {
  const result = await contract(call(data, gasLimit))
  return {
    gas: result.executionGasUsed,
    bytes: toHex(result.returnValue),
    error: result.exceptionError?.error,
  }
}

const named = (map: ReadonlyMap<string, PrecompileFunc>, address: number): PrecompileFunc =>
  map.get(address.toString(16).padStart(40, '0'))!

export const ourContract = (address: number): PrecompileFunc => named(ours, address)
export const libraryContract = (address: number): PrecompileFunc => named(theirs, address)

export const ourAnswer = (address: number, data: Uint8Array, gasLimit = PLENTY): Promise<Answer> =>
  ask(ourContract(address), data, gasLimit)

export const libraryAnswer = (address: number, data: Uint8Array, gasLimit = PLENTY): Promise<Answer> =>
  ask(libraryContract(address), data, gasLimit)

/** Holds our answer to the library's, input and all, with plenty of gas and at the edges of the price. Answers it. */
export async function compared(address: number, data: Uint8Array, what = ''): Promise<Answer> {
  const before = toHex(data)
  const answer = await ourAnswer(address, data)
  expect(toHex(data), 'the input stays').to.equal(before)
  const note = `${what} 0x${address.toString(16)}(${before.slice(0, 2_000)})`
  expect(answer, note).to.deep.equal(await libraryAnswer(address, data))
  const limits = answer.error === undefined ? [answer.gas, answer.gas - 1n, 0n] : [0n]
  for (const limit of limits.filter((gas) => gas >= 0n))
    if (limit !== answer.gas)
      expect(await ourAnswer(address, data, limit), note).to.deep.equal(
        await libraryAnswer(address, data, limit),
      )
    else expect(await ourAnswer(address, data, limit), note).to.deep.equal(answer)
  return answer
}
