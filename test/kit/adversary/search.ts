import { type Random, randomness } from '../random.ts'
import { type Harm, type Played, play } from './play.ts'
import { anyScenario, type Scenario, type Strength } from './scenario.ts'
import { anyStrategy, crossed, mutated, type Strategy } from './strategy.ts'

/** What a search is guided by. */
const GOALS = ['a score', 'a cause', 'a degraded round', 'anything'] as const
type Goal = (typeof GOALS)[number]

/** Of the strategies that a search tries, how many are not made of better ones. */
const FIRST = 6
const BEST = 3

export interface Found {
  readonly scenario: Scenario
  readonly strategy: Strategy
  readonly harm: ReadonlyMap<Harm, string>
}

/** What a number of adversaries came to. */
export interface Result {
  adversaries: number
  blocks: number
  searches: number
  readonly found: Found[]
  score: number
  cause: number
  /** Which figure came closest. */
  figure: string
  disagreeing: number
}

function fitness({ harm, score, cause, disagreeing }: Played, goal: Goal): number {
  const near = { 'a score': score / 7_000, 'a cause': cause, 'a degraded round': disagreeing / 333 }
  const sum = Math.min(near['a score'], 1.5) + Math.min(near['a cause'], 1.5) + near['a degraded round']
  return harm.size * 100 + (goal === 'anything' ? sum : 10 * near[goal] + sum)
}

/**
 * One gang in one network, which tries strategies: some at random, then better ones made of the best. Told again by the
 * seed alone.
 */
export async function search(
  seed: number,
  strength: Strength,
  tries: number,
  result: Result,
): Promise<boolean> {
  const random = randomness(seed)
  const scenario = anyScenario(random, strength)
  const goal = GOALS[random(GOALS.length)]!
  let best: { strategy: Strategy; fitness: number }[] = []
  result.searches++
  for (let i = 0; i < tries; i++) {
    const strategy = i < FIRST ? anyStrategy(random) : bred(best, random)
    const played = await play(scenario, strategy)
    result.adversaries++
    result.blocks += played.blocks
    result.score = Math.max(result.score, played.score)
    if (played.cause > result.cause) {
      result.cause = played.cause
      result.figure = played.figure
    }
    result.disagreeing = Math.max(result.disagreeing, played.disagreeing)
    if (played.harm.size > 0) {
      result.found.push({ scenario, strategy, harm: played.harm })
      return true
    }
    best = [...best, { strategy, fitness: fitness(played, goal) }]
      .sort((a, b) => b.fitness - a.fitness)
      .slice(0, BEST)
  }
  return false
}

function bred(best: readonly { strategy: Strategy }[], random: Random): Strategy {
  const one = best[random(best.length)]!.strategy
  const other = best[random(best.length)]!.strategy
  return mutated(random(3) === 0 ? crossed(one, other, random) : one, random)
}

export const nothingYet = (): Result => ({
  adversaries: 0,
  blocks: 0,
  searches: 0,
  found: [],
  score: 0,
  cause: 0,
  figure: '',
  disagreeing: 0,
})
