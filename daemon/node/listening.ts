import { ConfigError } from '../config/file.ts'
import { listenAddress } from '../config/kinds.ts'

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program listens there',
  EADDRNOTAVAIL: 'this machine has no such address',
  EACCES: 'this user may not listen there',
  ENOTFOUND: 'the name of this host is unknown',
}

type Address = Parameters<typeof listenAddress.render>[0]

/** Answers as `listen` does. Where the system refuses the address, rejects with a ConfigError that names its setting. */
export async function listening<T>(setting: string, address: Address, listen: () => Promise<T>): Promise<T> {
  try {
    return await listen()
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException
    if (code === undefined || syscall === undefined) throw error
    const where = JSON.parse(listenAddress.render(address)) as string
    throw new ConfigError(`${setting}: cannot listen on ${where}: ${REASONS[code] ?? code}`, { cause: error })
  }
}
