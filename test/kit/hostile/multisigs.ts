import { LegacyAminoPubKey } from 'cosmjs-types/cosmos/crypto/multisig/keys'
import { CompactBitArray, MultiSignature } from 'cosmjs-types/cosmos/crypto/multisig/v1beta1/multisig'
import { SignMode } from 'cosmjs-types/cosmos/tx/signing/v1beta1/signing'
import { AuthInfo, type ModeInfo, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import type { Any } from 'cosmjs-types/google/protobuf/any'
import { formatAddress } from '../../../core/address.ts'
import { concatBytes } from '../../../core/bytes.ts'
import { MULTISIG_URL, parsePublicKey } from '../../../core/crypto/public-key.ts'
import { secp256k1PublicKey, signSecp256k1 } from '../../../core/crypto/secp256k1.ts'
import { type SignerKey, secp256k1Any } from '../../../core/tx/build.ts'
import { directSignBytes } from '../../../core/tx/sign-bytes.ts'
import { packAny } from '../../../core/wire/registry.ts'
import { CHAIN_ID, user } from '../app/chain.ts'
import { pick, type Random } from '../random.ts'
import { mutated } from './fuzz.ts'

/** A key of two of three members, the last of whom is a key of one of two itself. */
export interface Multisig {
  readonly key: Any
  readonly address: string
  readonly members: readonly [string, string, string, string]
}

const keyOf = (name: string): Any => secp256k1Any(secp256k1PublicKey(user(name).privateKey))
const threshold = (count: number, publicKeys: Any[]): Any => ({
  typeUrl: MULTISIG_URL,
  value: LegacyAminoPubKey.encode({ threshold: count, publicKeys }).finish(),
})

export function multisig(i: number): Multisig {
  const members = [`m${i}a`, `m${i}b`, `m${i}c`, `m${i}d`] as const
  const [a, b, c, d] = members.map(keyOf) as [Any, Any, Any, Any]
  const key = threshold(2, [a, b, threshold(1, [c, d])])
  return { key, address: formatAddress(parsePublicKey(key).address), members }
}

const single: ModeInfo = { single: { mode: SignMode.SIGN_MODE_DIRECT } }
const bits = (size: number, set: readonly number[]): CompactBitArray => {
  const byte = set.reduce((sum, i) => sum | (0x80 >> i), 0)
  return CompactBitArray.fromPartial({ extraBitsStored: size, elems: Uint8Array.of(byte) })
}

/** A send of the multisig's, signed by two members; mostly with something wrong about modes, bits or signatures. */
export function multisigTransaction(
  random: Random,
  { key, address, members }: Multisig,
  { accountNumber, sequence }: Pick<SignerKey, 'accountNumber' | 'sequence'>,
): Uint8Array {
  const message = packAny('cosmos.bank.v1beta1.MsgSend', {
    fromAddress: address,
    toAddress: user(members[0]).text,
    amount: [{ denom: 'stake', amount: '1' }],
  })
  const body = TxBody.fromPartial({ messages: [message] })
  const bodyBytes = TxBody.encode(body).finish()
  const nested: ModeInfo = { multi: { bitarray: bits(2, [1]), modeInfos: [single] } }
  const mode: ModeInfo = {
    multi: {
      bitarray: pick(random, [
        () => bits(3, [0, 2]),
        () => bits(3, [0, 2]),
        () => bits(3, [0, 1]),
        () => bits(random(9), [random(8), random(8)]),
      ])(),
      modeInfos: pick(random, [[single, nested], [single, nested], [nested, single], [single]]),
    },
  }
  const authInfo = AuthInfo.fromPartial({
    signerInfos: [{ publicKey: key, modeInfo: mode, sequence }],
    fee: { amount: [], gasLimit: BigInt(random(1_500_000)) },
  })
  const authInfoBytes = AuthInfo.encode(authInfo).finish()
  const signed = directSignBytes(
    { bodyBytes, authInfoBytes, body, authInfo },
    { chainId: CHAIN_ID, accountNumber, sequence },
  )
  const sign = (name: string): Uint8Array => signSecp256k1(user(name).privateKey, signed)
  const inner = MultiSignature.encode({ signatures: [sign(members[3])] }).finish()
  const outer = MultiSignature.encode({ signatures: [sign(members[0]), inner] }).finish()
  const signature = pick(random, [
    () => outer,
    () => outer,
    () => outer.subarray(0, random(outer.length)),
    () => mutated(random, outer),
    // Groups in groups, deep enough for some stacks.
    () => {
      const depth = random(30_000)
      return concatBytes(outer, new Uint8Array(depth).fill(0x13), new Uint8Array(depth).fill(0x14))
    },
  ])()
  return TxRaw.encode({ bodyBytes, authInfoBytes, signatures: [signature] }).finish()
}
