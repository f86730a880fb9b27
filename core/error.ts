/**
 * A refusal that reaches users. Only `codespace` and `code` enter consensus; message and details are for people.
 * Codes are tabled in each module's errors.ts and never renumbered; where the SDK or ibc-go has one, it is theirs.
 */
export class ChainError extends Error {
  override readonly name = 'ChainError'
  readonly codespace: string
  readonly code: number
  readonly details: Readonly<Record<string, unknown>>

  constructor(
    codespace: string,
    code: number,
    message: string,
    details: Readonly<Record<string, unknown>> = {},
  ) {
    super(message)
    this.codespace = codespace
    this.code = code
    this.details = details
  }
}

/**
 * What V8 and Node.js say where stack or memory ends, or a value grows beyond what they can hold. Other RangeErrors follow
 * from the operands alone, on every machine: a division by zero, a message that is cut short.
 */
const EXHAUSTION =
  /^(?:Maximum (?:call stack|BigInt) size exceeded|Invalid (?:string|array|array buffer|typed array) length|Array buffer allocation failed|(?:Map|Set) maximum size exceeded|Cannot create a string longer than|Failed to allocate memory|Attempt to allocate Buffer larger than)/

/**
 * Throws `error` again where it tells of this machine's own limits, the ends of its stack and its memory. Where they lie
 * depends on the platform and on how warm the code is: nothing in a block may follow from one. Stands first in each
 * `catch` of consensus code that goes on.
 */
export function rethrowExhaustion(error: unknown): void {
  if (error instanceof Error && EXHAUSTION.test(error.message)) throw error
}

/** Text or bytes that say nothing of the kind wanted; no refusal that users see. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable'
}

/** What an answer needs cannot be had now: another process, or a place in a queue. Asked again, it may. */
export class Unavailable extends Error {
  override readonly name: string = 'Unavailable'
}

// biome-ignore lint/plugin: a register of what the program declares
const names = new Map<string, string>()

/** The name in snake case of an error of some table, such as `wrong_sequence` for sdk/32. */
export const errorName = (codespace: string, code: number): string | undefined =>
  names.get(`${codespace}/${code}`)

type Raise = (detail?: string, details?: Readonly<Record<string, unknown>>) => ChainError

/** Makes a module's error constructors of its table. The SDK's text form: `detail: message`. */
export function errors<const T extends Readonly<Record<string, readonly [code: number, message: string]>>>(
  codespace: string,
  table: T,
): { readonly [K in keyof T]: Raise } {
  const out: Record<string, Raise> = {}
  const codes = new Set<number>()
  for (const [name, [code, message]] of Object.entries(table)) {
    if (codes.has(code)) throw new Error(`${codespace}: code ${code} is used twice`)
    codes.add(code)
    names.set(
      `${codespace}/${code}`,
      name.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`),
    )
    out[name] = (detail, details) =>
      new ChainError(codespace, code, detail === undefined ? message : `${detail}: ${message}`, details)
  }
  return out as { readonly [K in keyof T]: Raise }
}

/** What the SDK answers where its code panics: an overflow, a division by zero. */
export const panic = (message: string): ChainError => new ChainError('undefined', 111222, `${message}: panic`)

/** What the SDK answers for an error that is in no table: code 1. */
export const unregistered = (message: string): ChainError => new ChainError('undefined', 1, message)

/** The SDK's root codespace (cosmos-sdk types/errors). */
export const sdk = errors('sdk', {
  txDecode: [2, 'tx parse error'],
  invalidSequence: [3, 'invalid sequence'],
  unauthorized: [4, 'unauthorized'],
  insufficientFunds: [5, 'insufficient funds'],
  unknownRequest: [6, 'unknown request'],
  invalidAddress: [7, 'invalid address'],
  invalidPubKey: [8, 'invalid pubkey'],
  unknownAddress: [9, 'unknown address'],
  invalidCoins: [10, 'invalid coins'],
  outOfGas: [11, 'out of gas'],
  memoTooLarge: [12, 'memo too large'],
  insufficientFee: [13, 'insufficient fee'],
  tooManySignatures: [14, 'maximum number of signatures exceeded'],
  noSignatures: [15, 'no signatures supplied'],
  jsonMarshal: [16, 'failed to marshal JSON bytes'],
  jsonUnmarshal: [17, 'failed to unmarshal JSON bytes'],
  invalidRequest: [18, 'invalid request'],
  txInMempoolCache: [19, 'tx already in mempool'],
  mempoolIsFull: [20, 'mempool is full'],
  txTooLarge: [21, 'tx too large'],
  keyNotFound: [22, 'key not found'],
  wrongPassword: [23, 'invalid account password'],
  invalidSigner: [24, 'tx intended signer does not match the given signer'],
  invalidGasAdjustment: [25, 'invalid gas adjustment'],
  invalidHeight: [26, 'invalid height'],
  invalidVersion: [27, 'invalid version'],
  invalidChainId: [28, 'invalid chain-id'],
  invalidType: [29, 'invalid type'],
  txTimeoutHeight: [30, 'tx timeout height'],
  unknownExtensionOptions: [31, 'unknown extension options'],
  wrongSequence: [32, 'incorrect account sequence'],
  packAny: [33, 'failed packing protobuf message to Any'],
  unpackAny: [34, 'failed unpacking protobuf message from Any'],
  logic: [35, 'internal logic error'],
  conflict: [36, 'conflict'],
  notSupported: [37, 'feature not supported'],
  notFound: [38, 'not found'],
  io: [39, 'Internal IO error'],
  appConfig: [40, 'error in app.toml'],
  invalidGasLimit: [41, 'invalid gas limit'],
})
