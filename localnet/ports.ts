import { createServer } from 'node:net'

/** The ports of one node. */
export interface Ports {
  readonly rest: number
  readonly jsonrpc: number
  readonly rpc: number
  readonly p2p: number
  readonly metrics: number
}

const defaultPorts: Ports = {
  rest: 1317,
  jsonrpc: 8545,
  rpc: 26_657,
  p2p: 26_656,
  metrics: 26_660,
}

type Service = keyof Ports

function listens(host: string, port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(undefined))
    server.listen({ host, port, exclusive: true }, () => {
      const address = server.address()
      const found = typeof address === 'object' && address !== null ? address.port : undefined
      server.close(() => resolve(found))
    })
  })
}

/** Whether nobody listens on a port, on loopback or on all addresses. */
export const isFree = async (port: number): Promise<boolean> =>
  (await listens('127.0.0.1', port)) !== undefined && (await listens('0.0.0.0', port)) !== undefined

/**
 * Ports for each node: the well-known ones, ten more for each further node; where one is taken, that of `before`,
 * and where that is too, any free one. `replaced` names those as "rest 1317 → 40123". With `anyFree`, any free ones
 * throughout.
 */
export async function choosePorts(
  before: readonly Ports[],
  { anyFree = false } = {},
): Promise<{ ports: Ports[]; replaced: string[] }> {
  const taken = new Set(before.flatMap((ports, i) => [...Object.values(ports), ...Object.values(portsOf(i))]))
  const replaced: string[] = []
  const ports: Ports[] = []
  for (const [i, earlier] of before.entries()) {
    const chosen: Record<string, number> = {}
    for (const [service, port] of Object.entries(portsOf(i)) as [Service, number][]) {
      const candidates = anyFree ? [] : [port, earlier[service]]
      chosen[service] = (await firstFree(candidates)) ?? (await freePort(taken))
      if (!anyFree && chosen[service] !== port) replaced.push(`${service} ${port} → ${chosen[service]}`)
    }
    ports.push(chosen as unknown as Ports)
  }
  return { ports, replaced }
}

async function firstFree(ports: readonly number[]): Promise<number | undefined> {
  for (const port of ports) if (await isFree(port)) return port
  return undefined
}

async function freePort(taken: Set<number>): Promise<number> {
  for (;;) {
    const port = await listens('127.0.0.1', 0)
    if (port === undefined || taken.has(port) || !(await isFree(port))) continue
    taken.add(port)
    return port
  }
}

/** The default ports of the node of this index: ten more for each. */
export const portsOf = (index: number): Ports =>
  Object.fromEntries(
    Object.entries(defaultPorts).map(([service, port]) => [service, port + 10 * index]),
  ) as unknown as Ports
