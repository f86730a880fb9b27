import { Command } from 'commander'
import {
  consensusParamsJson,
  type GenesisDocument,
  readGenesis,
  renderGenesis,
} from '../../genesis/document.ts'
import { consensusParams } from '../../modules/consensus/api.ts'
import { modules } from '../../modules/index.ts'
import { App } from '../app/app.ts'
import { exportGenesis } from '../app/genesis.ts'
import { queryContext } from '../app/query.ts'
import { brokenInvariants, createRouter } from '../app/router.ts'
import { writeFileAtomically } from '../comet/files.ts'
import { createLog } from '../log.ts'
import { Store } from '../store/store.ts'
import { appVersion } from '../version.ts'
import { examples, globals, note } from './cli.ts'
import { CliError } from './exit.ts'
import { unsigned } from './tx-options.ts'

export function exportCommand(): Command {
  return new Command('export')
    .description('print a genesis file that starts again with the state of now; the node must be stopped')
    .option('--height <n>', 'the state of this height; default the last')
    .option('--chain-id <id>', 'of the chain to start; default the same')
    .option('--output-document <file>', 'write there instead of to standard output')
    .addHelpText(
      'after',
      examples(
        'fornaxd export > genesis.json',
        'fornaxd export --chain-id fornax-2 --output-document genesis.json',
      ),
    )
    .action(
      async (options: { height?: string; chainId?: string; outputDocument?: string }, command: Command) => {
        const { home } = globals(command)
        const old = readGenesis(home.genesis)
        const store = await Store.open({
          path: home.store,
          stores: createRouter(modules).stores,
          // Nothing is committed, so nothing is pruned.
          pruning: { kind: 'nothing' },
        })
        try {
          const height =
            options.height === undefined ? store.height : Number(unsigned('--height', options.height))
          if (store.height === 0)
            throw new CliError('the chain has no block yet: its genesis file is its state')
          const document = exported(store, height, old, options.chainId)
          if (options.outputDocument === undefined) process.stdout.write(renderGenesis(document))
          else {
            writeFileAtomically(options.outputDocument, renderGenesis(document))
            note(`the state of height ${height} is in ${options.outputDocument}`)
          }
        } finally {
          await store.close()
        }
      },
    )
}

function exported(
  store: Store,
  height: number,
  old: GenesisDocument,
  chainId = old.chain_id,
): GenesisDocument {
  const app = new App({
    store,
    modules,
    version: appVersion,
    minimumGasPrices: [],
    log: createLog({ level: 'error' }),
  })
  const ctx = queryContext(app, height)
  for (const wrong of brokenInvariants(modules, ctx)) note(`Warning: an invariant is broken: ${wrong}`)
  const { fornax } = old.app_state
  const params = consensusParams(ctx)
  return {
    ...old,
    genesis_time: new Date().toISOString(),
    chain_id: chainId,
    initial_height: String(height + 1),
    consensus_params: params ? consensusParamsJson(params) : old.consensus_params,
    app_state: { ...exportGenesis(modules, ctx), genutil: { gen_txs: [] }, fornax },
  }
}
