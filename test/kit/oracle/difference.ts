import type { Json } from '../../../core/wire/json.ts'

/** A value that two chains answered differently: where, and what each has. */
export interface Difference {
  readonly path: string
  readonly left: string
  readonly right: string
}

const NOTHING = '(nothing)'
const show = (value: Json | undefined): string => (value === undefined ? NOTHING : JSON.stringify(value))

const isObject = (value: Json | undefined): value is { [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Every leaf at which two values differ, by path. */
export function differences(left: Json | undefined, right: Json | undefined, path = ''): Difference[] {
  if (Array.isArray(left) && Array.isArray(right)) {
    const longer = left.length > right.length ? left : right
    return longer.flatMap((_, i) => differences(left[i], right[i], `${path}[${i}]`))
  }
  if (isObject(left) && isObject(right)) {
    const keys = new Set([...Object.keys(left), ...Object.keys(right)])
    return [...keys].flatMap((key) =>
      differences(left[key], right[key], path === '' ? key : `${path}.${key}`),
    )
  }
  return show(left) === show(right) ? [] : [{ path, left: show(left), right: show(right) }]
}

/** The differences as text, at most `limit` of them. */
export function describeDifferences(
  found: readonly Difference[],
  names: readonly [string, string],
  limit = 25,
): string {
  const width = Math.max(names[0].length, names[1].length)
  const lines = found
    .slice(0, limit)
    .map(
      ({ path, left, right }) =>
        `  ${path}\n    ${names[0].padEnd(width)}  ${left}\n    ${names[1].padEnd(width)}  ${right}`,
    )
  if (found.length > limit) lines.push(`  … and ${found.length - limit} more`)
  return lines.join('\n')
}
