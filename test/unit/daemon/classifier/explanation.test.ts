import { expect } from 'chai'
import { explain } from '../../../../daemon/classifier/explanation.ts'
import { FEATURES, type FeatureName } from '../../../../modules/classifier/api.ts'

describe('An explanation of a score', () => {
  const telemetry = async (values: Partial<Record<FeatureName, number>>): Promise<string> => {
    const none = Object.fromEntries(FEATURES.map(([name]) => [name, 0])) as Record<FeatureName, number>
    const engine = { scores: async (rows: readonly unknown[]) => rows.map(() => 0) }
    const { contributions } = await explain(engine, { ...none, ...values })
    return contributions.find(({ group }) => group === 'telemetry')!.words
  }

  it('tells figures as they are, and of those that are clamped that they may be more', async () => {
    expect(await telemetry({ cpu: 9_975, latency: 2_100 })).to.match(/^processor 99\.75 %, latency 2100 ms,/)
    expect(await telemetry({ latency: 10_000 })).to.include('latency 10 s or more,')
  })
})
