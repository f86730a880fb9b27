/** Told by what starts Node.js (bin/fornaxd, the Makefile), which itself forgets it. Not for the processes started here. */
const isHangupIgnored = process.env['FORNAX_HANGUP'] === 'ignored'
delete process.env['FORNAX_HANGUP']

/** Has SIGHUP ignored where it was at the program's start, as under `nohup`: a closed terminal does not end that. */
export function keepHangupIgnored(): void {
  if (isHangupIgnored) process.on('SIGHUP', () => {})
}

/** Tells `first` of the first signal to end, and `again` of later ones. */
export function onEndSignals(
  first: (signal: NodeJS.Signals) => void,
  again: (signal: NodeJS.Signals) => void,
): void {
  let isTold = false
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    if (signal === 'SIGHUP' && isHangupIgnored) continue
    process.on(signal, () => {
      // A terminal that is closed tells it more than once.
      if (isTold && signal === 'SIGHUP') return
      if (isTold) return again(signal)
      isTold = true
      first(signal)
    })
  }
}
