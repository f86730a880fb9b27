import { openStore, writesOf } from './store.ts'

/** `node committer.js <path>`: commits block after block, and says each height before and after it. Killed by a test. */
const store = await openStore(process.argv[2]!, {
  stores: ['bank', 'staking'],
  pruning: { kind: 'everything' },
})
for (let height = store.height + 1; ; height++) {
  const entries = Object.fromEntries(
    Array.from({ length: 200 }, (_, i) => [`key/${(height * 31 + i * 17) % 1000}`, `value ${height}`]),
  )
  const appHash = store.stage(height, [
    writesOf('bank', entries),
    writesOf('staking', { height: `${height}` }),
  ])
  process.stdout.write(`${height} ${Buffer.from(appHash).toString('hex')}\n`)
  await store.commit([[Buffer.from('local'), Buffer.from(`${height}`)]])
  process.stdout.write(`${height} done\n`)
}
