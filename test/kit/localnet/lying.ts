import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { InferenceSession } from 'onnxruntime-node'
import { Classifier } from '../../../daemon/classifier/classifier.ts'
import { withScore } from '../classifier/altered-report.ts'

/** What a node that loads this file lies about: a validator's score, in its reports on the states of some heights. */
export interface Lie {
  /** On the roster. */
  readonly place: number
  readonly score: number
  readonly from: number
  readonly to: number
}

/** Where a node's lie is told to it. */
export const lieFile = (home: string): string => join(home, 'lie.json')

/** While it is there, the node's engine fails. */
export const deathFile = (home: string): string => join(home, 'engine-is-dead')

function lieOf(home: string): Lie | undefined {
  try {
    return JSON.parse(readFileSync(lieFile(home), 'utf8')) as Lie
  } catch {
    return undefined
  }
}

// Loaded into nodes by `node --import`: a validator whose program was changed, which no switch of the product can be.
const home = process.argv[process.argv.indexOf('--home') + 1] ?? ''
const honest = Classifier.prototype.report
Classifier.prototype.report = async function (ctx) {
  const report = await honest.call(this, ctx)
  const lie = lieOf(home)
  if (lie === undefined || ctx.height < lie.from || ctx.height > lie.to) return report
  return withScore(report, lie.place, lie.score)
}

interface Runs {
  run(...args: unknown[]): Promise<unknown>
}
const patched = new WeakSet<object>()
const create = InferenceSession.create as (...args: unknown[]) => Promise<Runs>
Object.assign(InferenceSession, {
  async create(...args: unknown[]) {
    const session = await create(...args)
    if (patched.has(session)) return session
    patched.add(session)
    const run = session.run.bind(session)
    session.run = (...inputs) =>
      existsSync(deathFile(home)) ? Promise.reject(new Error('the engine is dead')) : run(...inputs)
    return session
  },
})
