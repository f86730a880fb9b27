import { expect } from 'chai'
import { type CometRpc, cometRpc, type VotesHeard } from '../../../../daemon/client/rpc.ts'
import { ProgressWatch } from '../../../../daemon/comet/watch.ts'

/** A CometBFT that stands where `at` says, or does not answer. */
function standing(at: {
  height?: number
  round?: number
  votes?: VotesHeard
  syncing?: boolean
  answers?: boolean
}): CometRpc {
  const rpc = cometRpc('http://127.0.0.1:1')
  const answer = async <T>(value: T): Promise<T> => {
    if (at.answers === false) throw new Error('down')
    return value
  }
  return {
    ...rpc,
    position: () =>
      answer({ height: at.height ?? 1, round: at.round ?? 0, step: 1, ...(at.votes && { votes: at.votes }) }),
    status: () =>
      answer({
        node_info: {
          protocol_version: { p2p: '8', block: '11', app: '1' },
          id: '',
          network: '',
          version: '',
          channels: '',
          moniker: '',
          listen_addr: '',
          other: { tx_index: 'on', rpc_address: '' },
        },
        sync_info: {
          latest_block_hash: '',
          latest_app_hash: '',
          latest_block_height: `${(at.height ?? 1) - 1}`,
          latest_block_time: '',
          earliest_block_height: '1',
          catching_up: at.syncing ?? false,
        },
        validator_info: { address: '', pub_key: { type: '', value: '' }, voting_power: '0' },
      }),
  }
}

describe('comet progress', () => {
  it('tells starting, syncing, deciding, halted, waiting and silent apart', async () => {
    const at: Parameters<typeof standing>[0] = { answers: false }
    const watch = new ProgressWatch(standing(at), 20)
    expect(await watch.read()).to.deep.equal({ kind: 'starting' })
    Object.assign(at, { answers: true, syncing: true, height: 5 })
    expect(await watch.read()).to.deep.equal({ kind: 'syncing', height: 4 })
    Object.assign(at, { syncing: false, height: 6 })
    expect(await watch.read()).to.deep.equal({ kind: 'deciding', height: 5 })
    Object.assign(at, { round: 3 })
    expect(await watch.read()).to.deep.equal({ kind: 'halted', height: 6, round: 3 })
    await new Promise((resolve) => setTimeout(resolve, 30))
    expect(await watch.read()).to.deep.equal({ kind: 'waiting', height: 6, round: 3 })
    Object.assign(at, { votes: { prevotes: '200/400', precommits: '0/400' } })
    expect(await watch.read()).to.deep.equal({ kind: 'waiting', height: 6, round: 3, ...at.votes })
    Object.assign(at, { round: 0, height: 7 })
    expect(await watch.read()).to.deep.equal({ kind: 'deciding', height: 6 })
    Object.assign(at, { answers: false })
    expect((await watch.read()).kind).to.equal('silent')
  })
})
