import { Command } from 'commander'
import { fromJson, type Json } from '../../core/wire/json.ts'
import { packAny } from '../../core/wire/registry.ts'
import { readAmounts } from '../client/amounts.ts'
import { FieldError } from '../client/field-error.ts'
import { accountAddress } from '../keyring/record.ts'
import { examples } from './cli.ts'
import { CliError, exitCodes } from './exit.ts'
import { readJson } from './tx-files.ts'
import { type SendOptions, withSending } from './tx-options.ts'
import { keyOf, send } from './tx-send.ts'

export const SUBMIT_PROPOSAL = 'cosmos.gov.v1.MsgSubmitProposal'

const FIELDS = ['messages', 'metadata', 'deposit', 'title', 'summary', 'expedited']

const example = `
The file, as the Cosmos SDK's command reads it:
  {
    "messages": [{ "@type": "/cosmos.bank.v1beta1.MsgSend", "from_address": "…", … }],
    "metadata": "",
    "deposit": "10000000000000000000afrx",
    "title": "Pay for the audit",
    "summary": "What for, and why now",
    "expedited": false
  }
The account of governance signs the messages: \`fornaxd tx MODULE MESSAGE … --generate-only\` writes those that have an
"authority".
`

export function submitProposalCommand(): Command {
  const command = new Command('submit-proposal')
    .argument('<file>', 'the proposal in JSON; - for standard input')
    .description('propose messages that governance runs where the vote passes')
  return withSending(command)
    .addHelpText('after', example + examples('fornaxd tx gov submit-proposal proposal.json --from alice'))
    .action(async (file: string) => {
      const { from } = command.opts<SendOptions>()
      if (from === undefined) throw new CliError('--from must name the key that signs', exitCodes.usage)
      const key = await keyOf(command, from)
      const json = proposalJson(file, accountAddress(key.publicKey))
      await send(command, [packAny(SUBMIT_PROPOSAL, fromJson(SUBMIT_PROPOSAL, json, file))], key)
    })
}

/** The message's JSON of the file's. */
function proposalJson(file: string, proposer: string): Json {
  const proposal = readJson(file)
  if (typeof proposal !== 'object' || proposal === null || Array.isArray(proposal))
    throw new CliError(`${file} must be an object with ${FIELDS.join(', ')}`)
  const { deposit = '', ...others } = proposal as { [key: string]: Json }
  const unknown = Object.keys(others).find((name) => !FIELDS.includes(name))
  if (unknown !== undefined)
    throw new CliError(`${file}: there is no field ${unknown} in a proposal, only ${FIELDS.join(', ')}`)
  return { ...others, initial_deposit: coinsJson(file, deposit), proposer }
}

function coinsJson(file: string, deposit: Json): Json {
  try {
    return readAmounts(String(deposit)).map(({ denom, amount }) => ({ denom, amount }))
  } catch (error) {
    if (!(error instanceof FieldError)) throw error
    throw new CliError(`${file}: deposit: ${error.message}`)
  }
}
