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
 * Messages of V8 and Node.js where stack or memory ends, or a value grows beyond what they can hold. Other RangeErrors follow
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

/** Something that an answer needs cannot be had now: another process, or a place in a queue. Asked again, it may. */
export class Unavailable extends Error {
  override readonly name: string = 'Unavailable'
}

/** gRPC's statuses of errors (google.rpc.Code), by which everybody but the chain goes, with their numbers. */
export const grpcStatuses = {
  INVALID_ARGUMENT: 3,
  NOT_FOUND: 5,
  ALREADY_EXISTS: 6,
  PERMISSION_DENIED: 7,
  RESOURCE_EXHAUSTED: 8,
  FAILED_PRECONDITION: 9,
  ABORTED: 10,
  OUT_OF_RANGE: 11,
  UNIMPLEMENTED: 12,
  INTERNAL: 13,
  UNAVAILABLE: 14,
  UNAUTHENTICATED: 16,
} as const

export type GrpcStatus = keyof typeof grpcStatuses

export interface KnownError {
  /** In snake case: `wrong_sequence` for sdk/32. */
  readonly name: string
  readonly status: GrpcStatus
}

// biome-ignore lint/plugin: a register of what the program declares
const known = new Map<string, KnownError>()

/** The entry for an error in the table that has it. */
export const knownError = (codespace: string, code: number): KnownError | undefined =>
  known.get(`${codespace}/${code}`)

type Raise = (detail?: string, details?: Readonly<Record<string, unknown>>) => ChainError

type ErrorTable = Readonly<Record<string, readonly [code: number, message: string, status: GrpcStatus]>>

/** Makes a module's error constructors of its table. The SDK's text form: `detail: message`. */
export function errors<const T extends ErrorTable>(
  codespace: string,
  table: T,
): { readonly [K in keyof T]: Raise } {
  const out: Record<string, Raise> = {}
  const codes = new Set<number>()
  for (const [name, [code, message, status]] of Object.entries(table)) {
    if (codes.has(code)) throw new Error(`${codespace}: code ${code} is used twice`)
    codes.add(code)
    const snake = name.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`)
    known.set(`${codespace}/${code}`, { name: snake, status })
    out[name] = (detail, details) =>
      new ChainError(codespace, code, detail === undefined ? message : `${detail}: ${message}`, details)
  }
  return out as { readonly [K in keyof T]: Raise }
}

/** The SDK's answer where its code panics: an overflow, a division by zero. */
export const panic = (message: string): ChainError => new ChainError('undefined', 111222, `${message}: panic`)

/** The SDK's answer for an error that is in no table: code 1. */
export const unregistered = (message: string): ChainError => new ChainError('undefined', 1, message)

/** The SDK's root codespace (cosmos-sdk types/errors). */
export const sdk = errors('sdk', {
  txDecode: [2, 'tx parse error', 'INVALID_ARGUMENT'],
  invalidSequence: [3, 'invalid sequence', 'ABORTED'],
  unauthorized: [4, 'unauthorized', 'PERMISSION_DENIED'],
  insufficientFunds: [5, 'insufficient funds', 'FAILED_PRECONDITION'],
  unknownRequest: [6, 'unknown request', 'INVALID_ARGUMENT'],
  invalidAddress: [7, 'invalid address', 'INVALID_ARGUMENT'],
  invalidPubKey: [8, 'invalid pubkey', 'INVALID_ARGUMENT'],
  unknownAddress: [9, 'unknown address', 'NOT_FOUND'],
  invalidCoins: [10, 'invalid coins', 'INVALID_ARGUMENT'],
  outOfGas: [11, 'out of gas', 'FAILED_PRECONDITION'],
  memoTooLarge: [12, 'memo too large', 'FAILED_PRECONDITION'],
  insufficientFee: [13, 'insufficient fee', 'FAILED_PRECONDITION'],
  tooManySignatures: [14, 'maximum number of signatures exceeded', 'FAILED_PRECONDITION'],
  noSignatures: [15, 'no signatures supplied', 'FAILED_PRECONDITION'],
  jsonMarshal: [16, 'failed to marshal JSON bytes', 'FAILED_PRECONDITION'],
  jsonUnmarshal: [17, 'failed to unmarshal JSON bytes', 'INVALID_ARGUMENT'],
  invalidRequest: [18, 'invalid request', 'INVALID_ARGUMENT'],
  txInMempoolCache: [19, 'tx already in mempool', 'ABORTED'],
  mempoolIsFull: [20, 'mempool is full', 'UNAVAILABLE'],
  txTooLarge: [21, 'tx too large', 'OUT_OF_RANGE'],
  keyNotFound: [22, 'key not found', 'NOT_FOUND'],
  wrongPassword: [23, 'invalid account password', 'FAILED_PRECONDITION'],
  invalidSigner: [24, 'tx intended signer does not match the given signer', 'FAILED_PRECONDITION'],
  invalidGasAdjustment: [25, 'invalid gas adjustment', 'FAILED_PRECONDITION'],
  invalidHeight: [26, 'invalid height', 'NOT_FOUND'],
  invalidVersion: [27, 'invalid version', 'FAILED_PRECONDITION'],
  invalidChainId: [28, 'invalid chain-id', 'FAILED_PRECONDITION'],
  invalidType: [29, 'invalid type', 'INVALID_ARGUMENT'],
  txTimeoutHeight: [30, 'tx timeout height', 'FAILED_PRECONDITION'],
  unknownExtensionOptions: [31, 'unknown extension options', 'FAILED_PRECONDITION'],
  wrongSequence: [32, 'incorrect account sequence', 'ABORTED'],
  packAny: [33, 'failed packing protobuf message to Any', 'INVALID_ARGUMENT'],
  unpackAny: [34, 'failed unpacking protobuf message from Any', 'INVALID_ARGUMENT'],
  logic: [35, 'internal logic error', 'FAILED_PRECONDITION'],
  conflict: [36, 'conflict', 'ALREADY_EXISTS'],
  notSupported: [37, 'feature not supported', 'FAILED_PRECONDITION'],
  notFound: [38, 'not found', 'NOT_FOUND'],
  io: [39, 'Internal IO error', 'UNAVAILABLE'],
  appConfig: [40, 'error in app.toml', 'FAILED_PRECONDITION'],
  invalidGasLimit: [41, 'invalid gas limit', 'FAILED_PRECONDITION'],
})
