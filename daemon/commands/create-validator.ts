import { Command } from 'commander'
import { fromJson, type Json } from '../../core/wire/json.ts'
import { type Any, packAny } from '../../core/wire/registry.ts'
import { readGenesis } from '../../genesis/document.ts'
import { readAmounts } from '../client/amounts.ts'
import { asOperator } from '../client/fields.ts'
import { CometKeyError, readKeys } from '../comet/keys.ts'
import { accountAddress } from '../keyring/record.ts'
import { readAgentKeys } from '../validator/agent-key.ts'
import { agentKeyMessage } from '../validator/agent-signer.ts'
import { configOf, examples, globals, note } from './cli.ts'
import { consensusKeyJson } from './comet.ts'
import { CliError, exitCodes } from './exit.ts'
import { keyNames } from './keyring.ts'
import { addFieldOptions, fieldsJson, placedValues } from './message-fields.ts'
import { clientOf } from './node.ts'
import { requireOwnStatus } from './own-node.ts'
import { readJson } from './tx-files.ts'
import { type SendOptions, withSending } from './tx-options.ts'
import { keyOf, send } from './tx-send.ts'

export const CREATE_VALIDATOR = 'cosmos.staking.v1beta1.MsgCreateValidator'

/** The fields of the Cosmos SDK's validator.json, each an option too, with what they are where nothing is said. */
const FIELDS = {
  amount: ['what the validator stakes of its own, such as 8frx: 1 FRX is a unit of power', undefined],
  moniker: ["its name; default this node's", undefined],
  identity: ['its Keybase identity', ''],
  website: ['its web page', ''],
  security: ['where its operators are told of security matters', ''],
  details: ['what else is to be known of it', ''],
  'commission-rate': ['share of the rewards kept', '0.1'],
  'commission-max-rate': ['never more than this', '0.2'],
  'commission-max-change-rate': ['at most this much more a day', '0.01'],
  'min-self-delegation': ['afrx below which its own stake must not fall', '1'],
} as const
type Field = keyof typeof FIELDS
const names = Object.keys(FIELDS) as Field[]

/** Options of the generic form, which every message has. */
const GENERIC = ['description', 'commission', 'delegatorAddress', 'value']

const help = `
The file, as the Cosmos SDK's command reads it; \`--template\` prints one that is filled in for this home:
  {
    "pubkey": {"@type":"/cosmos.crypto.ed25519.PubKey","key":"…"},
    "amount": "8frx",
    "moniker": "my-node",
    "identity": "", "website": "", "security": "", "details": "",
    "commission-rate": "0.1",
    "commission-max-rate": "0.2",
    "commission-max-change-rate": "0.01",
    "min-self-delegation": "1"
  }
Options replace what it says; without a file --amount is enough. The transaction also registers this node's agent key, by which
its agents act for the validator (--no-agent-key leaves that out). docs/join-a-chain.md leads to a validator step by step.
`

type Flags = SendOptions &
  Partial<Record<string, string>> & { readonly template?: true; readonly agentKey: boolean }

export function createValidatorCommand(): Command {
  const command = new Command('create-validator')
    .argument(
      '[file]',
      'the validator in JSON; - for standard input; in the generic form min-self-delegation',
    )
    .argument('[delegator-address]', 'of the generic form')
    .argument('[value]', 'of the generic form')
    .summary('make a validator of your own')
    .description(`make a validator of your own, of this home's node: ${CREATE_VALIDATOR}`)
    .option('--template', 'print a file for this home, and send nothing')
    .option('--no-agent-key', 'do not register the key that the agents of this node sign with')
    .option(
      '--pubkey <json>',
      "the consensus key, as `fornaxd comet show-validator` prints it; default this home's",
    )
  for (const name of names) command.option(`--${name} <value>`, FIELDS[name][0])
  command.option('--security-contact <value>', 'the same as --security')
  addFieldOptions(command, CREATE_VALIDATOR, ['validator_address', 'pubkey', 'min_self_delegation'])
  return withSending(command)
    .addHelpText(
      'after',
      help +
        examples(
          'fornaxd tx staking create-validator --amount 8frx --from alice',
          'fornaxd tx staking create-validator --template > validator.json',
          'fornaxd tx staking create-validator validator.json --from alice',
        ),
    )
    .action(async (...args: unknown[]) => {
      const values = placedValues(args)
      const flags = command.opts<Flags>()
      if (flags.template) {
        process.stdout.write(`${JSON.stringify(template(command), null, 2)}\n`)
        return
      }
      if (flags.from === undefined) throw new CliError('--from must name the key that signs', exitCodes.usage)
      const key = await keyOf(command, flags.from)
      const operator = asOperator(accountAddress(key.publicKey))
      const isGeneric = values.length > 1 || GENERIC.some((name) => flags[name] !== undefined)
      const json = isGeneric ? await genericJson(command, values) : validatorJson(command, values[0], flags)
      json['validator_address'] = operator
      const messages = [packAny(CREATE_VALIDATOR, fromJson(CREATE_VALIDATOR, json, 'create-validator'))]
      if (!isGeneric && flags.agentKey)
        messages.push(...(await registration(command, operator, json['pubkey']!)))
      if (!flags.generateOnly && !flags.offline) await checkNode(command)
      await send(command, messages, key)
      if (!flags.generateOnly && !flags.dryRun)
        note(`The validator is ${operator}: \`fornaxd query staking validator ${operator}\` shows it.`)
    })
}

