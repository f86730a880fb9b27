import { ColdApp } from './cold-app.ts'
import type { ColdAnswer, ColdMessage } from './protocol.ts'

const apps = new Map<number, { readonly app: ColdApp; queue: Promise<unknown> }>()

async function run({ app: id, call }: ColdMessage): Promise<Uint8Array | undefined> {
  if (call.kind === 'open') {
    apps.set(id, { app: new ColdApp(call.options), queue: Promise.resolve() })
    return undefined
  }
  const entry = apps.get(id)
  // Tests may stop a chain twice.
  if (entry === undefined && call.kind === 'close') return undefined
  if (entry === undefined) throw new Error(`there is no cold application ${id}`)
  const done = entry.queue.then(() => entry.app.call(call))
  entry.queue = done.catch(() => {})
  const answer = await done
  if (call.kind === 'close') apps.delete(id)
  return answer
}

process.on('message', (message: ColdMessage) => {
  const reply = (answer: ColdAnswer): void => void process.send!(answer)
  run(message).then(
    (answer) => reply({ id: message.id, answer }),
    (error: unknown) =>
      reply({ id: message.id, error: error instanceof Error ? `${error.stack}` : `${error}` }),
  )
})
process.on('disconnect', () => process.exit())
