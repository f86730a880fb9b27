import { Command } from 'commander'
import { fromJson, type Json } from '../../core/wire/json.ts'
import { packAny } from '../../core/wire/registry.ts'
import { asOperator } from '../client/fields.ts'
import { accountAddress } from '../keyring/record.ts'
import { examples } from './cli.ts'
import { CliError, exitCodes } from './exit.ts'
import { keyNames } from './keyring.ts'
import { addFields, fieldsJson, placedValues } from './message-fields.ts'
import { type SendOptions, withSending } from './tx-options.ts'
import { keyOf, send } from './tx-send.ts'

export const EDIT_VALIDATOR = 'cosmos.staking.v1beta1.MsgEditValidator'

/** What the chain takes for a text that stays as it is. */
const KEEP = '[do-not-modify]'

/** The description's fields, each with its option. */
const DESCRIPTION = [
  ['moniker', 'newMoniker', '--new-moniker <name>', 'its new name'],
  ['identity', 'identity', '--identity <text>', 'its Keybase identity'],
  ['website', 'website', '--website <url>', 'its web page'],
  [
    'security_contact',
    'securityContact',
    '--security-contact <text>',
    'where its operators are told of security matters',
  ],
  ['details', 'details', '--details <text>', 'what else is to be known of it'],
] as const

export function editValidatorCommand(): Command {
  const command = new Command('edit-validator')
    .summary('change how your validator presents itself')
    .description(
      `change your validator's commission or how it presents itself; the rest stays: ${EDIT_VALIDATOR}`,
    )
  for (const [, , option, text] of DESCRIPTION) command.option(option, text)
  addFields(command, EDIT_VALIDATOR, ['validator_address'])
  return withSending(command)
    .addHelpText(
      'after',
      examples(
        'fornaxd tx staking edit-validator --new-moniker my-node --from alice',
        'fornaxd tx staking edit-validator --commission-rate 0.08 --from alice',
      ),
    )
    .action(async (...args: unknown[]) => {
      const { from } = command.opts<SendOptions>()
      if (from === undefined) throw new CliError('--from must name the key that signs', exitCodes.usage)
      const key = await keyOf(command, from)
      const json = await fieldsJson(command, EDIT_VALIDATOR, placedValues(args), keyNames(command), [
        'validator_address',
      ])
      json['description'] = description(command, json['description'])
      json['validator_address'] = asOperator(accountAddress(key.publicKey))
      await send(command, [packAny(EDIT_VALIDATOR, fromJson(EDIT_VALIDATOR, json, 'edit-validator'))], key)
    })
}

/** The description with everything that is not said kept, unless it is given in the generic form. */
function description(command: Command, generic: Json | undefined): Json {
  const flags = command.opts<Record<string, string | undefined>>()
  const isSaid = DESCRIPTION.some(([, attribute]) => flags[attribute] !== undefined)
  if (generic !== undefined && isSaid)
    throw new CliError('--description does not go with options for its fields', exitCodes.usage)
  return (
    generic ?? Object.fromEntries(DESCRIPTION.map(([field, attribute]) => [field, flags[attribute] ?? KEEP]))
  )
}
