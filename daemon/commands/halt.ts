import { existsSync } from 'node:fs'
import { Command } from 'commander'
import { modules } from '../../modules/index.ts'
import { clearHalt, readHalt } from '../app/halt.ts'
import { createRouter } from '../app/router.ts'
import { Store } from '../store/store.ts'
import { StoreError } from '../store/store-error.ts'
import { examples, globals, print } from './cli.ts'
import { CliError } from './exit.ts'

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
        .description('whether this node is halted; the node must be stopped (else: GET /agents/consensus)')
        .addHelpText('after', examples('fornaxd halt status', 'fornaxd halt status --output json'))
        .action((_options: unknown, command: Command) =>
          withStore(command, (store) => {
            const { height, clearedHeight } = readHalt(store)
            const json = {
              halted: height !== undefined,
              halt_height: height === undefined ? null : `${height}`,
              cleared_height: clearedHeight === 0 ? null : `${clearedHeight}`,
              committed_height: `${store.height}`,
            }
            print(command, json, () =>
              [
                height === undefined ? 'halted     no' : `halted     yes, at height ${height}`,
                ...(clearedHeight === 0 ? [] : [`cleared    the halt of height ${clearedHeight}`]),
                `committed  ${store.height}`,
              ].join('\n'),
            )
          }),
        ),
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

async function withStore(command: Command, run: (store: Store) => void | Promise<void>): Promise<void> {
  const { home } = globals(command)
  if (!existsSync(home.store)) throw new CliError('the chain has no block yet: it cannot be halted')
  const store = await Store.open({
    path: home.store,
    stores: createRouter(modules).stores,
    pruning: { kind: 'nothing' },
  }).catch((error: unknown) => {
    if (!(error instanceof StoreError)) throw error
    throw new CliError(
      error.code === 'locked' ? `the node is running: stop it first (${error.message})` : error.message,
    )
  })
  try {
    await run(store)
  } finally {
    await store.close()
  }
}
