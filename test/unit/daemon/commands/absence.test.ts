import { expect } from 'chai'
import { ValidatorSigningInfo } from 'cosmjs-types/cosmos/slashing/v1beta1/slashing'
import { Validator } from 'cosmjs-types/cosmos/staking/v1beta1/staking'
import { type Absence, absence } from '../../../../daemon/commands/absence.ts'
import { QueryStandingResponse } from '../../../../proto/gen/fornax/agents/v1/query.ts'

describe('Why a validator is out of the set', () => {
  const told = (validator?: object, signingInfo?: object, standing: object = {}): Absence =>
    absence({
      height: 100n,
      standing: QueryStandingResponse.fromPartial({ standing }),
      validator: validator && Validator.fromPartial(validator),
      signingInfo: signingInfo && ValidatorSigningInfo.fromPartial(signingInfo),
    })
  const jailed = { jailed: true, status: 2, unbondingHeight: 50n }
  const noon = { jailedUntil: { seconds: 1_800_000_000n, nanos: 0 } }

  it('is downtime, with the time from which it may come back', () => {
    const { because, back } = told(jailed, noon)
    expect(because).to.match(/^in jail until 2027-01-15T08:00:00\S*Z: for downtime/)
    expect(back).to.match(/^after that `fornaxd tx slashing unjail`/)
  })

  it('is a Heavy penalty, not one that it came back from', () => {
    const jails = (height: bigint) => ({ jails: [{ height, reason: 'MissedVotes' }] })
    expect(told(jailed, noon, jails(50n)).because).to.equal(
      'jailed at height 50 for MissedVotes; that time is over',
    )
    expect(told(jailed, noon, jails(20n)).because).to.include('for downtime')
    expect(told(jailed, noon, { ...jails(50n), jailedUntil: 170n }).because).to.equal(
      'jailed at height 50 for MissedVotes, until height 170',
    )
  })

  it('is a tombstone, from which there is no way back', () => {
    const { because, back } = told(jailed, { ...noon, tombstoned: true })
    expect(because).to.include('barred for good')
    expect(back).to.match(/^none/)
  })

  it('is too little stake, its own or all of it', () => {
    const never = { jailedUntil: { seconds: 0n, nanos: 0 } }
    expect(told(jailed, never).because).to.include('its own stake fell below its minimum')
    expect(told({ status: 1 }).because).to.include('never in the set')
    expect(told({ status: 1, unbondingHeight: 50n }, never).because).to.include('left the set at height 50')
    expect(told({ status: 3 }, never).because).to.include('votes within two blocks')
  })
})
