import { memoryUsage } from 'node:process'
import { Store } from '../../daemon/store/store.ts'
import { Draw, writesFor } from './workload.ts'

/** `node fornax.js <directory> <leaves> <updates> <rounds>`: prints one JSON object, as main.go does. */
const [path, ...numbers] = process.argv.slice(2)
const [leaves, updates, rounds] = numbers.map(Number)
if (!path || !leaves || !updates || !rounds)
  throw new Error('usage: fornax.js <directory> <leaves> <updates> <rounds>')

const options = { path, stores: ['bench'], pruning: { kind: 'nothing' } } as const
let store = await Store.open(options)
let height = 0
for (let from = 0; from < leaves; from += 100_000) {
  const batch = Array.from({ length: Math.min(100_000, leaves - from) }, (_, i) => from + i)
  store.stage(++height, [writesFor('bench', batch, 0)])
  await store.commit()
}
const draw = new Draw()
const commitMs: number[] = []
const stageMs: number[] = []
for (let round = 1; round <= rounds; round++) {
  const writes = writesFor('bench', draw.take(leaves, updates), round)
  const started = performance.now()
  store.stage(++height, [writes])
  stageMs.push(performance.now() - started)
  await store.commit()
  commitMs.push(performance.now() - started)
}
const root = Buffer.from(store.at(height).roots[0]!.hash).toString('hex')
const residentBytes = memoryUsage().rss
await store.close()
const started = performance.now()
store = await Store.open(options)
const restartMs = performance.now() - started
await store.close()
console.log(JSON.stringify({ commitMs, stageMs, root, residentBytes, restartMs }))
