/** Reports in raw blocks, by docs/classifier.md alone: for `second-classifier.ts`. */

/** The fields of a protobuf message by number: varints as numbers, the rest as bytes. */
export function fields(bytes: Uint8Array): Map<number, (number | Uint8Array)[]> {
  const found = new Map<number, (number | Uint8Array)[]>()
  let at = 0
  const varint = (): number => {
    let value = 0
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++]!
      value += (byte & 127) * 2 ** shift
      if (byte < 128) return value
    }
  }
  while (at < bytes.length) {
    const tag = varint()
    if (![0, 2].includes(tag & 7)) throw new Error(`wire type ${tag & 7}`)
    let value: number | Uint8Array = varint()
    if ((tag & 7) === 2) {
      const end: number = at + value
      value = bytes.subarray(at, end)
      at = end
    }
    found.set(tag >>> 3, [...(found.get(tag >>> 3) ?? []), value])
  }
  return found
}

export interface SecondReport {
  /** Hex of 8 bytes each. */
  readonly model: string
  readonly features: string
  readonly scores: readonly number[]
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

export function decodeSecondReport(bytes: Uint8Array): SecondReport | undefined {
  if (bytes[0] !== 1 || bytes.length < 17 || bytes.length > 17 + 2 * 240 || bytes.length % 2 === 0)
    return undefined
  const buffer = Buffer.from(bytes)
  const scores = Array.from({ length: (bytes.length - 17) / 2 }, (_, i) => buffer.readUInt16BE(17 + 2 * i))
  if (scores.some((score) => score > 10_000)) return undefined
  return { model: hex(bytes.subarray(1, 9)), features: hex(bytes.subarray(9, 17)), scores }
}

interface Vote {
  readonly address: string
  readonly power: bigint
  readonly flag: number
}

const NOTHING = new Uint8Array(0)
const TYPE_URL = '/fornax.abci.v1.ExtendedCommit'

/** The votes of the extended commit in a block's first transaction; none where that is another one. */
function extendedVotes(tx: Uint8Array | undefined): { reports: Uint8Array[]; votes: Uint8Array[] } {
  const only = (message: Uint8Array): Uint8Array =>
    (fields(message).get(1)?.[0] ?? new Uint8Array(0)) as Uint8Array
  const any = fields(only(only(tx ?? new Uint8Array(0))))
  if (Buffer.from((any.get(1)?.[0] ?? '') as Uint8Array).toString() !== TYPE_URL)
    return { reports: [], votes: [] }
  const commit = fields(any.get(2)![0] as Uint8Array)
  return { reports: (commit.get(2) ?? []) as Uint8Array[], votes: (commit.get(3) ?? []) as Uint8Array[] }
}

/** The reports that a block passes on, in the order of its votes. */
function reportsIn(tx: Uint8Array | undefined, count: number): (Uint8Array | undefined)[] {
  const { reports, votes } = extendedVotes(tx)
  if (votes.length !== count) return new Array(count).fill(undefined)
  return votes.map((vote) => {
    const place = (fields(vote).get(1)?.[0] ?? 0) as number
    return place === 0 ? undefined : reports[place - 1]
  })
}

/** The telemetry that a block passes on, in the order of its votes; no bytes of who tells none. */
export const telemetryIn = (tx: Uint8Array | undefined): Uint8Array[] =>
  extendedVotes(tx).votes.map((vote) => {
    const of = fields(vote)
    return (of.has(1) ? (of.get(2)?.[0] ?? NOTHING) : NOTHING) as Uint8Array
  })

/** The lowest score that others with more than a third say at most, where such say at least that. */
function agreedScore(said: readonly { score: number; power: bigint }[], total: bigint): number | undefined {
  const power = (of: (score: number) => boolean): bigint =>
    said.reduce((sum, s) => (of(s.score) ? sum + s.power : sum), 0n)
  const v = said
    .map(({ score }) => score)
    .sort((a, b) => a - b)
    .find((candidate) => 3n * power((score) => score <= candidate) > total)
  return v !== undefined && 3n * power((score) => score >= v) > total ? v : undefined
}

/** The strikes of a block's voters, and the scores that it replaces. `roster` is that of the block before the last. */
export function readReports(
  tx: Uint8Array | undefined,
  votes: readonly Vote[],
  roster: readonly string[],
  model: Uint8Array,
  tolerance: number,
): { strikes: ('deviant' | 'disagreement' | undefined)[]; scores: Map<string, number> } {
  const reports = reportsIn(tx, votes.length)
  const total = votes.reduce((sum, { power }) => sum + power, 0n)
  const isDue = roster.length <= 240
  const usable = votes.map(({ flag }, i) => {
    const bytes = reports[i]
    const report = flag === 2 && isDue && bytes !== undefined ? decodeSecondReport(bytes) : undefined
    return report?.model === hex(model.subarray(0, 8)) && report.scores.length === roster.length
      ? report.scores
      : undefined
  })
  const agreed = roster.map((subject, place) =>
    agreedScore(
      votes.flatMap(({ address, power }, i) =>
        usable[i] === undefined || address === subject ? [] : [{ score: usable[i][place]!, power }],
      ),
      total,
    ),
  )
  const isOff = usable.map((scores) =>
    scores?.some((score, place) => Math.abs(score - (agreed[place] ?? score)) > tolerance),
  )
  const isPassedOn = votes.map(({ flag }, i) => flag === 2 && reports[i] !== undefined)
  const power = (of: (i: number) => boolean): bigint =>
    votes.reduce((sum, vote, i) => (of(i) ? sum + vote.power : sum), 0n)
  const isClear = 2n * power((i) => isOff[i] === false) > power((i) => isPassedOn[i]!)
  return {
    strikes: votes.map((_, i) => {
      if (!isPassedOn[i] || !isDue) return undefined
      if (usable[i] === undefined) return 'deviant'
      return isOff[i] && isClear ? 'disagreement' : undefined
    }),
    scores: new Map(
      roster.flatMap((subject, i) => (agreed[i] === undefined ? [] : [[subject, agreed[i]] as const])),
    ),
  }
}
