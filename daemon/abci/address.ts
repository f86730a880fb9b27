import { ListenError } from './errors.ts'

/** Where to listen: a unix socket's path, or a host and port (0 for any free one). */
export type Endpoint = { readonly path: string } | { readonly host: string; readonly port: number }

/** The kernel's `sun_path` has 108 bytes on Linux, 104 elsewhere, one of them the closing zero. */
const MAX_PATH_BYTES = process.platform === 'linux' ? 107 : 103

/** Reads `unix:///path` or `tcp://host:port`. Throws ListenError where it is neither, or the path is too long. */
export function parseAddress(address: string): Endpoint {
  if (address.startsWith('unix://')) {
    const path = address.slice('unix://'.length)
    if (path === '') throw new ListenError('the address unix:// names no path')
    const bytes = Buffer.byteLength(path)
    if (bytes > MAX_PATH_BYTES) {
      throw new ListenError(
        `the unix socket path ${path} has ${bytes} bytes, the system allows ${MAX_PATH_BYTES}: use a shorter one, or tcp://`,
      )
    }
    return { path }
  }
  const tcp = /^tcp:\/\/(?:\[([0-9a-f:.]+)\]|([^:/[\]]+)):(\d{1,5})$/i.exec(address)
  const host = tcp?.[1] ?? tcp?.[2]
  const port = Number(tcp?.[3])
  if (host === undefined || port > 65535) {
    throw new ListenError(`cannot listen on ${address}: write unix:///path or tcp://host:port`)
  }
  return { host, port }
}

export function formatAddress(endpoint: Endpoint): string {
  if ('path' in endpoint) return `unix://${endpoint.path}`
  const host = endpoint.host.includes(':') ? `[${endpoint.host}]` : endpoint.host
  return `tcp://${host}:${endpoint.port}`
}
