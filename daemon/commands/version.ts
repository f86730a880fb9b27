import { Command } from 'commander'
import { appCommit, appName, appVersion } from '../version.ts'
import { examples, print } from './cli.ts'

export function versionCommand(): Command {
  return new Command('version')
    .description('print the version')
    .option('--long', 'also of what it runs on')
    .addHelpText('after', examples('fornaxd version --long --output json'))
    .action((options: { long?: true }, command: Command) => {
      const long = {
        name: appName,
        version: appVersion,
        commit: appCommit,
        node: process.versions.node,
        platform: `${process.platform}/${process.arch}`,
        abci: '2.0.0',
        cometbft: '0.38',
      }
      if (options.long) print(command, long)
      else print(command, { version: appVersion }, () => appVersion)
    })
}
