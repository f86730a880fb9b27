import { isatty } from 'node:tty'
import type { Output } from '../daemon/output.ts'
import type { Progress } from './localnet.ts'

/** Steps as lines, each with the time it took; on a terminal the time is seen running. */
export function terminalProgress(out: Pick<Output, 'write'>, isTerminal = isatty(1)): Progress {
  let begin = 0
  let step = ''
  let timer: NodeJS.Timeout | undefined
  let open = false
  const seconds = (): number => Math.round((Date.now() - begin) / 1000)
  const clear = isTerminal ? '\r\x1b[K' : ''
  return {
    begin(text) {
      step = text
      begin = Date.now()
      open = true
      out.write(`${step} … `)
      if (isTerminal) timer = setInterval(() => out.write(`${clear}${step} … ${seconds()} s`), 1000)
    },
    done(result) {
      clearInterval(timer)
      open = false
      out.write(
        `${isTerminal ? `${clear}${step} … ` : ''}${result === undefined ? '' : `${result}, `}${seconds()} s\n`,
      )
    },
    note(line) {
      out.write(`${clear}${open && !isTerminal ? '\n' : ''}  ${line}\n`)
    },
  }
}
