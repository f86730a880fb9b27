import type { Chain } from '../app/chain.ts'
import type { BlockAge } from '../block-age.ts'
import type { CometRpc } from '../client/rpc.ts'
import type { CommittedBlocks } from '../committed-blocks.ts'
import type { Home } from '../config/home.ts'
import type { Config } from '../config/settings.ts'
import type { NodeLog } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import type { Reads } from '../read-turns.ts'
import type { AgentSigner } from '../validator/agent-signer.ts'
import type { OwnTelemetry } from '../validator/own-telemetry.ts'
import type { StandingWatch } from '../validator/standing-watch.ts'
import type { TelemetryWatch } from '../validator/telemetry-watch.ts'
import type { Lifecycle } from './lifecycle.ts'
import type { Pulse } from './pulse.ts'

export interface NodeOptions {
  readonly home: Home
  readonly config: Config
  readonly log: NodeLog
  /** Takes the node's parts: its owner stops them, at any time. */
  readonly parts: Lifecycle
  /** Told once of what the node cannot go on after; its owner is to stop it. */
  readonly onFatal: (error: unknown) => void
}

/** The inside of a node, of which the parts that face others are made. */
export interface NodeCore extends NodeOptions {
  readonly chain: Chain
  /** Whether the genesis file marks the chain as one for development. */
  readonly development: boolean
  readonly rpc: CometRpc
  readonly metrics: Metrics
  readonly reads: Reads
  readonly blocks: CommittedBlocks
  readonly blockAge: BlockAge
  readonly pulse: Pulse
  readonly signer: AgentSigner
  readonly telemetry: TelemetryWatch
  readonly ownTelemetry: OwnTelemetry
  readonly standing: StandingWatch
}
