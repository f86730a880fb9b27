import { expect } from 'chai'
import { parse, stringify } from 'smol-toml'
import { type CometSettings, cometConfig, timing } from '../../../../daemon/comet/config.ts'

const settings: CometSettings = {
  moniker: 'quote " and \\ backslash',
  appAddress: 'unix:///run/app.sock',
  rpcAddress: 'tcp://127.0.0.1:26657',
  p2pAddress: 'tcp://0.0.0.0:26656',
  slotMs: 5000,
}

describe('comet config', () => {
  it('paces five-second slots in production, with rounds of a halt a second long and not growing', () => {
    expect(timing(5000)).to.deep.equal({
      timeout_propose: '3s',
      timeout_prevote: '1s',
      timeout_precommit: '1s',
      timeout_commit: '4600ms',
      skip_timeout_commit: false,
      peer_gossip_sleep_duration: '100ms',
    })
    expect(cometConfig(settings)['consensus']).to.include({
      timeout_precommit_delta: '1ms',
      create_empty_blocks: true,
    })
  })

  it('skips the commit timeout of a test net only where slots are very short', () => {
    expect(timing(40)).to.include({
      timeout_propose: '40ms',
      timeout_commit: '10ms',
      skip_timeout_commit: true,
    })
    expect(timing(300)).to.include({ timeout_commit: '270ms', skip_timeout_commit: false })
    expect(() => timing(0)).to.throw(RangeError)
  })

  it('opens a local network and no other', () => {
    const open = { allow_duplicate_ip: true, addr_book_strict: false, pex: false }
    const strict = { allow_duplicate_ip: false, addr_book_strict: true, pex: true }
    expect(cometConfig({ ...settings, localNetwork: true })['p2p']).to.include(open)
    expect(cometConfig(settings)['p2p']).to.include(strict)
  })

  it('keeps any text through TOML', () => {
    expect(parse(stringify(cometConfig(settings)))['moniker']).to.equal(settings.moniker)
  })

  it('lets any setting be overridden, in sections that exist', () => {
    const table = cometConfig({ ...settings, overrides: { '': { moniker: 'x' }, rpc: { unsafe: true } } })
    expect(table['moniker']).to.equal('x')
    expect(table['rpc']).to.include({ unsafe: true, grpc_laddr: '' })
    expect(() => cometConfig({ ...settings, overrides: { nonsense: {} } })).to.throw('no section nonsense')
  })
})
