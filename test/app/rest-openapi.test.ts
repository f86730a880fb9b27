import { Validator } from '@seriousme/openapi-schema-validator'
import { expect } from 'chai'
import { RestChain } from '../kit/http/rest.ts'

interface Operation {
  readonly operationId: string
  readonly parameters?: readonly { readonly name?: string; readonly in?: string }[]
  readonly responses: Readonly<Record<string, unknown>>
}

describe('the OpenAPI document', () => {
  let rest: RestChain
  // biome-ignore lint/suspicious/noExplicitAny: a document of JSON
  let document: any
  before(async () => {
    rest = await RestChain.start()
    document = (await rest.get('/openapi.json')).body
  })
  after(() => rest.stop())

  const operations = (): Operation[] =>
    Object.values(document.paths as Record<string, Record<string, Operation>>).flatMap((p) =>
      Object.values(p),
    )

  it('is valid by the schema of OpenAPI 3.1', async () => {
    const result = await new Validator().validate(structuredClone(document))
    expect(result.errors ?? []).to.deep.equal([])
    expect(result.valid).to.equal(true)
    expect(document.openapi).to.match(/^3\.1\./)
  })

  it('names every operation once, every path parameter, and only schemas that are there', () => {
    const ids = operations().map((o) => o.operationId)
    expect(new Set(ids).size).to.equal(ids.length)
    for (const [path, methods] of Object.entries<Record<string, Operation>>(document.paths))
      for (const { parameters = [] } of Object.values(methods)) {
        const named = parameters.filter((p) => p.in === 'path').map((p) => p.name)
        expect(named, path).to.deep.equal([...path.matchAll(/\{([^}]+)\}/g)].map((m) => m[1]))
      }
    const references = new Set(
      [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map((m) => m[1]!),
    )
    for (const name of references) expect(document.components.schemas).to.have.property(name)
  })

  it('has every route, and each of them answers', async () => {
    expect(Object.keys(document.paths)).to.include.members([
      '/agents/bans/{address}',
      '/agents/consensus',
      '/agents/decisions',
      '/agents/metrics',
      '/agents/routing',
      '/broadcast_tx',
      '/events',
      '/classifier/predict/{address}',
      '/health',
      '/ready',
      '/cosmos/bank/v1beta1/balances/{address}/by_denom',
      '/cosmos/bank/v1beta1/denom_owners/{denom}',
      '/cosmos/tx/v1beta1/txs/{hash}',
    ])
    for (const path of Object.keys(document.paths).filter((p) => document.paths[p].get)) {
      const { status } = await rest.get(path.replace(/\{[^}]+\}/g, '1'))
      expect(status, path).to.be.oneOf([200, 400, 404, 503])
    }
    expect(rest.faults).to.deep.equal([])
  })

  it('describes exactly the fields of the answers', async () => {
    const address = rest.chain.user('alice').text
    for (const [path, url] of [
      ['/cosmos/bank/v1beta1/balances/{address}', `/cosmos/bank/v1beta1/balances/${address}`],
      ['/cosmos/auth/v1beta1/params', '/cosmos/auth/v1beta1/params'],
      ['/health', '/health'],
    ] as const) {
      const { body } = await rest.get(url)
      let schema = document.paths[path].get.responses['200'].content['application/json'].schema
      if (schema.$ref) schema = document.components.schemas[schema.$ref.split('/').pop()]
      expect(Object.keys(body)).to.have.members(Object.keys(schema.properties))
    }
  })

  it('describes errors in the form that their path has', async () => {
    for (const [path, url, name] of [
      ['/cosmos/bank/v1beta1/balances/{address}', '/cosmos/bank/v1beta1/balances/x', 'SdkError'],
      ['/fornax/classifier/v1/features/{validator}', '/fornax/classifier/v1/features/x', 'Error'],
      ['/agents/bans/{address}', '/agents/bans/x', 'Error'],
    ] as const) {
      const { status, body } = await rest.get(url)
      expect(status).to.equal(400)
      let response = document.paths[path].get.responses['400']
      if (response.$ref) response = document.components.responses[response.$ref.split('/').pop()]
      expect(response.content['application/json'].schema.$ref).to.equal(`#/components/schemas/${name}`)
      expect(Object.keys(body)).to.have.members(Object.keys(document.components.schemas[name].properties))
    }
  })

  it('is shown by a page that takes nothing from elsewhere', async () => {
    const page = await rest.get('/docs')
    expect(page.headers.get('content-type')).to.equal('text/html; charset=utf-8')
    expect(page.headers.get('content-security-policy')).to.contain("default-src 'none'; script-src 'self'")
    const parts = [...String(page.body).matchAll(/(?:src|href)="([^"]+)"/g)].map((m) => m[1]!)
    for (const part of parts.filter((p) => p !== 'data:,')) {
      expect(part).to.match(/^\/[a-z]/)
      expect((await rest.get(part)).status, part).to.equal(200)
    }
    expect(String(page.body)).not.to.match(/https?:|style=|onclick/)
  })
})
