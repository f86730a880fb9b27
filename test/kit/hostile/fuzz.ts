import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect } from 'chai'
import { pick, type Random } from '../random.ts'

/** Mutated inputs of a whole run over all suites; `make fuzz` sets a million. */
const TOTAL = Number(process.env['FUZZ'] ?? 40_000)

/** Another seed, another run; the same one repeats it. */
export const fuzzSeed = Number(process.env['FUZZ_SEED'] ?? 1)

/** A suite's part of all inputs. The percentages of all suites sum to 100; JSON-RPC's comes on top. */
export const fuzzInputs = (percent: number): number => Math.ceil((TOTAL * percent) / 100)

/** Time for so many inputs, none of which is awaited for long. */
export const fuzzTimeoutMs = (inputs: number): number => 60_000 + inputs * 5

const telling = [0, 0x7f, 0x80, 0xff, 0x0a, 0x0b, 0x0c]

/** One to `times` changes: bytes flipped, cut out, put in, repeated, or swapped for telling ones. */
export function mutated(random: Random, input: Uint8Array, times = 6): Uint8Array {
  let bytes = Buffer.from(input)
  for (let i = 1 + random(times); i > 0; i--) {
    const at = random(bytes.length + 1)
    const kind = random(5)
    if (kind === 0) bytes[at] = (bytes[at] ?? 0) ^ (1 << random(8))
    else if (kind === 1) bytes[at] = pick(random, telling)
    else if (kind === 2) bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + random(8))])
    else if (kind === 3)
      bytes = Buffer.concat([bytes.subarray(0, at), Buffer.alloc(random(9), random(256)), bytes.subarray(at)])
    else bytes = Buffer.concat([bytes, bytes.subarray(at, at + random(64))])
  }
  return new Uint8Array(bytes)
}

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** Bytes that the process holds on to. */
function held(): number {
  collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

const ALLOWED = 64 * 1024 * 1024

/** Runs `count` inputs and expects that memory does not grow with them: caches may fill in the first tenth. */
export async function inBoundedMemory(count: number, run: (n: number) => unknown): Promise<void> {
  const warm = Math.ceil(count / 10)
  let before = 0
  for (let n = 0; n < count; n++) {
    if (n === warm) before = held()
    await run(n)
  }
  const grown = held() - before
  expect(grown, `bytes more after ${count} inputs`).to.be.lessThan(ALLOWED)
}
