/** Milliseconds of processor time of all threads, which neighbours on the machine hardly change. */
export function processorMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** Processor time of one run. */
export async function spent(run: () => unknown): Promise<number> {
  const before = processorMs()
  await run()
  return processorMs() - before
}

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1]!

/** Below this, the clock, the compiler and the collector of garbage say more than the input. */
const LEAST_MS = 25
const WARM_UP_MS = 40
const MOST_MS = 1_500

/** Runs until so much processor time is spent, and answers the time of one run. */
async function sample(run: (turn: number) => unknown, from: number, leastMs: number) {
  const before = processorMs()
  let turn = from
  let ms = 0
  do {
    await run(turn++)
    ms = processorMs() - before
  } while (ms < leastMs)
  return { turn, ms, each: ms / (turn - from) }
}

/**
 * Processor time of `run`, when it is warm, as the median of three samples, each as long as it takes to be told from
 * noise; fewer of what takes seconds. `turn` counts up, so that a run can be of an input that nobody has seen.
 */
export async function typical(run: (turn: number) => unknown): Promise<number> {
  let last = await sample(run, 0, WARM_UP_MS)
  if (last.ms > MOST_MS) return last.each
  const times: number[] = []
  for (let total = 0; times.length < 3 && total < MOST_MS; total += last.ms) {
    last = await sample(run, last.turn, LEAST_MS)
    times.push(last.each)
  }
  return median(times)
}
