import { decodeData } from './data.ts'
import { invalidParams } from './errors.ts'
import { Malformed } from './hex.ts'
import { decodeQuantity } from './quantity.ts'

/** How one argument is read. */
export interface Param<T> {
  /** Throws Malformed. */
  readonly parse: (value: unknown) => T
  readonly isOptional?: true
}

/** What the arguments of these parameters are. */
export type Arguments<P extends readonly Param<unknown>[]> = {
  readonly [K in keyof P]: P[K] extends Param<infer T> ? T : never
}

const of = <T>(parse: (value: unknown) => T): Param<T> => ({ parse })

/** A number of so many bits at most. */
export const quantity = (bits: number): Param<bigint> => of((value) => decodeQuantity(value, bits))

/** Bytes, of this length if one is given. */
export const data = (length?: number): Param<Uint8Array> => of((value) => decodeData(value, length))

export const text: Param<string> = of((value) => {
  if (typeof value !== 'string') throw new Malformed('non-string')
  return value
})

export const flag: Param<boolean> = of((value) => {
  if (typeof value !== 'boolean') throw new Malformed('non-boolean')
  return value
})

/** Whatever it is. */
export const anything: Param<unknown> = of((value) => value)

/** May be left out, or null. */
export const optional = <T>({ parse }: Param<T>): Param<T | undefined> => ({
  parse: (value) => (isAbsent(value) ? undefined : parse(value)),
  isOptional: true,
})

/** A list of at most `most`. */
export const listOf = <T>({ parse }: Param<T>, most: number): Param<readonly T[]> =>
  of((value) => {
    if (!Array.isArray(value)) throw new Malformed('non-array')
    if (value.length > most) throw new Malformed(`more than ${most} elements`)
    return value.map((each, i) => within(`[${i}]`, () => parse(each)))
  })

type Fields = Readonly<Record<string, Param<unknown>>>
type Values<F extends Fields> = { readonly [K in keyof F]: F[K] extends Param<infer T> ? T : never }

/** An object of these fields. Others are not looked at, as clients send what later versions of them have. */
export const objectOf = <F extends Fields>(fields: F): Param<Values<F>> =>
  of((value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Malformed('non-object')
    const read = Object.entries(fields).map(([name, param]) => {
      const field: unknown = Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined
      if (isAbsent(field) && param.isOptional === undefined) throw new Malformed(`missing field ${name}`)
      return [name, within(`${name}`, () => param.parse(field))] as const
    })
    return Object.fromEntries(read) as Values<F>
  })

const isAbsent = (value: unknown): value is null | undefined => value === undefined || value === null

function within<T>(place: string, parse: () => T): T {
  try {
    return parse()
  } catch (error) {
    throw error instanceof Malformed ? new Malformed(`${place}: ${error.message}`) : error
  }
}

/** Reads a request's `params`. Throws a JsonRpcError. */
export function parseArguments(params: readonly Param<unknown>[], given: unknown): readonly unknown[] {
  if (!isAbsent(given) && !Array.isArray(given)) throw invalidParams('non-array args')
  const list: readonly unknown[] = given ?? []
  if (list.length > params.length) throw invalidParams(`too many arguments, want at most ${params.length}`)
  return params.map((param, i) => {
    if (isAbsent(list[i]) && param.isOptional === undefined)
      throw invalidParams(`missing value for required argument ${i}`)
    try {
      return param.parse(list[i])
    } catch (error) {
      throw error instanceof Malformed ? invalidParams(`invalid argument ${i}: ${error.message}`) : error
    }
  })
}
