import { readFileSync } from 'node:fs'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { JsonSchema } from '../route.ts'

type Handler = (request: FastifyRequest, reply: FastifyReply) => FastifyReply

const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** The page's files lie beside the sources; the compiled code is one folder deeper. */
const read = (name: string): string =>
  readFileSync(new URL(`../../../../../daemon/http/rest/openapi/docs/${name}`, import.meta.url), 'utf8')

/** `/openapi.json`, and `/docs`: a page that shows it, with nothing from other hosts. */
export function docsRoutes(document: JsonSchema): [url: string, handler: Handler][] {
  const serve =
    (type: string, content: string): Handler =>
    (_request, reply) =>
      reply
        .headers({
          'content-type': `${type}; charset=utf-8`,
          'content-security-policy': CONTENT_SECURITY_POLICY,
        })
        .send(content)
  return [
    ['/openapi.json', serve('application/json', JSON.stringify(document))],
    ['/docs', serve('text/html', read('page.html'))],
    ['/docs/page.js', serve('text/javascript', read('page.js'))],
    ['/docs/page.css', serve('text/css', read('page.css'))],
  ]
}
