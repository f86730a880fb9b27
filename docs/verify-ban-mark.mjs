// node docs/verify-ban-mark.mjs http://127.0.0.1:1317/agents/bans/<address>
import { createHash } from 'node:crypto'
import * as ed25519 from '@noble/ed25519'

ed25519.hashes.sha512 = (message) => new Uint8Array(createHash('sha512').update(message).digest())
const bytes = (base64) => new Uint8Array(Buffer.from(base64, 'base64'))
const { marks } = await (await fetch(process.argv[2])).json()
for (const { mark: m, pub_key, signature } of marks) {
  const lines = ['fornax/ban-mark', m.chain_id, m.node, m.height, m.reason, m.score, m.model_hash, m.issuer]
  const valid = ed25519.verify(bytes(signature), new TextEncoder().encode(lines.join('\n')), bytes(pub_key))
  console.log(`${m.issuer} ${valid ? 'valid' : 'INVALID'}`)
  if (!valid) process.exitCode = 1
}
