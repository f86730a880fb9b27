import { expect } from 'chai'
import {
  type OfUnknown,
  parseQueryString,
  putParameter,
} from '../../../../../../daemon/http/rest/sdk/query-string.ts'
import { routePattern } from '../../../../../../daemon/http/rest/sdk/route-pattern.ts'
import '../../../../../../modules/index.ts'

describe('a route of a definition', () => {
  it('becomes a path of the server and of OpenAPI', () => {
    expect(routePattern('GET /cosmos/bank/v1beta1/balances/{address}/by_denom')).to.deep.equal({
      method: 'GET',
      url: '/cosmos/bank/v1beta1/balances/:p0/by_denom',
      path: '/cosmos/bank/v1beta1/balances/{address}/by_denom',
      fields: [{ field: 'address', key: 'p0' }],
    })
    expect(routePattern('GET /x/{denom=**}')).to.deep.equal({
      method: 'GET',
      url: '/x/*',
      path: '/x/{denom}',
      fields: [{ field: 'denom', key: '*' }],
    })
    expect(() => routePattern('GET /x/{denom=**}/y')).to.throw()
    expect(() => routePattern('GET /x/{a=b/*}')).to.throw()
  })
})

describe('query parameters', () => {
  const read = (type: string, text: string, unknown: OfUnknown = 'refused'): object => {
    const json = {}
    for (const [name, value] of Object.entries(parseQueryString(text)))
      putParameter(type, json, name, value, unknown)
    return json
  }
  const balances = 'cosmos.bank.v1beta1.QueryAllBalancesRequest'

  it('are read by the definition of the request', () => {
    expect(read(balances, 'pagination.limit=5&pagination.countTotal=1&resolve_denom=true')).to.deep.equal({
      pagination: { limit: '5', count_total: true },
      resolve_denom: true,
    })
    expect(read(balances, 'pagination.key=a+b/')).to.deep.equal({ pagination: { key: 'a+b/' } })
    expect(read('cosmos.bank.v1beta1.QuerySendEnabledRequest', 'denoms=a&denoms=b')).to.deep.equal({
      denoms: ['a', 'b'],
    })
    expect(read('cosmos.tx.v1beta1.GetTxsEventRequest', 'order_by=2')).to.deep.equal({ order_by: 2 })
    expect(read('cosmos.tx.v1beta1.GetTxsEventRequest', 'orderBy=ORDER_BY_ASC')).to.deep.equal({
      order_by: 'ORDER_BY_ASC',
    })
  })

  it('of which the request knows nothing are refused', () => {
    for (const text of [
      'x=',
      'pagination=',
      'pagination.x=',
      'address.x=',
      'address=a&address=b',
      'toString=',
    ])
      expect(() => read(balances, text), text).to.throw()
  })

  it('of which the request knows nothing are left out where they are to be ignored, and no others', () => {
    expect(
      read(balances, 'x=&pagination.x=1&x.y=2&__proto__=3&toString=4&pagination.limit=5', 'ignored'),
    ).to.deep.equal({ pagination: { limit: '5' } })
    for (const text of ['pagination=', 'address.x=', 'address=a&address=b', 'resolve_denom=maybe'])
      expect(() => read(balances, text, 'ignored'), text).to.throw()
  })
})
