import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Hardfork } from '@ethereumjs/common'
import { expect } from 'chai'
import { type Expected, runStateTest, type StateTest, type Way } from '../kit/evm/state-test.ts'

const ROOT = resolve('../shared/vectors/evm/GeneralStateTests')
/** Loops of minutes: by `make evm-vectors`, which runs them too. */
const LONG = /vmPerformance/
/** More gas than a transaction of this chain can have, 2^53 and more: by the library's machine alone. */
const hasMoreGasThanFits = (test: StateTest, { indexes }: Expected): boolean =>
  BigInt(test.transaction.gasLimit[indexes.gas]!) > BigInt(Number.MAX_SAFE_INTEGER)

const isComplete = process.env['EVM_VECTORS'] === 'all'

async function faultOf(test: StateTest, expected: Expected, way: Way): Promise<string | undefined> {
  const result = await runStateTest(test, expected, Hardfork.Cancun, way)
  if (typeof result === 'string')
    return expected.expectException === undefined ? `refused: ${result}` : undefined
  if (expected.expectException !== undefined) return `not refused, where ${expected.expectException} is meant`
  if (result.root !== expected.hash) return `the state is ${result.root}, not ${expected.hash}`
  return result.logs === expected.logs ? undefined : `the logs are ${result.logs}, not ${expected.logs}`
}

describe('Ethereum’s state tests on the chain’s own state', () => {
  for (const way of ['fast', 'slow'] as const)
    for (const folder of existsSync(ROOT) ? readdirSync(ROOT).sort() : [])
      it(`have the states and logs of ${folder}, the ${way} way`, async function () {
        this.timeout(isComplete ? 3_600_000 : 300_000)
        const files = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
        const faults: string[] = []
        let ran = 0
        for (const file of files.filter((name) => name.endsWith('.json')).sort()) {
          if (!isComplete && LONG.test(file)) continue
          const tests = JSON.parse(readFileSync(join(ROOT, folder, file), 'utf8')) as Record<
            string,
            StateTest
          >
          for (const [name, test] of Object.entries(tests))
            for (const expected of test.post['Cancun'] ?? []) {
              if (way === 'fast' && hasMoreGasThanFits(test, expected)) continue
              ran++
              const fault = await faultOf(test, expected, way)
              if (fault !== undefined) faults.push(`${name} ${JSON.stringify(expected.indexes)}: ${fault}`)
            }
        }
        expect(faults).to.deep.equal([])
        expect(ran).to.be.greaterThan(0)
      })
  if (!existsSync(ROOT))
    it('are not here', function () {
      this.skip()
    })
})
