import { existsSync } from 'node:fs'
import { Command } from 'commander'
import { formatAddress, parseAddress, VALIDATOR_PREFIX } from '../../core/address.ts'
import { toBase64 } from '../../core/bytes.ts'
import { isHexForm, parseEitherAddress } from '../../core/hex-address.ts'
import { readGenesis } from '../../genesis/document.ts'
import { agentKeySignBytes } from '../../modules/classifier/api.ts'
import { signEd25519 } from '../comet/keys.ts'
import { type AgentKeys, ensureAgentKey, readAgentKeys, rotateAgentKey } from '../validator/agent-key.ts'
import { examples, globals, print } from './cli.ts'
import { CliError } from './exit.ts'

export function agentKeyCommand(): Command {
  return new Command('agent-key')
    .description("manage the key that the agents of this node's validator sign with")
    .addCommand(show())
    .addCommand(rotate())
    .addCommand(prove())
    .addHelpText(
      'after',
      examples(
        'fornaxd agent-key show',
        'fornaxd agent-key rotate',
        'fornaxd agent-key prove fornaxvaloper1…',
      ),
    )
}

/** The command that prints the transaction which registers the key. */
const registration = 'fornaxd agent-key prove <fornaxvaloper1…>'

const shown = (keys: AgentKeys) => ({
  pub_key: toBase64(keys.current.publicKey),
  previous_pub_keys: keys.previous.map(({ publicKey }) => toBase64(publicKey)),
  register: registration,
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
        () => `${toBase64(keys.current.publicKey)} is the new agent key. Register it:\n  ${registration}`,
      )
    })
}

function prove(): Command {
  return new Command('prove')
    .argument('<validator>', "its operator address, or its account's as 0x…")
    .description("sign with the key that it is a validator's, and show the transaction that registers it")
    .option('--chain-id <id>', "default: the genesis file's")
    .addHelpText('after', examples('fornaxd agent-key prove fornaxvaloper1…'))
    .action((validator: string, options: { chainId?: string }, command: Command) => {
      const address = isHexForm(validator)
        ? parseEitherAddress(validator)
        : parseAddress(validator, VALIDATOR_PREFIX)
      const operator = formatAddress(address, VALIDATOR_PREFIX)
      const { current } = readAgentKeys(existingFile(command))
      const chainId = options.chainId ?? readGenesis(globals(command).home.genesis).chain_id
      const proof = signEd25519(current, agentKeySignBytes(chainId, operator, current.publicKey))
      const [pub_key, signature] = [toBase64(current.publicKey), toBase64(proof)]
      const register = `fornaxd tx classifier set-agent-key --pub-key ${pub_key} --signature ${signature} --from <validator's key>`
      print(command, { validator: operator, chain_id: chainId, pub_key, signature, register }, () => register)
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
