/** The process of cold applications: its memories are replaced before anything of the chain is loaded. */
import { register } from 'node:module'

register('./forgetful-hooks.js', import.meta.url)
await import('./cold-apps.js' as string)
process.send!('ready')
