import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { ChainError } from '../../core/error.ts'
import { CallRefused, loadMachine } from '../../modules/evm/api.ts'
import { EthBlocks } from '../index/eth-blocks.ts'
import { findLogs, TooManyLogs } from '../index/eth-logs.ts'
import { SideStore } from '../store/side-store.ts'
import { StoreError } from '../store/store-error.ts'
import type { WorkerAnswer, WorkerRequest } from './messages.ts'
import { runCall } from './run-call.ts'

const { path } = workerData as { readonly path: string }
/** Of this thread alone: consensus goes first. */
const NICE = 10
try {
  setPriority(NICE)
} catch {
  // Where it may not be lower, it is as it is.
}
await loadMachine()
const store = await SideStore.open(path)
const source = {
  blocks: new EthBlocks({
    get height() {
      return store.height
    },
    initialHeight: 0n,
    local: store.local,
  }),
  at: (height: number) => store.at(height),
}

function answer({ id, request }: WorkerRequest): WorkerAnswer {
  try {
    const result =
      request.kind === 'logs'
        ? findLogs(source.blocks, request.filter, request.from, request.to)
        : runCall(source, request)
    return { id, result }
  } catch (error) {
    const isTold =
      error instanceof CallRefused ||
      error instanceof TooManyLogs ||
      error instanceof ChainError ||
      (error instanceof StoreError && error.code === 'height_not_kept')
    if (isTold) return { id, refused: error.message }
    return { id, failed: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

parentPort!.on('message', (message: WorkerRequest) => parentPort!.postMessage(answer(message)))
