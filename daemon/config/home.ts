import { createHash } from 'node:crypto'
import { homedir, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { maxUnixPath } from './kinds.ts'

/** Where a node keeps what it has. */
export interface Home {
  readonly path: string
  /** Settings of the application. */
  readonly appToml: string
  readonly genesis: string
  readonly gentxs: string
  readonly tokens: string
  /** CometBFT's home is the same folder: it reads config/ and writes data/. */
  readonly cometToml: string
  readonly nodeKey: string
  readonly validatorKey: string
  readonly validatorState: string
  /** Of the agents of the validator that this node runs. */
  readonly agentKey: string
  readonly store: string
  /** What CometBFT has of blocks: databases that are all there or all not. */
  readonly cometData: readonly string[]
  /** Unix socket for CometBFT, short enough for the system. */
  readonly socket: string
}

/** `~/.fornaxd`, or FORNAX_HOME. */
export const defaultHome = (env: NodeJS.ProcessEnv = process.env): string =>
  env['FORNAX_HOME'] || join(homedir(), '.fornaxd')

/** The layout of the home folder at `path`; makes nothing. */
export function homeLayout(path: string): Home {
  const root = resolve(path)
  const inside = join(root, 'abci.sock')
  const short = createHash('sha256').update(root).digest('hex').slice(0, 16)
  return {
    path: root,
    appToml: join(root, 'config', 'app.toml'),
    genesis: join(root, 'config', 'genesis.json'),
    gentxs: join(root, 'config', 'gentx'),
    tokens: join(root, 'config', 'tokens.json'),
    cometToml: join(root, 'config', 'config.toml'),
    nodeKey: join(root, 'config', 'node_key.json'),
    validatorKey: join(root, 'config', 'priv_validator_key.json'),
    validatorState: join(root, 'data', 'priv_validator_state.json'),
    agentKey: join(root, 'config', 'agent_key.json'),
    store: join(root, 'data', 'application.db'),
    cometData: ['blockstore.db', 'state.db'].map((name) => join(root, 'data', name)),
    socket: Buffer.byteLength(inside) <= maxUnixPath ? inside : join(tmpdir(), `fornax-${short}.sock`),
  }
}
