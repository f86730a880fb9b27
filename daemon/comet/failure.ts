/** CometBFT does not go on, and starting it again does not help. The message has its own words. */
export class CometFailure extends Error {
  override readonly name = 'CometFailure'
}

/** What a further start cannot mend; in CometBFT's words or the system's. */
const LASTING =
  /address already in use|cannot assign requested address|permission denied|read-only file system|no space left on device|is higher than core|error reading genesis|couldn't read GenesisDoc|genesis doc|failed to (?:read|load) config|error in config|validators? .* mismatch|database .*corrupt|corrupted|unmarshal/i

const MAX_LENGTH = 400

/** Why CometBFT ended, of the last lines that it printed: what it says last before a stack trace. */
export function causeIn(lines: readonly string[]): string | undefined {
  for (const line of [...lines].reverse()) {
    const [, told] = /^(?:ERROR|Error|panic|fatal error): (.+)$/.exec(line.trim()) ?? []
    // Go tells a panic in its own error handling as another one.
    if (told !== undefined && !/^\(.*\) 0x/.test(told)) return told.slice(0, MAX_LENGTH)
  }
  return undefined
}

export const isLasting = (cause: string): boolean => LASTING.test(cause)
