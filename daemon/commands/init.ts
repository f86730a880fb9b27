import { existsSync } from 'node:fs'
import { Command } from 'commander'
import { newGenesis, renderGenesis } from '../../genesis/document.ts'
import { modules } from '../../modules/index.ts'
import { ownModelHash } from '../classifier/model-files.ts'
import { ensureKeys } from '../comet/keys.ts'
import { defaultConfig, renderConfig, withSettings } from '../config/file.ts'
import { writeFileAtomically } from '../files.ts'
import { ensureAgentKey } from '../validator/agent-key.ts'
import { examples, globals, print } from './cli.ts'
import { CliError, exitCodes } from './exit.ts'

const monikerPattern = /^[\x20-\x7e]{1,70}$/

export function initCommand(): Command {
  return new Command('init')
    .argument('<moniker>', "the node's name, as others see it")
    .description('make the home folder: keys of the node, settings, and a genesis file to complete')
    .option('--chain-id <id>', 'fornax-<number>', 'fornax-1')
    .option('--development', 'mark the chain as one for development: a faucet becomes possible')
    .addHelpText(
      'after',
      examples(
        'fornaxd init my-node --chain-id fornax-1',
        'fornaxd init test --home /tmp/fornax --development',
      ),
    )
    .action((moniker: string, options: { chainId: string; development?: true }, command: Command) => {
      const { home } = globals(command)
      if (!monikerPattern.test(moniker))
        throw new CliError('a moniker has 1 to 70 printable ASCII characters', exitCodes.usage)
      if (existsSync(home.appToml) || existsSync(home.genesis))
        throw new CliError(`${home.path} holds a node already: give another folder with --home, or remove it`)
      const genesis = newGenesis({
        chainId: options.chainId,
        modules,
        development: options.development === true,
        modelHash: ownModelHash(),
      })
      const { nodeId } = ensureKeys(home.path)
      ensureAgentKey(home.agentKey)
      writeFileAtomically(home.genesis, renderGenesis(genesis))
      writeFileAtomically(home.appToml, renderConfig(withSettings(defaultConfig(), [['moniker', moniker]])))
      print(
        command,
        { moniker, chain_id: options.chainId, node_id: nodeId, home: home.path },
        () => `${moniker} (node id ${nodeId}) is set up in ${home.path} for chain ${options.chainId}.
To make a chain of your own: fornaxd genesis add-account, gentx and collect. To join one: put its genesis file at
${home.genesis} and peers into ${home.appToml} (comet.persistent_peers).`,
      )
    })
}
