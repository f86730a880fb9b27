import { execFileSync } from 'node:child_process'
import { copyFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Finding } from '../kit/floors/check.ts'
import { expectFindings, type Line, plant, type Tree } from '../kit/floors/violations.ts'
import { tempDir } from '../kit/temp-dir.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))

const FLOAT = 'no floats in consensus code'
const CONSENSUS: Tree = {
  'core/floats.ts': [
    ['export const a = 1.5 * 100', FLOAT],
    ['export const b = 1e-3', FLOAT],
    ['export const c = .5', FLOAT],
    ['export const d = 5e3', FLOAT],
    ['export const e = 0x1e5 + 1_000 + 0b11'],
    ['export const f = Math.round(3)', FLOAT],
    ['export const { sqrt } = Math', FLOAT],
    ["export const g = Math['round'](3)", FLOAT],
    ['export const h = globalThis.Math.cbrt(3)', FLOAT],
    ['export const i = Math.min(Math.log2(3), 2)', FLOAT],
    ['export const j = Math.pow(2, 3)', FLOAT],
    ['export const k = Math.min(Math.max(1, 2), Math.abs(3), Math.clz32(4), Math.imul(5, 6), Math.trunc(7))'],
    ['export const l = (x: number) => x / 2', FLOAT],
    ['export const m = (x: number) => 2 / x', FLOAT],
    ['export const n = (x: number, list: number[]) => x / list.length', FLOAT],
    ['export const o = (x: number, map: Set<number>) => x / map.size', FLOAT],
    ['export const p = (x: number) => Math.floor((x / 2) * 3)', FLOAT],
    ['export const q = (x: number) => Math.floor(x / 2) + Math.trunc((x + 1) / 3)'],
    ['export const r = (x: bigint, y: bigint) => x / 2n / y'],
    ['export const s = 2 ** 28', FLOAT],
    ['export const t = (x: number) => x ** x', FLOAT],
    ['export const u = (x: bigint) => 10n ** x + x ** 2n + BigInt(2) ** x'],
    ['export const v = { number: 3, bigint: 3n }'],
    ['v.number **= 2', FLOAT],
    ['v.number /= 2', FLOAT],
    ['v.bigint /= 2n'],
    ["export const w = parseFloat('3')", 'parseFloat'],
    ["export const x = Number.parseFloat('3')", FLOAT],
    ["export const y = Number('1.5')", FLOAT],
    ['export const z = (text: string) => Number(text) + Number(3n)'],
    ['export const aa = (value: number) => value.toFixed(2)', FLOAT],
    ['export const ab = (value: number) => value.toPrecision(2)', FLOAT],
    ['export const ac = (value: number) => value.toExponential(2)', FLOAT],
    ['export const ad = new Float64Array(1)', 'Float64Array'],
    ['export const ae = new Float32Array(1)', 'Float32Array'],
    ['export const af = (view: DataView) => view.getFloat64(0)', FLOAT],
    ['export const ag = (view: DataView) => view.getFloat32(0)', FLOAT],
    ['export const ah = Number.EPSILON', FLOAT],
    ['export const ai = Number.MAX_VALUE', FLOAT],
    ['export const aj = Number.MIN_VALUE', FLOAT],
    ['export const ak = Number.MAX_SAFE_INTEGER'],
  ],
  'modules/ibc/client/floats.ts': [['export const a = Math.round(1)', FLOAT]],
  'precompiles/floats.ts': [['export const a = Math.round(1)', FLOAT]],
  'daemon/app/floats.ts': [['export const a = Math.round(1.5)']],
  'core/determinism.ts': [
    ['export const a = Math.random()', FLOAT],
    ["export const b = 'a'.localeCompare('b')", 'not deterministic'],
    ['export const c = (1).toLocaleString()', 'not deterministic'],
    ["export const d = 'a'.toLocaleUpperCase()", 'not deterministic'],
    ["export const e = 'a'.toLocaleLowerCase()", 'not deterministic'],
    ...['randomBytes', 'randomInt', 'randomFillSync', 'randomUUID'].map(
      (name): Line => [`export const ${name}0 = (${name}: () => 1) => ${name}()`, 'not deterministic'],
    ),
    ['export const f = Date.now()', 'Date'],
    ['export const g = performance.now()', 'performance'],
    ['export const h = process.env', 'process'],
    ['export const i = () => console.log(1)', 'console'],
    ['export const j = new Intl.Collator()', 'Intl'],
    ["export const k = fetch('http://127.0.0.1')", 'fetch'],
    ['export const l = crypto.getRandomValues(new Uint8Array(1))', 'crypto'],
    ...['setTimeout', 'setInterval', 'setImmediate'].map(
      (name): Line => [`export const ${name}0 = () => ${name}(() => {})`, name],
    ),
  ],
  'modules/bank/memories.ts': [
    ['export const a = new WeakMap()', 'core/remembered.ts'],
    ['export const b = new Map()', 'core/remembered.ts'],
    ['export const c = new Set()', 'core/remembered.ts'],
    ["export const d = new Set(['a'])"],
    ['export const e = () => new Map()'],
    ['export const f = (list: number[]) => Math.max(...list)', 'takes the stack'],
    ['export const g = (...args: number[]) => Math.max(...args)'],
  ],
  'genesis/app-state.ts': [['export const a = new Map()', 'core/remembered.ts']],
  'daemon/app/memories.ts': [['export const a = new Map()', 'core/remembered.ts']],
  'core/remembered.ts': [['export const a = new Map()']],
  'core/exhaustion.ts': [
    ['export const a = (run: () => number) => {'],
    ['  try { return run() }'],
    ['  catch { return 0 }', 'rethrowExhaustion'],
    ['}'],
    ['export const b = (run: () => number, rethrowExhaustion: (error: unknown) => void) => {'],
    ['  try { return run() }'],
    ['  catch (error) { rethrowExhaustion(error); return 0 }'],
    ['}'],
  ],
  'daemon/cycle-a.ts': [["import { b } from './cycle-b.ts'", 'cycle'], ['export const a = b']],
  'daemon/cycle-b.ts': [["import type { a } from './cycle-a.ts'", 'cycle'], ['export const b: typeof a = 1']],
  'daemon/barrel.ts': [["export { a } from './style.ts'", 'barrel']],
  'daemon/style.ts': [
    ['export enum A { B }', 'enum'],
    ['export default 1', 'default'],
    ['export const a = (x: any) => x', 'any'],
    ["import { Buffer } from 'node:buffer'", 'type'],
    ['export type C = Buffer'],
  ],
}

interface BiomeReport {
  readonly diagnostics: readonly {
    readonly message: string
    readonly location: { readonly path: string; readonly start: { readonly line: number } }
  }[]
}

function biome(folder: string): readonly Finding[] {
  for (const file of readdirSync(root))
    if (file === 'biome.json' || file.endsWith('.grit')) copyFileSync(join(root, file), join(folder, file))
  const program = join(root, 'node_modules/@biomejs/biome/bin/biome')
  const args = [program, 'lint', '--reporter=json', '--max-diagnostics=none', '.']
  let report: string
  try {
    report = execFileSync(process.execPath, args, {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
  } catch (error) {
    // It exits with 1 where it finds something.
    report = (error as { stdout: string }).stdout
  }
  return (JSON.parse(report) as BiomeReport).diagnostics.map(({ message, location }) => ({
    file: location.path,
    line: location.start.line,
    what: message,
  }))
}

describe('the linter', () => {
  let folder: ReturnType<typeof tempDir>
  beforeEach(() => {
    folder = tempDir()
  })
  afterEach(() => folder.remove())

  it('finds what consensus code may not do, and nothing else', () => {
    plant(folder.path, CONSENSUS)
    expectFindings(CONSENSUS, biome(folder.path))
  })
})
