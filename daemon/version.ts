import { readFileSync } from 'node:fs'

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string
}

/** The commit that was compiled, in hex; empty where the sources came without git. */
export const appCommit: string = commitIn(new URL('../commit', import.meta.url))

function commitIn(file: URL): string {
  try {
    const text = readFileSync(file, 'utf8').trim()
    return /^[0-9a-f]{40,64}$/.test(text) ? text : ''
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}

export const appName = 'fornaxd'
export const appVersion: string = version
