import { parentPort } from 'node:worker_threads'
import { verifyBatch } from './batch.ts'

parentPort!.on('message', (batch: Uint8Array) => parentPort!.postMessage(verifyBatch(batch)))
