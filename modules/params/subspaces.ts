import { fromUtf8 } from '../../core/bytes.ts'
import type { Context } from '../../core/context.ts'
import { decimalFromAtomics } from '../../core/decimal-text.ts'
import { nanosecondsOf, type Seconds } from '../../core/time.ts'
import type { Json } from '../../core/wire/json.ts'
import * as auth from '../auth/api.ts'
import * as bank from '../bank/api.ts'
import * as distribution from '../distribution/api.ts'
import * as gov from '../gov/api.ts'
import * as slashing from '../slashing/api.ts'
import * as staking from '../staking/api.ts'

/** A parameter's value in the JSON of x/params: numbers of 64 bits and durations, in nanoseconds, are text. */
type Read = (ctx: Context) => Json

const nanoseconds = (duration: Seconds | undefined): string =>
  nanosecondsOf(duration ?? { seconds: 0n, nanos: 0 }).toString()
const fraction = (digits: Uint8Array): string => decimalFromAtomics(fromUtf8(digits))

/** How the keys of `params`, by their names there, are read. */
const keysOf = <P>(
  params: (ctx: Context) => P,
  keys: Readonly<Record<string, (params: P) => Json>>,
): ReadonlyMap<string, Read> =>
  new Map(Object.entries(keys).map(([key, read]) => [key, (ctx: Context) => read(params(ctx))]))

/** The subspaces and keys that the SDK's modules had (`params_legacy.go` in x/<module>/types). */
export const subspaces: ReadonlyMap<string, ReadonlyMap<string, Read>> = new Map([
  [
    'auth',
    keysOf(auth.params, {
      MaxMemoCharacters: (p) => p.maxMemoCharacters.toString(),
      SigVerifyCostED25519: (p) => p.sigVerifyCostEd25519.toString(),
      SigVerifyCostSecp256k1: (p) => p.sigVerifyCostSecp256k1.toString(),
      TxSigLimit: (p) => p.txSigLimit.toString(),
      TxSizeCostPerByte: (p) => p.txSizeCostPerByte.toString(),
    }),
  ],
  [
    'bank',
    keysOf(bank.params, {
      DefaultSendEnabled: (p) => p.defaultSendEnabled,
      SendEnabled: (p) => p.sendEnabled.map(({ denom, enabled }) => ({ denom, enabled })),
    }),
  ],
  [
    'distribution',
    keysOf(distribution.params, {
      baseproposerreward: (p) => decimalFromAtomics(p.baseProposerReward),
      bonusproposerreward: (p) => decimalFromAtomics(p.bonusProposerReward),
      communitytax: (p) => decimalFromAtomics(p.communityTax),
      withdrawaddrenabled: (p) => p.withdrawAddrEnabled,
    }),
  ],
  [
    'gov',
    keysOf(gov.params, {
      depositparams: (p) => ({
        min_deposit: p.minDeposit.map(({ denom, amount }) => ({ denom, amount })),
        max_deposit_period: nanoseconds(p.maxDepositPeriod),
      }),
      tallyparams: (p) => ({ quorum: p.quorum, threshold: p.threshold, veto_threshold: p.vetoThreshold }),
      votingparams: (p) => ({ voting_period: nanoseconds(p.votingPeriod) }),
    }),
  ],
  [
    'slashing',
    keysOf(slashing.params, {
      DowntimeJailDuration: (p) => nanoseconds(p.downtimeJailDuration),
      MinSignedPerWindow: (p) => fraction(p.minSignedPerWindow),
      SignedBlocksWindow: (p) => p.signedBlocksWindow.toString(),
      SlashFractionDoubleSign: (p) => fraction(p.slashFractionDoubleSign),
      SlashFractionDowntime: (p) => fraction(p.slashFractionDowntime),
    }),
  ],
  [
    'staking',
    keysOf(staking.params, {
      BondDenom: (p) => p.bondDenom,
      HistoricalEntries: (p) => p.historicalEntries,
      MaxEntries: (p) => p.maxEntries,
      MaxValidators: (p) => p.maxValidators,
      MinCommissionRate: (p) => decimalFromAtomics(p.minCommissionRate),
      UnbondingTime: (p) => nanoseconds(p.unbondingTime),
    }),
  ],
])
