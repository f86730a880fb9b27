import type { Params } from 'cosmjs-types/cosmos/slashing/v1beta1/slashing'
import { fromUtf8, utf8 } from '../../core/bytes.ts'
import type { Context } from '../../core/context.ts'
import type { Dec } from '../../core/dec.ts'
import * as dec from '../../core/dec.ts'
import { decimalFromAtomics } from '../../core/decimal-text.ts'
import { unregistered } from '../../core/error.ts'
import { nanosecondsOf } from '../../core/time.ts'
import * as state from './state.ts'

/** A decimal as these parameters carry it: the digits of its atomics. */
export const decimalOf = (digits: Uint8Array): Dec => BigInt(fromUtf8(digits))
const digitsOf = (d: Dec): Uint8Array => utf8(d.toString())

/** As large public chains have them, for slots of 5 s: the agents judge shorter absences. */
export const defaultParams = (): Params => ({
  signedBlocksWindow: 10_000n,
  minSignedPerWindow: digitsOf(dec.ONE / 20n),
  downtimeJailDuration: { seconds: 600n, nanos: 0 },
  slashFractionDoubleSign: digitsOf(dec.ONE / 20n),
  slashFractionDowntime: digitsOf(dec.ONE / 10_000n),
})

export const params = (ctx: Context): Readonly<Params> => state.params.get(ctx) ?? defaultParams()

/** Blocks of the window that a validator must sign, to the nearest whole number. */
export const minSignedBlocks = ({ minSignedPerWindow, signedBlocksWindow }: Params): bigint =>
  dec.roundInt(dec.mulInt(decimalOf(minSignedPerWindow), signedBlocksWindow))

function checkFraction(name: string, digits: Uint8Array): void {
  if (digits.length === 0) throw unregistered(`${name} cannot be nil`)
  const fraction = decimalOf(digits)
  const text = decimalFromAtomics(fraction.toString())
  if (fraction < 0n) throw unregistered(`${name} cannot be negative: ${text}`)
  if (fraction > dec.ONE) throw unregistered(`${name} too large: ${text}`)
}

/** Throws undefined/1, as the SDK. */
export function checkParams(p: Params): void {
  if (p.signedBlocksWindow <= 0n)
    throw unregistered(`signed blocks window must be positive: ${p.signedBlocksWindow}`)
  checkFraction('min signed per window', p.minSignedPerWindow)
  if (nanosecondsOf(p.downtimeJailDuration) <= 0n)
    throw unregistered('downtime jail duration must be positive')
  checkFraction('double sign slash fraction', p.slashFractionDoubleSign)
  checkFraction('downtime slash fraction', p.slashFractionDowntime)
}
