import { join } from 'node:path'
import { type Localnet, type LocalnetOptions, startLocalnet } from '../../../localnet/localnet.ts'
import { tempDir } from '../temp-dir.ts'

/** Leaves two slow cores time for what else a test does. */
export const SLOT = '500ms'

/** A local network in a temporary folder and on free ports, with a block every `SLOT`. */
export interface TestLocalnet extends Localnet {
  /** Stops the nodes and removes the folder. */
  remove(): Promise<void>
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Nodes are stopped for many blocks by tests that are about something else: nobody is judged for that. */
const patience = {
  classifier: { model: { sha256: '', activation_height: '0' } },
}

/** Nodes have process groups of their own: they are killed with the tests, however those end. */
export async function testLocalnet(options: Partial<LocalnetOptions> = {}): Promise<TestLocalnet> {
  const dir = tempDir()
  const net = await startLocalnet({
    folder: join(dir.path, 'net'),
    slotTime: SLOT,
    anyPorts: true,
    appState: patience,
    ...options,
    // Telemetry puts transactions into every block: tests that are about it turn it on.
    settings: [['agents.telemetry', 'false'], ...(options.settings ?? [])],
  }).catch((error: unknown) => {
    dir.remove()
    throw error
  })
  const atExit = (): void => {
    for (const node of net.nodes) node.kill('SIGKILL')
    dir.remove()
  }
  process.once('exit', atExit)
  const leave = (): never => process.exit(130)
  for (const signal of signals) process.once(signal, leave)
  return Object.assign(net, {
    async remove() {
      await net.stop()
      process.off('exit', atExit)
      for (const signal of signals) process.off(signal, leave)
      dir.remove()
    },
  })
}

let users = 0
let shared: Promise<TestLocalnet> | undefined

/**
 * A network of 4 validators that all suites share which call this, each in its own `describe`: the first one's tests
 * start it, the last one's end stops it.
 */
export function sharedLocalnet(): () => Localnet {
  users++
  let net: TestLocalnet | undefined
  before(async function () {
    this.timeout(300_000)
    shared ??= testLocalnet()
    net = await shared
  })
  after(async function () {
    this.timeout(60_000)
    if (--users === 0) await net?.remove()
  })
  return () => {
    if (!net) throw new Error('the local network runs in tests only')
    return net
  }
}
