import { existsSync } from 'node:fs'
import { Command } from 'commander'
import { modules } from '../../modules/index.ts'
import { clearHalt, haltStatus, readHalt } from '../app/halt.ts'
import { createRouter } from '../app/router.ts'
import { type HaltReport, haltReport } from '../client/halt-report.ts'
import { RpcUnavailable } from '../client/rpc.ts'
import { Store } from '../store/store.ts'
import { StoreError } from '../store/store-error.ts'
import { examples, globals, print } from './cli.ts'
import { CliError, exitCodes } from './exit.ts'
import { clientOfHome } from './node.ts'

const explanation = `
The Consensus Agent halts a node after three rounds in a row in which less than 60 % of the Zenith Pool's power agreed on
the validators' scores. Nothing is lost: what those blocks did is committed with the next healthy one. Find the cause first
(model files, versions, a validator that lies: the log says who disagreed, docs/agents.md where to look); then every
operator stops the node, clears the halt and starts it again. The chain goes on when validators with more than two thirds of the power have.`

export function haltCommand(): Command {
  return new Command('halt')
    .description('tell of the emergency halt, and clear it')
    .addCommand(
      new Command('status')
        .description('whether this node, running or stopped, is halted, and what to do')
        .addHelpText('after', examples('fornaxd halt status', 'fornaxd halt status --output json'))
        .action(async (_options: unknown, command: Command) => {
          const status = await statusOf(command)
          print(command, { ...status }, () => describe(status))
        }),
    )
    .addCommand(
      new Command('clear')
        .description('let this node take part again; the node must be stopped')
        .addHelpText('after', examples('fornaxd halt clear'))
        .action((_options: unknown, command: Command) =>
          withStore(command, async (store) => {
            const height = await clearHalt(store)
            print(
              command,
              { cleared: height !== undefined, halt_height: height === undefined ? null : `${height}` },
              () =>
                height === undefined
                  ? 'the node is not halted: nothing to clear'
                  : `the halt of height ${height} is cleared: start the node again`,
            )
          }),
        ),
    )
    .addHelpText('after', explanation)
}

/** Of a stopped node nobody knows what CometBFT has decided. */
type Status = Omit<HaltReport, 'decided_height'> & Partial<HaltReport>

/** From the store of a stopped node; a running one is asked. */
async function statusOf(command: Command): Promise<Status> {
  try {
    return await withStore(command, (store) => haltStatus(readHalt(store), store.height))
  } catch (error) {
    if (error instanceof NodeRuns) return askNode(command)
    throw error
  }
}

async function askNode(command: Command): Promise<Status> {
  const client = clientOfHome(command)
  const report = await haltReport(client).catch((error: unknown) => {
    if (!(error instanceof RpcUnavailable)) throw error
    throw new CliError(
      `the node is running, but does not tell (${error.message}): see its log, or ask again when it is stopped`,
      exitCodes.unreachable,
    )
  })
  if (report === undefined)
    throw new CliError('the node is running, but does not tell: see its log, or GET /ready of its REST')
  return report
}

function describe(status: Status): string {
  const { halted, halt_height, cleared_height, committed_height, decided_height } = status
  const isWithheld = decided_height !== undefined && decided_height !== committed_height
  return [
    halted ? `halted     yes, at height ${halt_height}` : 'halted     no',
    ...(cleared_height === null ? [] : [`cleared    the halt of height ${cleared_height}`]),
    `committed  ${committed_height}`,
    ...(isWithheld ? [`withheld   up to height ${decided_height}: rounds are degraded`] : []),
    ...(halted ? nextSteps(committed_height, decided_height !== undefined) : []),
    ...(cleared_height === null
      ? []
      : [
          'The chain goes on when validators with more than two thirds of the power have cleared and started.',
        ]),
  ].join('\n')
}

const nextSteps = (committed: string, isRunning: boolean): string[] => [
  'What to do (docs/agents.md, "A halted chain", tells more):',
  '  1. Find the cause: the log names who disagreed in each degraded round, and',
  `     \`fornaxd query classifier verify --height ${committed}\` makes the last committed scores again, with the node running.`,
  '  2. Agree on it with the other operators: more than two thirds of the power must clear.',
  `  3. ${isRunning ? 'Stop this node, then' : 'Then'} \`fornaxd halt clear\` and \`fornaxd start\`.`,
]

/** The store is another process's. */
class NodeRuns extends CliError {}

/** Rejects with NodeRuns where the node is not stopped. */
async function withStore<T>(command: Command, run: (store: Store) => T | Promise<T>): Promise<T> {
  const { home } = globals(command)
  if (!existsSync(home.appToml) && !existsSync(home.store))
    throw new CliError(`no node in ${home.path}: name its folder by --home or FORNAX_HOME`)
  if (!existsSync(home.store)) throw new CliError('the chain has no block yet: it cannot be halted')
  const store = await Store.open({
    path: home.store,
    stores: createRouter(modules).stores,
    pruning: { kind: 'nothing' },
  }).catch((error: unknown) => {
    if (!(error instanceof StoreError)) throw error
    if (error.code !== 'locked') throw new CliError(error.message)
    throw new NodeRuns(`the node is running: stop it first (${error.message})`)
  })
  try {
    return await run(store)
  } finally {
    await store.close()
  }
}
