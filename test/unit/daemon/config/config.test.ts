import { expect } from 'chai'
import fc from 'fast-check'
import {
  ConfigError,
  defaultConfig,
  parseConfig,
  renderConfig,
  withSettings,
} from '../../../../daemon/config/file.ts'
import { homeLayout } from '../../../../daemon/config/home.ts'
import { everySetting } from '../../../../daemon/config/settings.ts'

const refusal = (text: string): string => {
  try {
    parseConfig(text, 'app.toml')
  } catch (error) {
    expect(error).to.be.instanceOf(ConfigError)
    return (error as Error).message
  }
  throw new Error('accepted')
}

describe('app.toml', () => {
  it('written from the defaults reads back as the defaults', () => {
    expect(parseConfig(renderConfig(defaultConfig()), 'app.toml')).to.deep.equal(defaultConfig())
  })

  it('has a comment line above every setting', () => {
    const lines = renderConfig(defaultConfig()).split('\n')
    for (const { key } of everySetting()) {
      const at = lines.findIndex((l) => l.startsWith(`${key} = `))
      expect(lines[at - 1], key).to.match(/^# .{10}/)
    }
  })

  it('reads durations, prices, addresses and lists', () => {
    const config = parseConfig(
      'minimum_gas_prices = "0afrx"\nslot_time = "4.6s"\n[rest]\naddress = "[::1]:80"\ncors_origins = ["*"]\n',
      'app.toml',
    )
    expect(config.minimum_gas_prices).to.deep.equal([{ amount: 0n, denom: 'afrx' }])
    expect(config.slot_time).to.equal(4600)
    expect(config.rest.address).to.deep.equal({ host: '::1', port: 80 })
    expect(config.rest.cors_origins).to.deep.equal(['*'])
  })

  it('names file, key, value and what is allowed when a value is malformed', () => {
    expect(refusal('[rest]\naddress = "nowhere"')).to.equal(
      'app.toml: rest.address is "nowhere", but must be host:port, such as "127.0.0.1:1317" or "[::1]:1317"',
    )
    expect(refusal('slot_time = 5')).to.match(/slot_time is 5, but must be a duration/)
    expect(refusal('[comet]\nmempool_size = 99999999999999999999999')).to.match(/mempool_size is 99999/)
    expect(refusal('[comet]\nmempool_size = 9223372036854775807')).to.match(
      /mempool_size is 9223372036854775807/,
    )
    expect(refusal('rest = 5')).to.equal('app.toml: rest is 5, but must be a section [rest]')
    expect(refusal('rest = []')).to.match(/must be a section/)
    expect(refusal('[rest]\nenabled = 2024-01-01')).to.match(/must be true or false/)
    expect(refusal('[rest]\nenabled = {a = 1}')).to.match(/rest.enabled is a section/)
  })

  it('names the known settings when one is unknown', () => {
    expect(refusal('[rest]\nadress = "x"')).to.match(/rest.adress is not a setting: is rest.address meant\?/)
    expect(refusal('[rest]\nwhatever = 1')).to.match(
      /rest.whatever is not a setting; there are enabled, address/,
    )
    expect(refusal('[evm]\na = 1')).to.match(/evm is not a setting/)
    expect(refusal('"__proto__" = 1')).to.match(/__proto__/)
    expect(refusal('constructor = 1')).to.match(/constructor is not a setting/)
  })

  it('names the line when the file is not TOML', () => {
    expect(refusal('a = 1\nb = = 2')).to.match(/^app.toml, line 2: not TOML: /)
    expect(refusal('[rest]\nenabled = true\nenabled = true')).to.match(/^app.toml, line 3/)
  })

  it('refuses a denomination named twice and a price with a fraction', () => {
    expect(refusal('minimum_gas_prices = "1afrx,2afrx"')).to.match(/must be amounts/)
    expect(refusal('minimum_gas_prices = "0.5afrx"')).to.match(/must be amounts/)
  })

  it('fails on hostile text only with ConfigError', () => {
    const words = fc.constantFrom(
      '[rest]',
      'address',
      '=',
      '"',
      '\n',
      '[[',
      ']]',
      '{',
      '}',
      '1e999',
      '\\u0000',
      '.',
      'enabled',
      'true',
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(words).map((w) => w.join(' ')),
        ),
        (text) => {
          try {
            parseConfig(text, 'f')
          } catch (error) {
            expect(error).to.be.instanceOf(ConfigError)
          }
        },
      ),
      { seed: 1, numRuns: 2000 },
    )
  })

  it('takes settings from flags and leaves the original alone', () => {
    const before = defaultConfig()
    const after = withSettings(before, [
      ['rest.address', '0.0.0.0:80'],
      ['rest.enabled', 'false'],
      ['comet.mempool_size', '7'],
      ['rest.cors_origins', 'https://a.org, https://b.org'],
    ])
    expect(after.rest).to.include({ enabled: false })
    expect(after.rest.address.port).to.equal(80)
    expect(after.rest.cors_origins).to.deep.equal(['https://a.org', 'https://b.org'])
    expect(after.comet.mempool_size).to.equal(7)
    expect(before).to.deep.equal(defaultConfig())
    expect(() => withSettings(before, [['rest.enabled', 'yes']])).to.throw(
      ConfigError,
      /the command line: rest.enabled is "yes"/,
    )
    expect(() => withSettings(before, [['nothing', '1']])).to.throw(ConfigError, /nothing is not a setting/)
  })
})

describe('the home folder', () => {
  it('has its socket inside, or in the temporary folder where the path is too long for one', () => {
    expect(homeLayout('/a/b').socket).to.equal('/a/b/abci.sock')
    const long = homeLayout(`/${'x'.repeat(200)}`)
    expect(long.socket.length).to.be.at.most(107)
    expect(long.socket).to.not.equal(homeLayout(`/${'y'.repeat(200)}`).socket)
  })
})
