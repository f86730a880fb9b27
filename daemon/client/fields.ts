import {
  formatAddress,
  isAddress,
  moduleAddress,
  parseAddress,
  VALIDATOR_PREFIX,
} from '../../core/address.ts'
import { fromBase64, fromHex, toBase64 } from '../../core/bytes.ts'
import type { Coin } from '../../core/coin.ts'
import { ChainError } from '../../core/error.ts'
import { isHexForm, parseEitherAddress } from '../../core/hex-address.ts'
import {
  enumDescriptor,
  type FieldDescriptor,
  isMessageType,
  messageDescriptor,
} from '../../core/wire/descriptors.ts'
import type { Json } from '../../core/wire/json.ts'
import { denomOf, readAmounts } from './amounts.ts'
import { FieldError } from './field-error.ts'

/** The keys whose names may stand for their addresses. */
export interface KeyNames {
  /** The account address of a key; undefined where there is none of this name. */
  addressOf(name: string): Promise<string | undefined>
  /** Where it was looked for, and what shows those there are. */
  readonly where: string
}

const COIN = 'cosmos.base.v1beta1.Coin'
const WEIGHTED_OPTION = 'cosmos.gov.v1.WeightedVoteOption'
const VOTE_OPTION = 'cosmos.gov.v1.VoteOption'
const PAGE = 'cosmos.base.query.v1beta1.PageRequest'

export const isPagination = ({ t }: FieldDescriptor): boolean => t === PAGE

/** Fields that can stand on the command line without their names: not those that need JSON. */
export const isPlain = (field: FieldDescriptor): boolean =>
  field.t === COIN ||
  field.t === WEIGHTED_OPTION ||
  field.t === 'google.protobuf.Timestamp' ||
  field.t === 'google.protobuf.Duration' ||
  (!isMessageType(field.t) && field.t !== 'google.protobuf.Any')

/** Some of the SDK's definitions do not say of a recipient that it is an address. */
const isAccount = ({ scalar, t, name }: FieldDescriptor): boolean =>
  scalar === 'cosmos.AddressString' || (scalar === undefined && t === 'string' && name === 'recipient')

const isDenom = ({ t, name }: FieldDescriptor): boolean =>
  t === 'string' && (name === 'denom' || name === 'denoms')

/** The value that a field takes, in words for the help. */
export function fieldHelp(field: FieldDescriptor): string {
  const many = field.rep ? ', separated by commas' : ''
  if (field.t === COIN) return field.rep ? 'coins, such as 1.5frx' : 'a coin, such as 1.5frx or 10afrx'
  if (field.t === WEIGHTED_OPTION) return 'options and their weights, such as yes=0.6,no=0.3,abstain=0.1'
  if (isAccount(field)) return `an address, fornax1… or 0x…, or the name of a key${many}`
  if (field.scalar === 'cosmos.ValidatorAddressString')
    return `a validator's operator address, its account's as 0x…, or the name of a key${many}`
  if (field.scalar === 'cosmos.Dec') return `a decimal number${many}`
  if (field.t.startsWith('enum:')) return `one of ${[...enumNames(field.t.slice(5)).keys()].join(', ')}`
  if (field.t === 'bool') return 'true or false'
  if (field.t === 'bytes') return `base64, or hex after 0x${many}`
  if (isDenom(field)) return `a denomination, such as afrx, for which frx may stand${many}`
  if (field.t === 'string') return `text${many}`
  if (field.t === 'google.protobuf.Duration') return 'a duration in seconds, such as 3600s'
  if (field.t === 'google.protobuf.Timestamp') return 'a time in UTC, such as 2026-01-31T12:00:00Z'
  if (!isPlain(field)) return `${field.rep ? 'a JSON list' : 'JSON'} of ${field.t}`
  return `a whole number${many}`
}

/** The JSON value of a field from its text. Throws FieldError. */
export async function fieldJson(field: FieldDescriptor, text: string, names: KeyNames): Promise<Json> {
  if (field.t === COIN) {
    const coins = readCoins(field, text).map(({ denom, amount }) => ({ denom, amount }))
    if (field.rep) return coins
    const [coin, ...others] = coins
    if (!coin || others.length > 0)
      throw new FieldError(`${kebab(field.name)} must be one coin, not ${JSON.stringify(text)}`)
    return coin
  }
  if (!isPlain(field) || (field.t === WEIGHTED_OPTION && text.startsWith('['))) return json(field, text)
  if (field.t === WEIGHTED_OPTION) return weightedOptions(field, text)
  if (!field.rep) return plain(field, text, names)
  return text === '' ? [] : Promise.all(text.split(',').map((piece) => plain(field, piece.trim(), names)))
}

function readCoins(field: FieldDescriptor, text: string): Coin[] {
  try {
    return readAmounts(text)
  } catch (error) {
    if (!(error instanceof FieldError)) throw error
    throw new FieldError(`${kebab(field.name)}: ${error.message}`)
  }
}

