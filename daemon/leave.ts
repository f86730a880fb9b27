import { isatty } from 'node:tty'

const terminals = [0, 1, 2].filter((fd) => isatty(fd))

/**
 * Ends the process, as process.exit does. Node.js crashes there when it sets back a terminal that was closed meanwhile:
 * then the process ends as by the hang-up that it has outlived.
 */
export function leave(exitCode: number): never {
  process.once('exit', () => {
    if (terminals.every((fd) => isatty(fd))) return
    process.removeAllListeners('SIGHUP')
    process.kill(process.pid, 'SIGHUP')
  })
  process.exit(exitCode)
}
