import type { Json } from '../../core/wire/json.ts'

/** Text that YAML, of 1.1 too, reads as itself without quotes. */
const PLAIN = /^[A-Za-z/][\w/.+@=-]*(?: [\w/.+@=-]+)*$/
const RESERVED = /^(y|n|yes|no|on|off|true|false|null|nan|inf|e[-+]?\d+)$/i
/** What JSON leaves as it is and YAML, or a terminal, does not. */
const UNPRINTABLE = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g

/** JSON as YAML for people, a line for each value: any YAML parser reads the same out of it. */
export const toYaml = (value: Json): string => lines(value).join('\n')

function lines(value: Json): string[] {
  if (Array.isArray(value)) {
    if (value.length === 0) return ['[]']
    return value.flatMap((item) => lines(item).map((line, i) => (i === 0 ? `- ${line}` : `  ${line}`)))
  }
  if (typeof value !== 'object' || value === null) return [scalar(value)]
  const entries = Object.entries(value)
  if (entries.length === 0) return ['{}']
  return entries.flatMap(([key, item]) => {
    const inner = lines(item)
    const isNested = typeof item === 'object' && item !== null && Object.keys(item).length > 0
    return isNested
      ? [`${scalar(key)}:`, ...inner.map((line) => `  ${line}`)]
      : [`${scalar(key)}: ${inner[0]}`]
  })
}

function scalar(value: string | number | boolean | null): string {
  if (typeof value !== 'string') return String(value)
  if (PLAIN.test(value) && !RESERVED.test(value)) return value
  return JSON.stringify(value).replace(
    UNPRINTABLE,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
