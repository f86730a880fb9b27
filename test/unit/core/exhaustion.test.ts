import { expect } from 'chai'
import { MultiSignature } from 'cosmjs-types/cosmos/crypto/multisig/v1beta1/multisig'
import { rethrowExhaustion } from '../../../core/error.ts'

const overflow = (): number => 1 + overflow()

function goesOn(run: () => unknown): boolean {
  try {
    run()
  } catch (error) {
    try {
      rethrowExhaustion(error)
      return true
    } catch {
      return false
    }
  }
  throw new Error('it was expected to throw')
}

describe('errors that tell of the machine’s own limits', () => {
  for (const [what, run] of Object.entries({
    'the stack': overflow,
    'a string': () => 'x'.repeat(2 ** 28).repeat(2 ** 4),
    'an array': () => new Array(-1),
    'an array buffer': () => new ArrayBuffer(2 ** 53),
    'a typed array': () => new Uint8Array(2 ** 53),
    'a BigInt': () => 1n << (2n ** 40n),
  }))
    it(`are let through: ${what}`, () => expect(goesOn(run)).to.equal(false))

  for (const [what, run] of Object.entries({
    'a division by zero': () => 1n / BigInt(0),
    'a message that is cut short': () => MultiSignature.decode(Uint8Array.of(10, 100, 1)),
    'a number that is none': () => BigInt(1.5),
    'text that is no JSON': () => JSON.parse('{'),
  }))
    it(`are not what any machine finds: ${what}`, () => expect(goesOn(run)).to.equal(true))
})
