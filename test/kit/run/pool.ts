import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { nothing, type Tally } from './tally.ts'

const program = fileURLToPath(new URL('worker.js', import.meta.url))

/** A process that runs test files; another one takes its place where it ends while it does. */
class Worker {
  #child: ChildProcess | undefined

  run(files: readonly string[]): Promise<Tally> {
    this.#child ??= fork(program)
    const child = this.#child
    return new Promise((resolve) => {
      const ended = (code: number | null, signal: string | null): void => {
        child.off('message', done)
        this.#child = undefined
        const failures = [`${files.join(', ')}: the tests' process ended with ${code ?? signal}`]
        console.log(`  FAILED ${failures[0]}`)
        resolve({ ...nothing(), failed: 1, failures })
      }
      const done = (tally: unknown): void => {
        child.off('exit', ended)
        resolve(tally as Tally)
      }
      child.once('exit', ended)
      child.once('message', done)
      child.send(files)
    })
  }

  /** Ends the process: whatever tests left running holds up nothing. */
  end(): void {
    this.#child?.kill('SIGTERM')
  }
}

/** Runs the groups in `lanes` processes at once, and tells what came of each. */
export async function runAll(
  groups: readonly (readonly string[])[],
  lanes: number,
  tell: (files: readonly string[], tally: Tally, seconds: number) => void,
): Promise<void> {
  const queue = [...groups]
  const lane = async (): Promise<void> => {
    const worker = new Worker()
    for (let files = queue.shift(); files !== undefined; files = queue.shift()) {
      const begin = performance.now()
      const tally = await worker.run(files)
      tell(files, tally, (performance.now() - begin) / 1000)
    }
    worker.end()
  }
  await Promise.all(Array.from({ length: lanes }, lane))
}
