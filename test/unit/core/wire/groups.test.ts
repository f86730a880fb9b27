import { expect } from 'chai'
import { MultiSignature } from 'cosmjs-types/cosmos/crypto/multisig/v1beta1/multisig'
import { Any } from 'cosmjs-types/google/protobuf/any'
import '../../../../core/wire/registry.ts'

/** Groups in groups: field 15, opened and closed. */
const nested = (depth: number): Uint8Array =>
  Uint8Array.from(Buffer.concat([Buffer.alloc(depth, 0x7b), Buffer.alloc(depth, 0x7c)]))

describe('groups, which no message has', () => {
  for (const depth of [1, 20_000, 1_000_000])
    it(`are refused ${depth} deep, without going down: a multisignature of them ended every node`, () => {
      for (const type of [MultiSignature, Any])
        expect(() => type.decode(nested(depth))).to.throw(Error, 'groups are not supported')
    })
})
