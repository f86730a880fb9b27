import { Common, Hardfork, Mainnet } from '@ethereumjs/common'
import { createFeeMarket1559Tx, createLegacyTx } from '@ethereumjs/tx'
import { createAddressFromPrivateKey, ecrecover, hexToBytes } from '@ethereumjs/util'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { expect } from 'chai'
import fc from 'fast-check'
import { sha256, toHex, utf8 } from '../../../../../core/bytes.ts'
import { customCrypto } from '../../../../../modules/evm/precompiled/custom-crypto.ts'
import { encoded } from '../../../../kit/evm/points.ts'

const ORDER = secp256k1.Point.Fn.ORDER
const key = new Uint8Array(32).fill(5)
const sender = createAddressFromPrivateKey(key).toString()

/** The key, or that there is none. */
function recovered(recover: typeof ecrecover, ...args: Parameters<typeof ecrecover>): string {
  try {
    return toHex(recover(...args))
  } catch {
    return 'none'
  }
}

describe('What @ethereumjs takes in place of noble', () => {
  const common = new Common({ chain: Mainnet, hardfork: Hardfork.Osaka, customCrypto })
  const fields = {
    nonce: 1n,
    gasLimit: 100_000n,
    to: '0x00000000000000000000000000000000000000aa' as const,
    value: 5n,
  }

  it("tells the senders of transactions, whose hashes are noble's", () => {
    for (const unsigned of [
      createLegacyTx({ ...fields, gasPrice: 10n ** 10n }, { common }),
      createFeeMarket1559Tx({ ...fields, maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 1n }, { common }),
    ]) {
      const signed = unsigned.sign(key)
      expect(signed.getSenderAddress().toString()).to.equal(sender)
      expect(toHex(signed.hash())).to.equal(toHex(keccak_256(signed.serialize())))
    }
  })

  it('leaves it to transactions to refuse a high S', () => {
    const signed = createLegacyTx({ ...fields, gasPrice: 10n ** 10n }, { common }).sign(key)
    const v = signed.v === 37n ? 38n : 37n
    const flipped = { ...fields, gasPrice: 10n ** 10n, v, r: signed.r!, s: ORDER - signed.s! }
    expect(() => createLegacyTx(flipped, { common }).getSenderAddress()).to.throw(/s-value/)
    const digest = createLegacyTx({ ...fields, gasPrice: 10n ** 10n }, { common }).getHashedMessageToSign()
    const publicKey = customCrypto.ecrecover!(digest, flipped.v, encoded(flipped.r), encoded(flipped.s), 1n)
    expect(toHex(publicKey)).to.equal(toHex(secp256k1.getPublicKey(key, false).subarray(1)))
  })

  it('recovers what the library recovers, and nothing where it does not', () => {
    const digest = sha256(utf8('text'))
    const signature = secp256k1.sign(digest, key, { prehash: false })
    const [r, s] = [signature.slice(0, 32), signature.slice(32)]
    for (const [v, chainId] of [
      [0n],
      [1n],
      [2n],
      [26n],
      [27n],
      [28n],
      [29n],
      [37n, 1n],
      [38n, 1n],
      [39n, 1n],
      [14_781n, 7_373n],
      [14_782n, 7_373n],
      [27n, 1n],
    ] as [bigint, bigint?][])
      expect(recovered(customCrypto.ecrecover!, digest, v, r, s, chainId), `${v}`).to.equal(
        recovered(ecrecover, digest, v, r, s, chainId),
      )
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 32, maxLength: 32 }),
        fc.uint8Array({ maxLength: 32 }),
        fc.uint8Array({ maxLength: 32 }),
        fc.bigInt(0n, 1n),
        (hash, rBytes, sBytes, v) => {
          expect(recovered(customCrypto.ecrecover!, hash, v, rBytes, sBytes)).to.equal(
            recovered(ecrecover, hash, v, rBytes, sBytes),
          )
        },
      ),
    )
    expect(() => customCrypto.ecrecover!(digest, 27n, hexToBytes('0x'), s)).to.throw(
      'no public key has this signature',
    )
  })
})
