import { readFileSync } from 'node:fs'

/** Integers of model/weights.json; model/README.md tells what they mean. */
interface Net {
  readonly columns: readonly [from: number, to: number]
  readonly multipliers: readonly number[]
  readonly weights: readonly (readonly (readonly number[])[])[]
  readonly biases: readonly (readonly number[])[]
  readonly table: readonly number[]
}
export interface Weights {
  readonly features: readonly { name: string; lowest: number; highest: number }[]
  readonly bits: number
  readonly ceiling: number
  readonly reach: number
  readonly step_bits: number
  readonly fine: number
  readonly heavy: number
  readonly ban: number
  readonly p_full: number
  readonly t_full: number
  readonly proven_disagreement: number
  readonly conduct: Net
  readonly signs: Net
}

export const weights: Weights = JSON.parse(readFileSync('model/weights.json', 'utf8'))

const clip = (x: bigint, low: bigint, high: bigint): bigint => (x < low ? low : x > high ? high : x)
/** floor(x / 2^bits + ½). */
const rescale = (x: bigint, bits: bigint): bigint => (x + (1n << (bits - 1n))) >> bits

/** One network's output in 1/1,024 units, in exact integers: nothing of floats or of ONNX. */
function fine(net: Net, clamped: readonly number[], { bits, ceiling, reach, step_bits }: Weights): bigint {
  const scale = BigInt(bits)
  let x = clamped
    .slice(net.columns[0], net.columns[1])
    .map((value, i) => BigInt(value) * BigInt(net.multipliers[i]!))
  for (const [layer, weight] of net.weights.entries()) {
    const sums = net.biases[layer]!.map((bias, j) =>
      x.reduce((sum, value, i) => sum + value * BigInt(weight[i]![j]!), BigInt(bias)),
    )
    x = sums.map((sum) => rescale(sum, scale))
    if (layer < net.weights.length - 1) x = x.map((v) => clip(v, 0n, BigInt(ceiling) << scale))
  }
  const edge = BigInt(reach) << scale
  const u = clip(x[0]!, -edge, edge) + edge
  const grain = scale - BigInt(step_bits)
  const at = Number(u >> grain)
  const part = u & ((1n << grain) - 1n)
  const low = BigInt(net.table[at]!)
  return low + rescale((BigInt(net.table[at + 1]!) - low) * part, grain)
}

/** The model's score of one row of features. */
export function forwardPass(row: readonly number[], w: Weights = weights): number {
  const clamped = w.features.map(({ lowest, highest }, i) => Math.min(highest, Math.max(lowest, row[i]!)))
  const unit = BigInt(w.fine)
  const p = fine(w.conduct, clamped, w)
  const raised = p + fine(w.signs, clamped, w)
  const belowHeavy = BigInt(w.heavy - 1) * unit
  const capped = raised < belowHeavy ? raised : belowHeavy
  let score = p > capped ? p : capped
  const of = (name: string): number => clamped[w.features.findIndex((f) => f.name === name)]!
  const isProven = of('evidence') >= 1 || of('disagreement') >= w.proven_disagreement
  const belowBan = BigInt(w.ban - 1) * unit
  if (!isProven && score > belowBan) score = belowBan
  return Number((score + unit / 2n) / unit)
}
