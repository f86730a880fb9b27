import { Command } from 'commander'
import { duration } from '../config/kinds.ts'
import { createToken, readTokens, revokeToken, scopePattern, type Token } from '../tokens.ts'
import { examples, globals, note, print, table } from './cli.ts'
import { CliError, exitCodes } from './exit.ts'
import { keyringOf, withKeyring } from './keyring.ts'

export function tokenCommand(): Command {
  return new Command('token')
    .description('manage the bearer tokens of the REST interface')
    .addCommand(withKeyring(create()))
    .addCommand(list())
    .addCommand(revoke())
    .addHelpText('after', examples('fornaxd token create --key alice --scopes bank,staking --expires 720h'))
}

const lifetime = duration(1000, 100 * 365 * 24 * 3_600_000)

function create(): Command {
  return new Command('create')
    .description("let the bearer of a new token sign through this node with one of the keyring's keys")
    .requiredOption('--key <name>', 'the key')
    .option('--scopes <modules>', 'modules whose messages it may sign, separated by commas; * for all', '*')
    .option('--expires <duration>', 'such as 24h, or never', '720h')
    .addHelpText(
      'after',
      examples(
        'fornaxd token create --key alice',
        'fornaxd token create --key alice --scopes bank --expires 1h',
      ),
    )
    .action(async (options: { key: string; scopes: string; expires: string }, command: Command) => {
      const ring = keyringOf(command)
      const key = await ring.get(options.key)
      if (key.kind !== 'local')
        throw new CliError(`${key.name} cannot sign here: a token needs a key with its secret`)
      const scopes = options.scopes.split(',').map((s) => s.trim())
      const bad = scopes.find((s) => !scopePattern.test(s))
      if (bad !== undefined)
        throw new CliError(`--scopes: ${JSON.stringify(bad)} is not the name of a module`, exitCodes.usage)
      const ms = options.expires === 'never' ? null : lifetime.parse(options.expires)
      if (ms === undefined)
        throw new CliError(`--expires must be never or ${lifetime.allowed}`, exitCodes.usage)
      const { token, entry } = createToken(globals(command).home.tokens, {
        key: key.name,
        scopes,
        expires: ms === null ? null : Date.now() + ms,
      })
      note('Keep this token secret: it is shown only now.')
      print(command, { token, ...shown(entry) }, () => token)
    })
}

const shown = ({ id, key, scopes, created, expires }: Token) => ({
  id,
  key,
  scopes: [...scopes],
  created,
  expires,
})

function list(): Command {
  return new Command('list')
    .description('list the tokens, without the tokens themselves')
    .addHelpText('after', examples('fornaxd token list --output json'))
    .action((_options: unknown, command: Command) => {
      const tokens = readTokens(globals(command).home.tokens)
      print(command, tokens.map(shown), () =>
        tokens.length === 0
          ? 'There are no tokens.'
          : table(
              ['ID', 'KEY', 'SCOPES', 'EXPIRES'],
              tokens.map((t) => [t.id, t.key, t.scopes.join(','), t.expires ?? 'never']),
            ),
      )
    })
}

function revoke(): Command {
  return new Command('revoke')
    .argument('<id>', 'as "token list" shows it')
    .description('make a token worthless, at once')
    .addHelpText('after', examples('fornaxd token revoke 0123456789abcdef'))
    .action((id: string, _options: unknown, command: Command) => {
      if (!revokeToken(globals(command).home.tokens, id))
        throw new CliError(`there is no token ${id}: \`fornaxd token list\` shows those there are`)
      print(command, { revoked: id }, () => `${id} is revoked`)
    })
}
