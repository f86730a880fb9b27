import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import {
  unknownVariables,
  variableOf,
  withEnvironment,
  withoutSettings,
} from '../../../../daemon/config/environment.ts'
import { ConfigError, defaultConfig } from '../../../../daemon/config/file.ts'
import { homeLayout } from '../../../../daemon/config/home.ts'
import { everySetting } from '../../../../daemon/config/settings.ts'
import { fornaxd } from '../../../kit/fornaxd/fornaxd.ts'
import { tempDir } from '../../../kit/temp-dir.ts'

describe('Settings of the environment', function () {
  this.timeout(60_000)

  it('have a variable each, and no two the same', () => {
    const variables = [...everySetting()].map(({ path }) => variableOf(path))
    expect(new Set(variables).size).to.equal(variables.length)
    expect(variableOf('rest.address')).to.equal('FORNAX_REST_ADDRESS')
    expect(variableOf('comet.rpc_address')).to.equal('FORNAX_COMET_RPC_ADDRESS')
    expect(variableOf('slot_time')).to.equal('FORNAX_SLOT_TIME')
    expect(variables).to.not.include.members(['FORNAX_HOME'])
  })

  it('go before the file, and are refused with the name of their variable', () => {
    const config = withEnvironment(defaultConfig(), {
      FORNAX_REST_ADDRESS: '[::1]:99',
      FORNAX_SLOT_TIME: '2s',
      FORNAX_REST_CORS_ORIGINS: 'https://a.example,https://b.example',
      FORNAX_LOG_LEVEL: '',
    })
    expect(config.rest.address).to.deep.equal({ host: '::1', port: 99 })
    expect([config.slot_time, config.log.level]).to.deep.equal([2000, 'info'])
    expect(config.rest.cors_origins).to.deep.equal(['https://a.example', 'https://b.example'])
    expect(() => withEnvironment(defaultConfig(), { FORNAX_REST_ADDRESS: 'x' })).to.throw(
      ConfigError,
      /^FORNAX_REST_ADDRESS: rest.address is "x", but must be host:port/,
    )
  })

  it('that mean nothing are told of, with what is nearest', () => {
    expect(
      unknownVariables({ FORNAX_REST_ADRESS: 'x', FORNAX_WHATEVER_ELSE: '', PATH: '', FORNAX_HOME: '/h' }),
    ).to.deep.equal([
      'the environment has FORNAX_REST_ADRESS, which means nothing: is FORNAX_REST_ADDRESS meant?',
      'the environment has FORNAX_WHATEVER_ELSE, which means nothing',
    ])
    const env = { FORNAX_REST_ADDRESS: 'x', FORNAX_COMETBFT: '/c', PATH: '/bin' }
    expect(withoutSettings(env)).to.deep.equal({ FORNAX_COMETBFT: '/c', PATH: '/bin' })
  })

  describe('on the command line', () => {
    const dir = tempDir()
    const home = homeLayout(join(dir.path, 'home'))
    const run = (line: string, env: Record<string, string>) =>
      fornaxd([...line.split(' '), '--home', home.path], '', env)
    before(() => run('init test', {}))
    after(() => dir.remove())
    const env = { FORNAX_REST_ADDRESS: '127.0.0.1:99', FORNAX_LOG_LEVL: 'debug' }

    it('are shown with their source', async () => {
      const one = await run('config show rest.address', env)
      expect(one.stdout).to.equal('127.0.0.1:99\n')
      expect(one.stderr)
        .to.match(/is FORNAX_LOG_LEVEL meant\?/)
        .and.match(/rest.address is from FORNAX_REST_ADDRESS/)
      writeFileSync(home.appToml, 'slot_time = "2s"\n')
      const rows = JSON.parse((await run('config show --sources -o json', env)).stdout) as {
        setting: string
        source: string
        value: unknown
      }[]
      const row = (name: string) => rows.find(({ setting }) => setting === name)
      expect(row('rest.address')).to.include({ source: 'FORNAX_REST_ADDRESS', value: '127.0.0.1:99' })
      expect(row('slot_time')).to.include({ source: 'app.toml', value: '2s' })
      expect(row('log.level')).to.include({ source: 'default', value: 'info' })
      expect((await run('config show --sources', env)).stdout).to.match(
        /^rest.address +FORNAX_REST_ADDRESS +"127/m,
      )
      expect((await run('config check', env)).stdout).to.match(/rest.address is from FORNAX_REST_ADDRESS/)
    })

    it('are checked, and never written into the file', async () => {
      const wrong = await run('config check', { FORNAX_SLOT_TIME: 'soon' })
      expect([wrong.code, wrong.stdout]).to.deep.equal([1, ''])
      expect(wrong.stderr).to.match(/^Error: FORNAX_SLOT_TIME: slot_time is "soon"/)
      const set = await run('config set log.level warn', { ...env, FORNAX_LOG_LEVEL: 'error' })
      expect(set.stderr).to.match(/FORNAX_LOG_LEVEL is set in this environment, and goes before the file/)
      expect((await run('config show rest.address', {})).stdout).to.equal('127.0.0.1:1317\n')
      expect((await run('config show log.level', {})).stdout).to.equal('warn\n')
    })

    it('of the file are refused by name and form as wrong usage, with what is nearest', async () => {
      const before = readFileSync(home.appToml, 'utf8')
      for (const [line, why] of [
        [
          'set rest.adress 127.0.0.1:1',
          'the command line: rest.adress is not a setting: is rest.address meant?',
        ],
        [
          'set reset.address 127.0.0.1:1',
          'the command line: reset.address is not a setting: is rest.address meant?',
        ],
        ['set rest.address nonsense', 'the command line: rest.address is "nonsense", but must be host:port'],
        ['show slot_tme', 'slot_tme is not a setting: is slot_time meant?'],
        ['show whatever_else', 'whatever_else is not a setting: `fornaxd config show` lists them'],
      ] as const) {
        const { code, stdout, stderr } = await run(`config ${line}`, {})
        expect([code, stdout], line).to.deep.equal([2, ''])
        expect(stderr.startsWith(`Error: ${why}`), stderr).to.equal(true)
      }
      expect(readFileSync(home.appToml, 'utf8')).to.equal(before)
    })

    it('are the client’s too, and an option goes before them', async () => {
      const asked = await run('status', { FORNAX_COMET_RPC_ADDRESS: '127.0.0.1:9' })
      expect([asked.code, asked.stderr]).to.deep.equal([3, asked.stderr])
      expect(asked.stderr).to.match(/http:\/\/127\.0\.0\.1:9 /)
      const bare = ['--home', join(dir.path, 'none')]
      for (const [words, variable] of [
        [['status'], 'FORNAX_COMET_RPC_ADDRESS'],
        [['agent', 'check'], 'FORNAX_REST_ADDRESS'],
      ] as const) {
        const { code, stderr } = await fornaxd([...words, ...bare], '', { [variable]: '127.0.0.1:9' })
        expect([code, stderr], stderr).to.deep.equal([3, stderr])
        expect(stderr).to.contain('http://127.0.0.1:9')
      }
      const started = await run('start --rest.address nonsense', { FORNAX_REST_ADDRESS: '127.0.0.1:99' })
      expect(started.stderr).to.match(/the command line: rest.address is "nonsense"/)
    })
  })
})