async function genericJson(command: Command, values: readonly string[]): Promise<{ [key: string]: Json }> {
  const given = command.opts<Flags>()
  const mixed = names.find((name) => name !== 'min-self-delegation' && given[attributeOf(name)] !== undefined)
  if (mixed !== undefined)
    throw new CliError(
      `--${mixed} does not go with the generic form (--description, --value, …)`,
      exitCodes.usage,
    )
  return fieldsJson(command, CREATE_VALIDATOR, values, keyNames(command), ['validator_address'])
}

const attributeOf = (name: string): string => name.replace(/-([a-z])/g, (_, c: string) => c.toUpperCase())

/** The file for this home. */
function template(command: Command): { [key: string]: Json } {
  const { home } = globals(command)
  const filled = names.map((name) => [name, FIELDS[name][1] ?? ''])
  return {
    pubkey: consensusKeyJson(readKeys(home.path).validator.publicKey),
    ...Object.fromEntries(filled),
    amount: '8frx',
    moniker: configOf(home)?.moniker ?? '',
  }
}

/** The message's JSON of a file and options, without its validator_address. */
function validatorJson(command: Command, file: string | undefined, flags: Flags): { [key: string]: Json } {
  const read = file === undefined ? {} : fileFields(file)
  const field = (name: Field, initial: string | undefined = FIELDS[name][1]): string => {
    const value = flags[attributeOf(name)] ?? read[name] ?? initial
    if (value === undefined) throw new CliError(`--${name} is missing: ${FIELDS[name][0]}`, exitCodes.usage)
    return String(value)
  }
  const { home } = globals(command)
  return {
    description: {
      moniker: field('moniker', configOf(home)?.moniker),
      identity: field('identity'),
      website: field('website'),
      security_contact: flags['securityContact'] ?? field('security'),
      details: field('details'),
    },
    commission: {
      rate: field('commission-rate'),
      max_rate: field('commission-max-rate'),
      max_change_rate: field('commission-max-change-rate'),
    },
    min_self_delegation: field('min-self-delegation'),
    pubkey: flags['pubkey'] === undefined ? (read['pubkey'] ?? ownKey(command)) : pubkeyJson(flags['pubkey']),
    value: amountJson(field('amount')),
  }
}

function fileFields(file: string): { [key: string]: Json } {
  const json = readJson(file)
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw new CliError(`${file} must be an object with pubkey, ${names.join(', ')}`)
  const unknown = Object.keys(json).find(
    (name) => name !== 'pubkey' && !names.some((known) => known === name),
  )
  if (unknown !== undefined)
    throw new CliError(`${file}: there is no field ${unknown}, only pubkey, ${names.join(', ')}`)
  const nested = Object.entries(json).find(([name, value]) => name !== 'pubkey' && typeof value === 'object')
  if (nested !== undefined) throw new CliError(`${file}: ${nested[0]} must be a text`)
  return json as { [key: string]: Json }
}

function ownKey(command: Command): Json {
  try {
    return consensusKeyJson(readKeys(globals(command).home.path).validator.publicKey)
  } catch (error) {
    if (!(error instanceof CometKeyError)) throw error
    throw new CliError(
      `this home has no node (${error.message}): name it by --home, or its key by --pubkey`,
      exitCodes.usage,
    )
  }
}

function pubkeyJson(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    throw new CliError(
      '--pubkey must be JSON as `fornaxd comet show-validator` prints it: {"@type":"/cosmos.crypto.ed25519.PubKey","key":"…"}',
      exitCodes.usage,
    )
  }
}

function amountJson(text: string): Json {
  const [coin, ...others] = readAmounts(text)
  if (coin === undefined || others.length > 0)
    throw new CliError(
      `the amount must be one coin, such as 8frx, not ${JSON.stringify(text)}`,
      exitCodes.usage,
    )
  return { denom: coin.denom, amount: coin.amount }
}

/** The message that registers this home's agent key; none for a validator whose node is another one. */
async function registration(command: Command, operator: string, pubkey: Json): Promise<Any[]> {
  const { home } = globals(command)
  const isOwn = (pubkey as { key?: Json }).key === (ownKeyIfAny(home.path) as { key?: Json } | undefined)?.key
  if (!isOwn) {
    note(
      "Note: the consensus key is not this home's, so no agent key is registered: `fornaxd agent-key prove` on the validator's node shows how.",
    )
    return []
  }
  const { chainId, generateOnly, offline } = command.opts<SendOptions>()
  const isAlone = generateOnly || offline
  const chain = chainId ?? (isAlone ? readGenesis(home.genesis).chain_id : await clientOf(command).chainId())
  return [agentKeyMessage(readAgentKeys(home.agentKey).current, chain, operator)]
}

function ownKeyIfAny(home: string): Json | undefined {
  try {
    return consensusKeyJson(readKeys(home).validator.publicKey)
  } catch (error) {
    if (error instanceof CometKeyError) return undefined
    throw error
  }
}

async function checkNode(command: Command): Promise<void> {
  const client = clientOf(command)
  const status = await client.rpc.status()
  requireOwnStatus(command, status, client.url)
  const { catching_up, latest_block_height } = status.sync_info
  if (catching_up)
    note(
      `Warning: the node is still catching up, at height ${latest_block_height}: until it is in step, its validator misses every block.`,
    )
}
