import { Command } from 'commander'
import type { Message, Module } from '../../core/module.ts'
import { messageDescriptor } from '../../core/wire/descriptors.ts'
import { fromJson } from '../../core/wire/json.ts'
import { packAny } from '../../core/wire/registry.ts'
import { modules } from '../../modules/index.ts'
import { asOperator, governanceAddress, kebab, withCommand } from '../client/fields.ts'
import { accountAddress, type Key } from '../keyring/record.ts'
import { examples } from './cli.ts'
import { CREATE_VALIDATOR, createValidatorCommand } from './create-validator.ts'
import { EDIT_VALIDATOR, editValidatorCommand } from './edit-validator.ts'
import { CliError, exitCodes } from './exit.ts'
import { keyNames } from './keyring.ts'
import { addFields, exampleValues, fieldsJson, placedValues } from './message-fields.ts'
import { SUBMIT_PROPOSAL, submitProposalCommand } from './submit-proposal.ts'
import { broadcastCommand, multisignCommand, signCommand } from './tx-files.ts'
import { type SendOptions, withSending } from './tx-options.ts'
import { keyOf, send } from './tx-send.ts'

export function txCommand(): Command {
  const tx = new Command('tx').description('send transactions: a command for each message of each module')
  for (const module of modules) if (module.messages.length > 0) tx.addCommand(moduleCommand(module))
  return tx
    .addCommand(signCommand())
    .addCommand(multisignCommand())
    .addCommand(broadcastCommand())
    .addHelpText(
      'after',
      examples(
        'fornaxd tx bank send bob 1.5frx --from alice',
        'fornaxd tx bank send bob 5afrx --from team --generate-only > tx.json',
        'fornaxd tx sign tx.json --from alice --multisig team > alice.json',
      ),
    )
}

/** Messages that people send by more than their fields. */
const own: ReadonlyMap<string, (module: string, message: Message) => Command> = new Map([
  [SUBMIT_PROPOSAL, submitProposalCommand],
  [CREATE_VALIDATOR, createValidatorCommand],
  [EDIT_VALIDATOR, editValidatorCommand],
])

function moduleCommand(module: Module): Command {
  const command = new Command(module.name).description(`messages of ${module.name}`)
  for (const message of withCommand(module.messages))
    command.addCommand((own.get(message.input) ?? messageCommand)(module.name, message))
  return command
}

/** The one text field that says who acts; it follows from --from. */
function actorField({ input }: Message) {
  const { fields, signers = [] } = messageDescriptor(input)
  return fields.find((f) => f.name === signers[0] && f.t === 'string' && !f.rep)
}

function messageCommand(module: string, message: Message): Command {
  const { method, input, handler } = message
  const actor = actorField(message)
  const { summary = input, alias } = handler
  const command = new Command(kebab(method)).summary(summary).description(`${summary}: ${input}`)
  if (alias) command.alias(alias)
  addFields(command, input, actor ? [actor.name] : [])
  const needed = messageDescriptor(input).fields.filter((f) => f !== actor)
  return withSending(command)
    .addHelpText(
      'after',
      examples(
        ['fornaxd tx', module, kebab(method), exampleValues(needed), '--from alice']
          .filter((part) => part !== '')
          .join(' '),
      ),
    )
    .action(async (...args: unknown[]) => {
      const values = placedValues(args)
      const { from, generateOnly } = command.opts<SendOptions>()
      const key = from === undefined ? undefined : await keyOf(command, from)
      const json = await fieldsJson(command, input, values, keyNames(command), actor ? [actor.name] : [])
      if (actor) json[actor.name] = actorOf(actor, key, generateOnly === true)
      await send(command, [packAny(input, fromJson(input, json, kebab(method)))], key)
    })
}

function actorOf(
  { name, scalar }: { name: string; scalar?: string },
  key: Key | undefined,
  unsigned: boolean,
): string {
  // Messages with an authority are written for a proposal; governance signs them.
  if (name === 'authority' && unsigned) return governanceAddress()
  if (!key) throw new CliError('--from must name the key that signs', exitCodes.usage)
  const account = accountAddress(key.publicKey)
  return scalar === 'cosmos.ValidatorAddressString' ? asOperator(account) : account
}
