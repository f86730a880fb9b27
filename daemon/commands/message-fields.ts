import type { Command } from 'commander'
import { type FieldDescriptor, messageDescriptor } from '../../core/wire/descriptors.ts'
import type { Json } from '../../core/wire/json.ts'
import { fieldHelp, fieldJson, isPagination, isPlain, type KeyNames, kebab } from '../client/fields.ts'

const camel = (option: string): string => option.replace(/-([a-z0-9])/g, (_, c: string) => c.toUpperCase())

/** Options that commands have of their own; a field of that name is given as `--msg-<name>`. */
const taken = new Set([
  'home',
  'output',
  'verbose',
  'node',
  'from',
  'note',
  'gas',
  'fees',
  'yes',
  'height',
  'sequence',
  'wait',
  'limit',
  'help',
])

const optionOf = ({ name }: FieldDescriptor): string =>
  taken.has(kebab(name)) ? `msg-${kebab(name)}` : kebab(name)

/** Adds an option for each field of a message. */
export function addFieldOptions(command: Command, type: string, without: readonly string[] = []): void {
  const fields = messageDescriptor(type).fields.filter((f) => !without.includes(f.name))
  for (const field of fields) {
    if (!isPagination(field)) command.option(`--${optionOf(field)} <value>`, fieldHelp(field))
  }
  if (fields.some(isPagination))
    command
      .option('--limit <n>', 'entries at most')
      .option('--page-key <base64>', 'next_key of the page before')
      .option('--count-total', 'count all entries')
      .option('--reverse', 'from the end')
}

/** Adds an option for each field of a message, and arguments for the plain ones. */
export function addFields(command: Command, type: string, without: readonly string[] = []): void {
  addFieldOptions(command, type, without)
  const fields = messageDescriptor(type).fields.filter((f) => !without.includes(f.name))
  for (const { name } of fields.filter(isPlain)) command.argument(`[${kebab(name)}]`)
}

/** An example's values for these fields: the plain ones in their places, others by option. */
export const exampleValues = (fields: readonly FieldDescriptor[]): string =>
  [
    ...fields.filter(isPlain).map((f) => kebab(f.name).toUpperCase()),
    ...fields.filter((f) => !isPlain(f) && !isPagination(f)).map((f) => `--${optionOf(f)} …`),
  ].join(' ')

/** The values in their places, of what commander calls an action with: they, the options and the command. */
export const placedValues = (args: readonly unknown[]): string[] =>
  args.slice(0, -2).filter((value) => typeof value === 'string')

/** The SDK's JSON of a message from the arguments and options of a command made by addFields. */
export async function fieldsJson(
  command: Command,
  type: string,
  values: readonly string[],
  names: KeyNames,
  without: readonly string[] = [],
): Promise<{ [key: string]: Json }> {
  const fields = messageDescriptor(type).fields.filter((f) => !without.includes(f.name))
  const options = command.opts<Record<string, string | true | undefined>>()
  const plain = fields.filter(isPlain)
  const out: { [key: string]: Json } = {}
  for (const field of fields) {
    if (isPagination(field)) {
      out[field.name] = paginationJson(options)
      continue
    }
    const given = options[camel(optionOf(field))]
    const place = plain.indexOf(field)
    const text = typeof given === 'string' ? given : place >= 0 ? values[place] : undefined
    if (text !== undefined) out[field.name] = await fieldJson(field, text, names)
  }
  return out
}

function paginationJson(options: Record<string, string | true | undefined>): Json {
  const { limit, pageKey, countTotal, reverse } = options
  return {
    ...(typeof limit === 'string' && { limit }),
    ...(typeof pageKey === 'string' && { key: pageKey }),
    ...(countTotal && { count_total: true }),
    ...(reverse && { reverse: true }),
  }
}
