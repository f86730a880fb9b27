import type { Chain } from '../../../app/chain.ts'
import { objectSchema, type Route } from '../route.ts'

/** `GET /`: whoever opens the bare address is told what is here. */
export const rootRoute = (chain: Chain, version: string): Route => ({
  method: 'GET',
  path: '/',
  tag: 'Node',
  summary: 'What this is, and where it is described',
  answers: {
    200: {
      description: 'Paths are of this host.',
      schema: objectSchema({
        name: { type: 'string', const: 'fornaxd' },
        version: { type: 'string' },
        chain_id: { type: 'string', description: 'Empty before the first start of the chain.' },
        docs: { type: 'string', description: 'A page for people.' },
        openapi: { type: 'string', description: 'The same for programs.' },
      }),
    },
  },
  run: () => ({
    status: 200,
    body: {
      name: 'fornaxd',
      version,
      chain_id: chain.lastBlock.chainId,
      docs: '/docs',
      openapi: '/openapi.json',
    },
  }),
})
