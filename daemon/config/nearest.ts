/** Of the names that are known, the one that a mistyped one is nearest to; undefined where none is near. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const [first] = known
    .map((other) => ({ other, away: distance(name, other) }))
    .sort((a, b) => a.away - b.away)
  return first !== undefined && first.away <= name.length / 3 ? first.other : undefined
}

/** Letters to insert, delete or replace to come from one to the other. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, i) => i)
  for (let i = 1; i <= one.length; i++) {
    const next = [i]
    for (let j = 1; j <= other.length; j++)
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (one[i - 1] === other[j - 1] ? 0 : 1)))
    row = next
  }
  return row[other.length]!
}
