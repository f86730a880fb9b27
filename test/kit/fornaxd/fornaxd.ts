import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { PATIENCE } from '../patience.ts'

const program = fileURLToPath(new URL('../../../../bin/fornaxd', import.meta.url))

export interface Run {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs the command line as a process of its own, as a script does; `input` is its standard input. */
export function fornaxd(args: readonly string[], input = '', env: Record<string, string> = {}): Promise<Run> {
  return new Promise((resolve, reject) => {
    const child = execFile(
      program,
      args,
      { env: { PATH: process.env['PATH'], ...env }, maxBuffer: 1 << 26, timeout: 60_000 * PATIENCE },
      (error, stdout, stderr) => {
        if (error && typeof error.code !== 'number') reject(error)
        else resolve({ code: error ? Number(error.code) : 0, stdout, stderr })
      },
    )
    child.stdin?.on('error', () => {})
    child.stdin?.end(input)
  })
}
