import { type GrpcStatus, knownError, sdk } from '../../core/error.ts'

/** As grpc-gateway has it, but that what a rule refuses is 422, and what is too large 413. */
const HTTP_STATUS: Readonly<Record<GrpcStatus, number>> = {
  INVALID_ARGUMENT: 400,
  NOT_FOUND: 404,
  ALREADY_EXISTS: 409,
  PERMISSION_DENIED: 403,
  RESOURCE_EXHAUSTED: 429,
  FAILED_PRECONDITION: 422,
  ABORTED: 409,
  OUT_OF_RANGE: 413,
  UNIMPLEMENTED: 501,
  INTERNAL: 500,
  UNAVAILABLE: 503,
  UNAUTHENTICATED: 401,
}

/** The gRPC status of an answer of whose error no table says one. */
const GRPC_STATUS: Readonly<Record<number, GrpcStatus>> = {
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  405: 'UNIMPLEMENTED',
  408: 'UNAVAILABLE',
  409: 'ABORTED',
  413: 'OUT_OF_RANGE',
  422: 'FAILED_PRECONDITION',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  501: 'UNIMPLEMENTED',
  503: 'UNAVAILABLE',
}

export const grpcStatusOf = (httpStatus: number): GrpcStatus => GRPC_STATUS[httpStatus] ?? 'INVALID_ARGUMENT'

const REFUSED = 422

/** The HTTP status of an error; what is in no table is a refusal. */
export function statusOf(codespace: string, code: number): number {
  const known = knownError(codespace, code)
  return known === undefined ? REFUSED : HTTP_STATUS[known.status]
}

/** Errors that are no fault of a transaction: signed anew, or sent at another time or in parts, it may pass. */
const NOT_FOR_GOOD: readonly GrpcStatus[] = ['ABORTED', 'RESOURCE_EXHAUSTED', 'UNAVAILABLE', 'OUT_OF_RANGE']

const undecodable = sdk.txDecode()

/** The same of a transaction: what a rule refuses is refused, whatever it is; what is no transaction is malformed. */
export function statusOfRefusedTx(codespace: string, code: number): number {
  if (codespace === undecodable.codespace && code === undecodable.code) return HTTP_STATUS.INVALID_ARGUMENT
  const known = knownError(codespace, code)
  return known !== undefined && NOT_FOR_GOOD.includes(known.status) ? HTTP_STATUS[known.status] : REFUSED
}
