import { expect } from 'chai'
import { DegradedChain, FRX } from '../kit/app/degraded-chain.ts'
import { pick, type Random, randomness } from '../kit/random.ts'

const VALIDATORS = ['validator', 'second', 'third', 'fourth'] as const
const USERS = ['alice', 'bob', 'carol'] as const
const OPERATORS = [...VALIDATORS, ...USERS]
const SECOND = 1_000_000_000n

/** Short times and few places, so that validators come and go. */
const APP_STATE = {
  slashing: {
    params: {
      signed_blocks_window: '10',
      min_signed_per_window: '0.500000000000000000',
      downtime_jail_duration: '60s',
      slash_fraction_double_sign: '0.050000000000000000',
      slash_fraction_downtime: '0.010000000000000000',
    },
  },
  staking: {
    params: {
      unbonding_time: '20s',
      max_validators: 4,
      max_entries: 7,
      historical_entries: 10,
      bond_denom: 'afrx',
      min_commission_rate: '0.000000000000000000',
    },
  },
}

/** The first validator neither sleeps nor leaves: CometBFT must have one. */
const others = OPERATORS.slice(1)

function randomTx(random: Random, chain: DegradedChain): Uint8Array {
  const amount = (BigInt(1 + random(40)) * FRX) / BigInt(1 + random(2))
  const who = pick(random, others)
  return pick(random, [
    () => chain.delegate(pick(random, USERS), pick(random, OPERATORS), amount),
    () => chain.undelegate(who, pick(random, [who, ...others]), amount),
    () => chain.undelegate(who, who, pick(random, [amount, 100n * FRX])),
    () => chain.createValidator(pick(random, USERS), amount),
    () => chain.unjail(who),
    () => chain.unjail(who),
  ])()
}

async function play(chain: DegradedChain, random: Random, blocks: number): Promise<number> {
  let told = 0
  let streak = 0
  let absent: string[] = []
  for (let n = 0; n < blocks; n++) {
    if (random(8) === 0) absent = others.filter(() => random(4) === 0)
    if (streak === 0 && random(5) === 0) streak = 1 + random(12)
    const isDegraded = streak > 0
    if (isDegraded) streak--
    const txs = Array.from({ length: random(4) }, () => randomTx(random, chain))
    const fields = random(10) === 0 ? { afterNs: BigInt(10 + random(60)) * SECOND } : {}
    const { validatorUpdates } = await chain.block({ ...fields, isDegraded, absent }, ...txs)
    if (isDegraded) expect(validatorUpdates).to.deep.equal([])
    else {
      expect(chain.comet.after(chain.chain.height)).to.deep.equal(await chain.bonded())
      told += validatorUpdates.length
    }
    if (random(12) === 0) await chain.crash()
  }
  return told
}

/** `SEED=7 BLOCKS=1000` plays another chain. */
const seeds = process.env['SEED'] ? [Number(process.env['SEED'])] : [1, 2, 3, 4]
const blocks = Number(process.env['BLOCKS'] ?? 200)

describe("CometBFT's validator set is the state's after every healthy round", function () {
  this.timeout(blocks * 1_000)
  for (const seed of seeds)
    it(`in ${blocks} blocks of seed ${seed}, some rounds degraded, with crashes`, async () => {
      const chain = await DegradedChain.start({
        validators: VALIDATORS,
        users: USERS,
        appState: APP_STATE,
      })
      try {
        expect(await play(chain, randomness(seed), blocks)).to.be.greaterThan(10)
      } catch (error) {
        throw new Error(`SEED=${seed}, height ${chain.chain.height}: ${(error as Error).message}`, {
          cause: error,
        })
      } finally {
        await chain.stop()
      }
    })
})
