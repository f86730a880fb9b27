import { existsSync } from 'node:fs'
import { Command } from 'commander'
import { toBase64 } from '../../core/bytes.ts'
import { type AgentKeys, ensureAgentKey, readAgentKeys, rotateAgentKey } from '../agents/agent-key.ts'
import { examples, globals, print } from './cli.ts'
import { CliError } from './exit.ts'

export function agentKeyCommand(): Command {
  return new Command('agent-key')
    .description("manage the key that the agents of this node's validator sign with")
    .addCommand(show())
    .addCommand(rotate())
    .addHelpText('after', examples('fornaxd agent-key show', 'fornaxd agent-key rotate'))
}

/** What registers the key; the transaction is the validator's, wherever its key is. */
const registration = ({ current }: AgentKeys): string =>
  `fornaxd tx classifier set-agent-key --pub-key ${toBase64(current.publicKey)} --from <validator's key>`

const shown = (keys: AgentKeys) => ({
  pub_key: toBase64(keys.current.publicKey),
  previous_pub_keys: keys.previous.map(({ publicKey }) => toBase64(publicKey)),
  register: registration(keys),
})

function show(): Command {
  return new Command('show')
    .description('show the public key, in base64')
    .addHelpText('after', examples('fornaxd agent-key show', 'fornaxd agent-key show --output json'))
    .action((_options: unknown, command: Command) => {
      const keys = readAgentKeys(existingFile(command))
      print(command, shown(keys), () => toBase64(keys.current.publicKey))
    })
}

function rotate(): Command {
  return new Command('rotate')
    .description('make a new key; the old one signs until the chain knows the new one')
    .addHelpText('after', examples('fornaxd agent-key rotate'))
    .action((_options: unknown, command: Command) => {
      const { agentKey, appToml } = globals(command).home
      // A home made before there were agents has no key yet.
      const keys =
        existsSync(appToml) && !existsSync(agentKey)
          ? ensureAgentKey(agentKey)
          : rotateAgentKey(existingFile(command))
      print(
        command,
        shown(keys),
        () =>
          `${toBase64(keys.current.publicKey)} is the new agent key. Register it:\n  ${registration(keys)}`,
      )
    })
}

function existingFile(command: Command): string {
  const { agentKey } = globals(command).home
  if (!existsSync(agentKey))
    throw new CliError(
      `${agentKey} does not exist: \`fornaxd init\` makes it, in an older home \`rotate\` does`,
    )
  return agentKey
}
