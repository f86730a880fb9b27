import { QueryAccountInfoRequest, QueryAccountInfoResponse } from 'cosmjs-types/cosmos/auth/v1beta1/query'
import { RequestQuery } from 'cosmjs-types/tendermint/abci/types'
import { signTx } from '../../../core/tx/build.ts'
import { CHAIN_ID, user } from '../app/chain.ts'
import { account } from './cast.ts'
import type { Operation } from './messages.ts'
import type { Subject } from './subject.ts'

/** More than any operation takes, on either chain. */
const GAS = 50_000_000n

interface Signer {
  readonly accountNumber: bigint
  sequence: bigint
}

async function signerOf(subject: Subject, name: string): Promise<Signer> {
  const data = QueryAccountInfoRequest.encode({ address: account(subject.dialect, name) }).finish()
  const path = '/cosmos.auth.v1beta1.Query/AccountInfo'
  const answer = await subject.query(RequestQuery.fromPartial({ path, data }))
  const { info } = QueryAccountInfoResponse.decode(answer.value)
  return { accountNumber: info?.accountNumber ?? 0n, sequence: info?.sequence ?? 0n }
}

/** Signs each operation with the numbers that its signer's account has on this chain. */
export async function signAll(subject: Subject, operations: readonly Operation[]): Promise<Uint8Array[]> {
  const signers = new Map<string, Signer>()
  const txs: Uint8Array[] = []
  for (const { signer: name, messages, fee = [], gas = GAS } of operations) {
    const signer = signers.get(name) ?? (await signerOf(subject, name))
    signers.set(name, signer)
    txs.push(
      signTx({ messages: messages(subject.dialect), fee: { amount: fee, gasLimit: gas } }, CHAIN_ID, [
        { privateKey: user(name).privateKey, ...signer },
      ]),
    )
    signer.sequence++
  }
  return txs
}
