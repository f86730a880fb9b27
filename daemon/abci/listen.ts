import { chmodSync, lstatSync, unlinkSync } from 'node:fs'
import { connect, type Server } from 'node:net'
import { type Endpoint, formatAddress } from './address.ts'
import { ListenError } from './errors.ts'

/**
 * Makes `server` listen and returns where. A unix socket file that nobody answers on is replaced; the new one is
 * for its owner alone. Throws ListenError where a live server has the address, or the system refuses it.
 */
export async function listen(server: Server, endpoint: Endpoint): Promise<Endpoint> {
  if ('path' in endpoint) {
    await removeStaleSocket(endpoint.path)
    await bind(server, endpoint)
    chmodSync(endpoint.path, 0o600)
    return endpoint
  }
  await bind(server, endpoint)
  const bound = server.address()
  return typeof bound === 'object' && bound !== null ? { host: endpoint.host, port: bound.port } : endpoint
}

function bind(server: Server, endpoint: Endpoint): Promise<void> {
  return new Promise((resolve, reject) => {
    const refuse = (error: NodeJS.ErrnoException) => {
      const inUse = error.code === 'EADDRINUSE'
      const why = inUse ? 'another server is using it' : error.message
      reject(new ListenError(`cannot listen on ${formatAddress(endpoint)}: ${why}`, { cause: error }))
    }
    server.once('error', refuse)
    server.listen(endpoint, () => {
      server.removeListener('error', refuse)
      resolve()
    })
  })
}

async function removeStaleSocket(path: string): Promise<void> {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (stat === undefined) return
  if (!stat.isSocket())
    throw new ListenError(`cannot listen on unix://${path}: a file that is no socket is there`)
  if (await answers(path)) {
    throw new ListenError(`cannot listen on unix://${path}: another server is using it`)
  }
  unlinkSync(path)
}

function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(path)
    probe.once('connect', () => {
      probe.destroy()
      resolve(true)
    })
    probe.once('error', () => resolve(false))
  })
}
