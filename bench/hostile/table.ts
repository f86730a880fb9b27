/** What an input of a stage costs. */
export interface Cost {
  readonly name: string
  readonly bytes: number
  /** That it paid, or wanted where it paid none. */
  readonly gas: number
  /** Processor time. */
  readonly ms: number
  /** `codespace/code`, or what else became of it. */
  readonly outcome: string
}

/** How often the ordinary input's cost, for as many of them as its bytes hold. */
export const ratioTo = (ordinary: Cost, cost: Cost): number =>
  cost.ms / (ordinary.ms * Math.max(1, Math.floor(cost.bytes / ordinary.bytes)))

const cell = (value: string, width: number): string => value.padStart(width)

/** The dearest inputs of a stage, with ratios to the first, which is the ordinary one. */
export function printTable(stage: string, costs: readonly Cost[], most = 12): void {
  const ordinary = costs[0]!
  const ranked = costs.slice(1).sort((a, b) => ratioTo(ordinary, b) - ratioTo(ordinary, a))
  console.log(`\n${stage}`)
  console.log(
    `  ${cell('ratio', 8)} ${cell('ms', 10)} ${cell('bytes', 9)} ${cell('ms/KiB', 9)} ${cell('µs/1,000 gas', 13)}  input`,
  )
  for (const cost of [ordinary, ...ranked.slice(0, most)]) {
    const { ms, bytes, gas } = cost
    const perKib = (ms / bytes) * 1024
    const perGas = gas === 0 ? '' : ((ms / gas) * 1_000_000).toFixed(1)
    console.log(
      `  ${cell(ratioTo(ordinary, cost).toFixed(2), 8)} ${cell(ms.toFixed(3), 10)} ${cell(bytes.toFixed(0), 9)} ${cell(perKib.toFixed(3), 9)} ${cell(perGas, 13)}  ${cost.name} (${cost.outcome})`,
    )
  }
}
