import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { CliError, exitCodes } from './exit.ts'

let piped: AsyncIterator<string> | undefined

/** The next line of stdin, where that is a pipe or a file. */
async function nextLine(): Promise<string | undefined> {
  piped ??= createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })[
    Symbol.asyncIterator
  ]()
  const { value, done } = await piped.next()
  return done ? undefined : value
}

/** Asks on the terminal, or takes the next line of stdin; `secret` shows nothing of what is typed. */
export async function ask(question: string, { secret = false } = {}): Promise<string> {
  if (!process.stdin.isTTY) {
    const line = await nextLine()
    if (line === undefined) throw new CliError(`${question}: nothing on standard input`, exitCodes.usage)
    return line
  }
  process.stderr.write(`${question}: `)
  return secret ? readUnseen() : readLine()
}

async function readLine(): Promise<string> {
  const lines = createInterface({ input: process.stdin })
  const [line] = (await once(lines, 'line')) as [string]
  lines.close()
  return line
}

/** A line typed without echo. Backspace works; Ctrl-C ends the process as ever. */
async function readUnseen(): Promise<string> {
  const { stdin } = process
  stdin.setRawMode(true)
  stdin.resume()
  stdin.setEncoding('utf8')
  let typed = ''
  try {
    for (;;) {
      const [chunk] = (await once(stdin, 'data')) as [string]
      for (const key of chunk) {
        if (key === '\r' || key === '\n') return typed
        if (key === '\u0003') process.exit(130)
        if (key === '\u0004') throw new CliError('nothing was typed', exitCodes.declined)
        typed = key === '\u007f' || key === '\b' ? typed.slice(0, -1) : typed + key
      }
    }
  } finally {
    stdin.setRawMode(false)
    stdin.pause()
    process.stderr.write('\n')
  }
}

/** FORNAX_KEYRING_PASSPHRASE, or what is typed, twice with `confirm`, or the next line of stdin. */
export async function askPassphrase(question: string, { confirm = false } = {}): Promise<string> {
  const given = process.env['FORNAX_KEYRING_PASSPHRASE']
  if (given !== undefined && given !== '') return given
  const passphrase = await ask(question, { secret: true })
  if (confirm && process.stdin.isTTY && (await ask('The same again', { secret: true })) !== passphrase)
    throw new CliError('the two passphrases differ: nothing was written')
  return passphrase
}

/** Whether the user agrees; `yes` answers for him. Without a terminal that is needed. */
export async function confirm(question: string, yes: boolean | undefined): Promise<void> {
  if (yes) return
  if (!process.stdin.isTTY)
    throw new CliError(`${question} Add --yes to agree without a terminal.`, exitCodes.usage)
  const answer = await ask(`${question} [y/N]`)
  if (!/^y(es)?$/i.test(answer.trim())) throw new CliError('nothing was done', exitCodes.declined)
}
