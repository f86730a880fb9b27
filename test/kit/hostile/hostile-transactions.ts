import { LegacyAminoPubKey } from 'cosmjs-types/cosmos/crypto/multisig/keys'
import { SignMode } from 'cosmjs-types/cosmos/tx/signing/v1beta1/signing'
import { AuthInfo, SignerInfo, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { Any } from 'cosmjs-types/google/protobuf/any'
import { concatBytes, utf8 } from '../../../core/bytes.ts'
import { ETHERMINT_URL, ETHSECP256K1_URL, MULTISIG_URL } from '../../../core/crypto/public-key.ts'
import { secp256k1PublicKey } from '../../../core/crypto/secp256k1.ts'
import { type SignerKey, secp256k1Any, signTx } from '../../../core/tx/build.ts'
import type { Any as CoreAny } from '../../../core/wire/registry.ts'
import { CHAIN_ID, user } from '../app/chain.ts'
import type { Operation } from '../oracle/messages.ts'
import { mutatedAnyMessage } from '../oracle/wire-mutation.ts'
import { pick, type Random, randomness } from '../random.ts'
import { mutated } from './fuzz.ts'

/** Gas at which a transaction may end anywhere, and some that is enough. */
const gasLimit = (random: Random): bigint =>
  pick(random, [
    () => 5_000_000n,
    () => 5_000_000n,
    () => BigInt(random(400_000)),
    () => BigInt(random(400_000)),
    () => 0n,
    () => 2n ** BigInt(20 + random(44)),
  ])()

/** The key in the forms that have looked alike, and some that are none. */
function hostileKey(random: Random, key: Any): Any {
  const member = Any.encode(key).finish()
  const url = member.subarray(0, 2 + member[1]!)
  const swapped = concatBytes(member.subarray(url.length), url)
  const multisig = (members: readonly Uint8Array[]): Any => ({
    typeUrl: MULTISIG_URL,
    value: concatBytes(
      Uint8Array.of(0x08, 1),
      ...members.map((m) => concatBytes(Uint8Array.of(0x12, m.length), m)),
    ),
  })
  const ofEthereum = (value: Uint8Array): Any => ({
    typeUrl: pick(random, [ETHSECP256K1_URL, ETHERMINT_URL]),
    value,
  })
  return pick(random, [
    () => multisig([member]),
    () => multisig([swapped]),
    () => {
      const { typeUrl, value } = multisig([swapped])
      return { typeUrl: typeUrl + Buffer.from(value).toString('latin1'), value: new Uint8Array(0) }
    },
    () => ({ typeUrl: key.typeUrl + Buffer.from(key.value).toString('latin1'), value: new Uint8Array(0) }),
    () => multisig(Array.from({ length: 1 + random(80) }, () => member)),
    () => ({
      typeUrl: MULTISIG_URL,
      value: LegacyAminoPubKey.encode({ threshold: 1, publicKeys: [] }).finish(),
    }),
    () => ({ typeUrl: key.typeUrl, value: mutated(random, key.value) }),
    () => ofEthereum(key.value),
    () => ofEthereum(mutated(random, key.value)),
    () => multisig([member, Any.encode(ofEthereum(key.value)).finish()]),
  ])()
}

function withHostileKey(random: Random, tx: Uint8Array): Uint8Array {
  const raw = TxRaw.decode(tx)
  const authInfo = AuthInfo.decode(raw.authInfoBytes)
  const signerInfos = authInfo.signerInfos.map((info) =>
    SignerInfo.fromPartial({ ...info, publicKey: hostileKey(random, info.publicKey!) }),
  )
  return TxRaw.encode({
    ...raw,
    authInfoBytes: AuthInfo.encode({ ...authInfo, signerInfos }).finish(),
  }).finish()
}

function withHostileBody(random: Random, tx: Uint8Array): Uint8Array {
  const raw = TxRaw.decode(tx)
  const body = TxBody.decode(raw.bodyBytes)
  const changes: readonly (() => Partial<TxBody>)[] = [
    () => ({ memo: pick(random, ['\0', 'x'.repeat(257), '<&>\u2028', '\u{1f600}']) }),
    () => ({ timeoutHeight: BigInt(random(3)) }),
    () => ({ unordered: true }),
    () => ({ messages: [...body.messages, ...body.messages] }),
    () => ({ messages: [] }),
    () => ({ timeoutTimestamp: { seconds: BigInt(random(2 ** 32)), nanos: random(2 ** 30) } }),
  ]
  return TxRaw.encode({
    ...raw,
    bodyBytes: TxBody.encode({ ...body, ...pick(random, changes)() }).finish(),
  }).finish()
}

/** A transaction made of an operation, most of the time with something wrong about it. */
export function hostileTransaction(
  random: Random,
  operation: Operation,
  account: Pick<SignerKey, 'accountNumber' | 'sequence'>,
): Uint8Array {
  const { privateKey } = user(operation.signer)
  const valid = operation.messages('fornax')
  const seed = random(2 ** 31)
  const messages =
    random(3) === 0 ? valid : valid.map((any: CoreAny) => mutatedAnyMessage(randomness(seed), 'fornax', any))
  const fee = { amount: operation.fee ?? [], gasLimit: gasLimit(random) }
  const mode = random(4) === 0 ? SignMode.SIGN_MODE_LEGACY_AMINO_JSON : SignMode.SIGN_MODE_DIRECT
  let tx: Uint8Array
  try {
    tx = signTx({ messages, fee }, CHAIN_ID, [{ privateKey, ...account }], mode)
  } catch {
    // Amino's JSON cannot say it.
    tx = signTx({ messages, fee }, CHAIN_ID, [{ privateKey, ...account }])
  }
  const kind = random(8)
  if (kind === 0) return mutated(random, tx)
  if (kind === 1) return withHostileKey(random, tx)
  if (kind === 2) return withHostileBody(random, tx)
  return tx
}

/** An address whose bytes begin with the end of a longer prefix. */
export const lookalikeOf = (name: string): Uint8Array => concatBytes(utf8('valoper'), user(name).address)

export const publicKeyOf = (name: string): Any => secp256k1Any(secp256k1PublicKey(user(name).privateKey))
