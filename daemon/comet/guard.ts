import { type ChildProcess, spawn } from 'node:child_process'

/** How long a CometBFT whose node has died may take to end by itself. */
const LEAVING_S = 5

/**
 * Watches over a CometBFT, the leader of its process group, so that it ends with this process, however that ends. A CometBFT that loses its application in
 * the middle of a block can stay there for ever, with its ports and its home. Call `release` when it has ended. Where no
 * shell can be started `onError` is told: the next start of the node ends what is left behind then.
 */
export function guard(pid: number, onError: (error: Error) => void): { release(): void } {
  // Its standard input ends when this process does: nothing else is ever written to it.
  const script = `read -r _
for second in ${[...Array(LEAVING_S).keys()].join(' ')}; do
  kill -s 0 -- -${pid} 2>/dev/null || exit
  sleep 1
done
kill -s KILL -- -${pid}`
  const watcher: ChildProcess = spawn('sh', ['-c', script], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  watcher.once('error', onError)
  watcher.unref()
  return { release: () => watcher.kill('SIGKILL') }
}
