// node docs/verify-ban-mark.mjs http://127.0.0.1:1317/agents/bans/<address>
import { createHash } from 'node:crypto'
import * as ed25519 from '@noble/ed25519'

ed25519.hashes.sha512 = (message) => new Uint8Array(createHash('sha512').update(message).digest())
const bytes = (base64) => new Uint8Array(Buffer.from(base64, 'base64'))

/** The ban at a URL. Exits with 2 and a line that says why where there is none to verify. */
async function banAt(url) {
  try {
    if (!URL.canParse(url))
      throw new Error('give the URL of a ban: http://127.0.0.1:1317/agents/bans/fornaxvaloper1…')
    const answer = await (await fetch(url)).json()
    if (!Array.isArray(answer?.marks)) throw new Error(answer?.error?.message ?? 'the answer is no ban')
    return answer
  } catch (error) {
    console.error(`Nothing to verify: ${error.cause?.message ?? error.message}`)
    process.exit(2)
  }
}

function isValid({ mark: m, pub_key, signature }) {
  const lines = ['fornax/ban-mark', m.chain_id, m.node, m.height, m.reason, m.score, m.model_hash, m.issuer]
  try {
    return ed25519.verify(bytes(signature), new TextEncoder().encode(lines.join('\n')), bytes(pub_key))
  } catch {
    return false
  }
}

for (const signed of (await banAt(process.argv[2])).marks) {
  const valid = isValid(signed)
  console.log(`${signed.mark.issuer} ${valid ? 'valid' : 'INVALID'}`)
  if (!valid) process.exitCode = 1
}
