import { Command } from 'commander'
import { ChainError } from '../../core/error.ts'
import type { Module, Query } from '../../core/module.ts'
import { messageDescriptor } from '../../core/wire/descriptors.ts'
import { fromJson, type Json, toJson } from '../../core/wire/json.ts'
import { wireType } from '../../core/wire/registry.ts'
import { modules } from '../../modules/index.ts'
import { kebab, withCommand } from '../client/fields.ts'
import { haltReport, withheldBlocks } from '../client/halt-report.ts'
import type { NodeClient } from '../client/node.ts'
import { examples, note, print } from './cli.ts'
import { CliError, exitCodes } from './exit.ts'
import { explainCommand } from './explain.ts'
import { keyNames, withKeyring } from './keyring.ts'
import { addFields, exampleValues, fieldsJson, placedValues } from './message-fields.ts'
import { clientOf, withNode } from './node.ts'
import { verifyScoresCommand } from './scores.ts'
import { unsigned } from './tx-options.ts'
import { txResponse } from './tx-response.ts'

export function queryCommand(): Command {
  const query = new Command('query')
    .alias('q')
    .description('ask the chain: a command for each query of each module')
  for (const module of modules) if (module.queries.length > 0) query.addCommand(moduleCommand(module))
  return query
    .addCommand(tx())
    .addCommand(txs())
    .addCommand(block())
    .addHelpText(
      'after',
      examples(
        'fornaxd query bank all-balances alice',
        'fornaxd query tx 0A1B…',
        `fornaxd query txs --query "transfer.recipient='fornax1…'"`,
        'fornaxd query block 12',
      ),
    )
}

/** Commands that ask more than one question. */
const further: Readonly<Record<string, readonly (() => Command)[]>> = {
  classifier: [verifyScoresCommand],
  agents: [explainCommand],
}

function moduleCommand(module: Module): Command {
  const command = new Command(module.name).description(`queries of ${module.name}`)
  for (const query of withCommand(module.queries)) command.addCommand(methodCommand(module.name, query))
  for (const more of further[module.name] ?? []) command.addCommand(more())
  return command
}

function methodCommand(module: string, { service, method, input, output, alias }: Query): Command {
  const path = `/${service}/${method}`
  const command = new Command(kebab(method)).description(`${service}/${method}`)
  if (alias) command.alias(alias)
  addFields(command, input)
  return withKeyring(withNode(command))
    .option('--height <n>', 'as it was at this height')
    .addHelpText(
      'after',
      examples(
        ['fornaxd query', module, kebab(method), exampleValues(messageDescriptor(input).fields)]
          .join(' ')
          .trimEnd(),
      ),
    )
    .action(async (...args: unknown[]) => {
      const values = placedValues(args)
      const json = await fieldsJson(command, input, values, keyNames(command))
      const request = wireType(input)
        .encode(fromJson(input, json, kebab(method)))
        .finish()
      const { height } = command.opts<{ height?: string }>()
      try {
        const at = height === undefined ? undefined : unsigned('--height', height)
        const client = clientOf(command)
        const bytes = await client.query(path, request, at)
        print(command, toJson(output, wireType(output).decode(bytes)))
        if (path === LAST_ROUND && at === undefined) await noteLastRound(client)
      } catch (error) {
        if (!(error instanceof ChainError)) throw error
        throw new CliError(error.message)
      }
    })
}

/** The last round, as the committed state has it: whoever asks wants to know of withheld ones too. */
const LAST_ROUND = '/fornax.agents.v1.Query/Consensus'

async function noteLastRound(client: NodeClient): Promise<void> {
  const report = await haltReport(client)
  if (report === undefined) return
  const { halted, halt_height, committed_height, decided_height } = report
  note(`of the last committed height, ${committed_height}`)
  if (withheldBlocks(report) > 0)
    note(`degraded since: commits up to height ${decided_height} are withheld (REST: GET /agents/consensus)`)
  if (halted) note(`the node is halted at height ${halt_height}: \`fornaxd halt status\` tells what to do`)
}

function tx(): Command {
  return withNode(
    new Command('tx').argument('<hash>', '64 hex digits').description('show a transaction of a block'),
  )
    .addHelpText('after', examples('fornaxd query tx 0A1B… --output json'))
    .action(async (hash: string, _options: unknown, command: Command) => {
      if (!/^(0x)?[0-9a-fA-F]{64}$/.test(hash))
        throw new CliError('a hash has 64 hex digits', exitCodes.usage)
      const found = await clientOf(command).transaction(hash.replace(/^0x/, ''))
      if (!found) throw new CliError(`there is no transaction ${hash} in any block of this node`)
      print(command, txResponse(found))
    })
}

interface SearchOptions {
  query: string
  page: string
  limit: string
  descending?: true
}

function txs(): Command {
  return withNode(new Command('txs').description('find transactions by their events'))
    .requiredOption('--query <conditions>', `such as "message.sender='fornax1…' AND tx.height>5"`)
    .option('--page <n>', 'from 1', '1')
    .option('--limit <n>', 'a page, up to 100', '30')
    .option('--descending', 'the latest first')
    .addHelpText(
      'after',
      examples(`fornaxd query txs --query "message.action='/cosmos.bank.v1beta1.MsgSend'"`),
    )
    .action(async (options: SearchOptions, command: Command) => {
      const page = Number(unsigned('--page', options.page))
      const limit = Number(unsigned('--limit', options.limit))
      const found = await clientOf(command).rpc.txSearch(options.query, {
        page,
        perPage: limit,
        descending: options.descending === true,
      })
      print(command, {
        total_count: found.total_count,
        page_number: String(page),
        limit: String(limit),
        txs: found.txs.map(txResponse),
      })
    })
}

function block(): Command {
  return withNode(new Command('block').argument('[height]', 'default the latest').description('show a block'))
    .addHelpText('after', examples('fornaxd query block', 'fornaxd query block 12 --output json'))
    .action(async (height: string | undefined, _options: unknown, command: Command) => {
      const at = height === undefined ? undefined : unsigned('the height', height)
      print(command, (await clientOf(command).rpc.block(at)) as unknown as Json)
    })
}
