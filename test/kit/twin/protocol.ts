import type { Rounds } from '../app/rounds.ts'

/** What a cold application is made of. */
export interface ColdOptions {
  /** `sdk`: those modules that the Cosmos SDK has too. */
  readonly modules: 'all' | 'sdk'
  readonly rounds?: Rounds
}

/** A call to the process of cold applications; requests and responses are in protobuf. */
export type ColdCall =
  | { readonly kind: 'open'; readonly options: ColdOptions }
  | { readonly kind: 'initChain'; readonly request: Uint8Array }
  | {
      readonly kind: 'finalizeBlock'
      readonly request: Uint8Array
      readonly height: bigint
      readonly rounds?: Rounds
    }
  | { readonly kind: 'commit' }
  | { readonly kind: 'close' }

export interface ColdMessage {
  readonly id: number
  readonly app: number
  readonly call: ColdCall
}

export type ColdAnswer = { readonly id: number } & (
  | { readonly answer: Uint8Array | undefined }
  | { readonly error: string }
)
