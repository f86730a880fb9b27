import { Agent, get } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'

/** In a thread of its own, so that the load beside it delays no figure: asks each URL in turns, ten a second. */
const { urls } = workerData as { readonly urls: readonly string[] }
const EVERY_MS = 100
const agent = new Agent({ keepAlive: true, maxSockets: 20 })
let latencies: number[] = []
let failures = 0
let asked = 0

const ask = (): void => {
  const began = performance.now()
  const request = get(urls[asked++ % urls.length]!, { agent, timeout: 30_000 }, (response) => {
    response.resume()
    response.on('end', () => {
      if (response.statusCode === 200) latencies.push(performance.now() - began)
      else failures++
    })
  })
  request.on('timeout', () => request.destroy())
  request.on('error', () => failures++)
}
const timer = setInterval(ask, EVERY_MS)

parentPort!.on('message', (message: 'take' | 'stop') => {
  if (message === 'stop') {
    clearInterval(timer)
    agent.destroy()
    parentPort!.close()
    return
  }
  parentPort!.postMessage({ latencies, failures })
  latencies = []
  failures = 0
})
