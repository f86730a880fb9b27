import { exitCodes } from './commands/exit.ts'
import { failureOf } from './commands/failure.ts'
import { createProgram } from './commands/program.ts'
import { keepHangupIgnored } from './end-signals.ts'

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // `fornaxd … | head` is no failure.
  if (error.code === 'EPIPE') process.exit(exitCodes.ok)
  throw error
})

keepHangupIgnored()
try {
  await createProgram().parseAsync()
} catch (error) {
  const { reason, origin, exitCode } = failureOf(error)
  process.stderr.write(reason + origin)
  process.exitCode = exitCode
}
// A terminal that was asked something keeps the process alive otherwise.
process.stdin.unref?.()
