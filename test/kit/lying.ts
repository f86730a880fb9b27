import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Classifier } from '../../daemon/classifier/observer.ts'
import { withScore } from './reports.ts'

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

function lieOf(home: string): Lie | undefined {
  try {
    return JSON.parse(readFileSync(lieFile(home), 'utf8')) as Lie
  } catch {
    return undefined
  }
}

// Loaded into nodes by `node --import`: a validator whose program was changed, which no switch of the product can be.
const home = process.argv[process.argv.indexOf('--home') + 1] ?? ''
const observe = Classifier.prototype.observe
Classifier.prototype.observe = async function (ctx) {
  const report = await observe.call(this, ctx)
  const lie = lieOf(home)
  if (lie === undefined || ctx.height < lie.from || ctx.height > lie.to) return report
  return withScore(report, lie.place, lie.score)
}
