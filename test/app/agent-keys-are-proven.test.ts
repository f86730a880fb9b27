import { expect } from 'chai'
import { formatAddress, VALIDATOR_PREFIX } from '../../core/address.ts'
import { packAny } from '../../core/wire/registry.ts'
import { signEd25519 } from '../../daemon/comet/keys.ts'
import { agentKeyMessage } from '../../daemon/validator/agent-signer.ts'
import { agentKeySignBytes } from '../../modules/classifier/api.ts'
import { CHAIN_ID, consensusKey, TestChain } from '../kit/app/chain.ts'
import { outcome } from '../kit/app/governance.ts'

describe('An agent key', () => {
  let chain: TestChain
  before(async () => {
    chain = await TestChain.start({ validators: ['one', 'two'] })
  })
  after(() => chain.stop())

  const key = consensusKey('an agent')
  const operator = (name: string): string => formatAddress(chain.user(name).address, VALIDATOR_PREFIX)
  const sent = async (name: string, signature?: Uint8Array): Promise<string> => {
    const value = { validator: operator(name), pubKey: key.publicKey, signature }
    const message = signature
      ? packAny('fornax.classifier.v1.MsgSetAgentKey', value)
      : agentKeyMessage(key, CHAIN_ID, operator(name))
    const { txResults } = await chain.block(chain.sign(name, { messages: [message] }))
    return outcome(txResults[0]!)
  }
  const proof = (chainId: string, name: string): Uint8Array =>
    signEd25519(key, agentKeySignBytes(chainId, operator(name), key.publicKey))

  it('is given by who holds it alone: neither a copied key nor a copied proof is taken', async () => {
    expect(await sent('two', new Uint8Array(0))).to.equal('classifier/3')
    expect(await sent('two', proof(CHAIN_ID, 'one'))).to.equal('classifier/3')
    expect(await sent('one', proof('another-chain', 'one'))).to.equal('classifier/3')
    expect(await sent('one')).to.equal('ok')
    expect(await sent('two')).to.equal('classifier/9')
  })
})
