import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { locateComet } from '../../../daemon/comet/binary.ts'
import { type CometSettings, writeCometConfig } from '../../../daemon/comet/config.ts'
import { type CometKeys, ensureKeys } from '../../../daemon/comet/keys.ts'
import { freePorts } from '../ports.ts'

let located: Promise<string> | undefined

/** The CometBFT of this machine, built once where there is none. */
export function cometBinary(): Promise<string> {
  located ??= locateComet()
  return located
}

export interface CometHome {
  readonly home: string
  readonly keys: CometKeys
  readonly rpcUrl: string
  /** Where the ABCI server is to listen. */
  readonly appAddress: string
}

/** A home of a network of one validator, with free ports and slots of 50 ms, under `dir`. */
export async function cometHome(dir: string, settings: Partial<CometSettings> = {}): Promise<CometHome> {
  const home = join(dir, 'home')
  const [rpcPort, p2pPort] = await freePorts(2)
  const appAddress = `unix://${join(dir, 'app.sock')}`
  mkdirSync(join(home, 'config'), { recursive: true, mode: 0o700 })
  writeCometConfig(home, {
    moniker: 'test',
    appAddress,
    rpcAddress: `tcp://127.0.0.1:${rpcPort}`,
    p2pAddress: `tcp://127.0.0.1:${p2pPort}`,
    slotMs: 50,
    localNetwork: true,
    ...settings,
  })
  const keys = ensureKeys(home)
  writeFileSync(join(home, 'config/genesis.json'), JSON.stringify(genesis(keys)))
  return { home, keys, rpcUrl: `http://127.0.0.1:${rpcPort}`, appAddress }
}

/** Of a chain with this validator alone, for applications that need no state of it. */
export function genesis({ validator }: CometKeys): object {
  return {
    genesis_time: '2026-01-01T00:00:00Z',
    chain_id: 'test-1',
    initial_height: '1',
    consensus_params: {
      block: { max_bytes: '4194304', max_gas: '-1' },
      evidence: { max_age_num_blocks: '100', max_age_duration: '172800000000000', max_bytes: '10000' },
      validator: { pub_key_types: ['ed25519'] },
      version: { app: '1' },
      abci: { vote_extensions_enable_height: '1' },
    },
    validators: [
      {
        address: Buffer.from(validator.address).toString('hex').toUpperCase(),
        pub_key: {
          type: 'tendermint/PubKeyEd25519',
          value: Buffer.from(validator.publicKey).toString('base64'),
        },
        power: '10',
        name: '',
      },
    ],
    app_hash: '',
  }
}