/** `yes=0.6,no=0.4` → the SDK's JSON. */
function weightedOptions(field: FieldDescriptor, text: string): Json {
  return text.split(',').map((part) => {
    const [option = '', weight, ...others] = part.split('=')
    if (weight === undefined || others.length > 0)
      throw new FieldError(`${kebab(field.name)} must be such as yes=0.6,no=0.4, not ${JSON.stringify(text)}`)
    return { option: enumValue(field, VOTE_OPTION, option.trim()), weight: weight.trim() }
  })
}

function json(field: FieldDescriptor, text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    throw new FieldError(`${kebab(field.name)} must be JSON${hint(field)}`)
  }
}

function hint({ t, rep }: FieldDescriptor): string {
  if (t === 'google.protobuf.Any') return ` with "@type"`
  const fields = messageDescriptor(t).fields.map((f) => f.name)
  const one = `{${fields.map((f) => JSON.stringify(f)).join(', ')}}`
  return rep ? `: a list of ${one}` : ` of the form ${one}`
}

/**
 * The names of an enum's values by the names without what all begin with: `yes` for `VOTE_OPTION_YES`. Not the one that
 * says nothing.
 */
function enumNames(name: string): ReadonlyMap<string, string> {
  const names = Object.keys(enumDescriptor(name))
  let { length } = names[0]!
  while (!names.every((n) => n.startsWith(names[0]!.slice(0, length)))) length--
  const common = names[0]!.lastIndexOf('_', length - 1) + 1
  const said = names.filter((n) => !n.endsWith('_UNSPECIFIED'))
  return new Map(said.map((n) => [n.slice(common).toLowerCase(), n]))
}

/** The full name of an enum's value from that, the short one, in any case, or its number. */
function enumValue({ name }: FieldDescriptor, type: string, text: string): string {
  const names = enumNames(type)
  const numbers = enumDescriptor(type)
  const value =
    names.get(text.toLowerCase().replaceAll('-', '_')) ??
    [...names.values()].find((full) => full === text || `${numbers[full]}` === text)
  if (value === undefined)
    throw new FieldError(
      `${kebab(name)} must be one of ${[...names.keys()].join(', ')}, not ${JSON.stringify(text)}`,
    )
  return value
}

async function plain(field: FieldDescriptor, text: string, names: KeyNames): Promise<Json> {
  if (isAccount(field)) return addressOf(field, text, names, false)
  if (field.scalar === 'cosmos.ValidatorAddressString') return addressOf(field, text, names, true)
  if (field.t === 'bool') {
    if (text === 'true' || text === 'false') return text === 'true'
    throw new FieldError(`${kebab(field.name)} must be true or false`)
  }
  if (field.t.startsWith('enum:')) return enumValue(field, field.t.slice(5), text)
  if (field.t === 'bytes') {
    try {
      return toBase64(text.startsWith('0x') ? fromHex(text.slice(2)) : fromBase64(text))
    } catch {
      throw new FieldError(`${kebab(field.name)} must be base64, or hex after 0x`)
    }
  }
  if (isDenom(field)) return denomOf(text)
  if (/^u?int/.test(field.t) && !/^-?\d+$/.test(text))
    throw new FieldError(`${kebab(field.name)} must be a whole number, not ${JSON.stringify(text)}`)
  if (field.t === 'double' || field.t === 'float') return Number(text)
  return text
}

async function addressOf(
  field: FieldDescriptor,
  text: string,
  names: KeyNames,
  operator: boolean,
): Promise<string> {
  if (operator ? isAddress(text, VALIDATOR_PREFIX) : isAddress(text)) return text
  if (text === '') return text
  const account = isHexForm(text) ? fromHexForm(text, kebab(field.name)) : await names.addressOf(text)
  if (account === undefined)
    throw new FieldError(
      `${kebab(field.name)} is ${JSON.stringify(text)}, which is neither an address nor the name of a key in ${names.where}`,
    )
  return operator ? asOperator(account) : account
}

/** fornax1… of an address that was typed as 0x…. Throws FieldError, which begins with `what`. */
export function fromHexForm(text: string, what: string): string {
  try {
    return formatAddress(parseEitherAddress(text))
  } catch (error) {
    if (!(error instanceof ChainError)) throw error
    throw new FieldError(`${what}: ${error.message}`)
  }
}

export const asOperator = (account: string): string => formatAddress(parseAddress(account), VALIDATOR_PREFIX)

/** The account that governance acts with: the `authority` of messages that change parameters. */
export const governanceAddress = (): string => formatAddress(moduleAddress('gov'))

/** The methods with a command: of two versions of one service, the first that the module declares. */
export const withCommand = <M extends { readonly method: string }>(methods: readonly M[]): M[] =>
  methods.filter((m, i) => methods.findIndex((other) => other.method === m.method) === i)

/** `MultiSend` → `multi-send`, `to_address` → `to-address`. */
export const kebab = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase()
