import { readdirSync, readFileSync } from 'node:fs'

const TICKS_PER_SECOND = 100
const MIB = 2 ** 20

/** Processor seconds that a process has used, all threads. */
function processorSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}

function descendants(pid: number): number[] {
  const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  )
  return children.flatMap((child) => [child, ...descendants(child)])
}

const nameOf = (pid: number): string => readFileSync(`/proc/${pid}/comm`, 'utf8').trim()

export interface ProcessUsage {
  /** Processor seconds of the node's own process, and of the CometBFT under it (0 where it is one process). */
  readonly node: number
  readonly comet: number
  /** MiB, the most that the node's own process has had resident. */
  readonly peakResident: number
}

export function usageOf(pid: number): ProcessUsage {
  const comet = descendants(pid).find((child) => nameOf(child).startsWith('comet'))
  const peak = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return {
    node: processorSeconds(pid),
    comet: comet === undefined ? 0 : processorSeconds(comet),
    peakResident: (Number(peak?.[1] ?? 0) * 1024) / MIB,
  }
}

/** Samples the heap of a Node.js process by its metrics, twice a second; `stop` answers its peak in MiB. */
export function watchHeap(metrics: string): { stop(): number } {
  let peak = 0
  const sample = async (): Promise<void> => {
    const text = await fetch(metrics)
      .then((answer) => answer.text())
      .catch(() => '')
    const used = /^nodejs_heap_size_used_bytes (\S+)/m.exec(text)
    peak = Math.max(peak, Number(used?.[1] ?? 0) / MIB)
  }
  const timer = setInterval(() => void sample(), 500)
  return {
    stop() {
      clearInterval(timer)
      return peak
    },
  }
}
