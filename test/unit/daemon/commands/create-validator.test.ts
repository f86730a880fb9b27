import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { parseAddress, VALIDATOR_PREFIX } from '../../../../core/address.ts'
import { fromBase64, toBase64 } from '../../../../core/bytes.ts'
import { verifyEd25519 } from '../../../../core/crypto/ed25519.ts'
import { readKeys } from '../../../../daemon/comet/keys.ts'
import { defaultConfig } from '../../../../daemon/config/file.ts'
import { homeLayout } from '../../../../daemon/config/home.ts'
import { readAgentKeys } from '../../../../daemon/validator/agent-key.ts'
import { FRX } from '../../../../genesis/document.ts'
import { developmentAccounts } from '../../../../genesis/presets.ts'
import { agentKeySignBytes } from '../../../../modules/classifier/api.ts'
import { fornaxd } from '../../../kit/fornaxd/fornaxd.ts'
import { tempDir } from '../../../kit/temp-dir.ts'

describe('fornaxd tx staking', function () {
  this.timeout(60_000)
  const dir = tempDir()
  const home = homeLayout(join(dir.path, 'home'))
  const run = (...words: string[]) => fornaxd([...words, '--home', home.path])
  const create = (...words: string[]) => run('tx', 'staking', 'create-validator', ...words)
  const unsigned = ['--from', 'alice', '--generate-only', '--gas', '1']
  const file = join(dir.path, 'validator.json')
  let pubkey: object

  // biome-ignore lint/suspicious/noExplicitAny: transactions of every form
  const messages = async (...words: string[]): Promise<any[]> => {
    const { code, stdout, stderr } = await run('tx', 'staking', ...words, ...unsigned)
    expect(code, stderr).to.equal(0)
    return JSON.parse(stdout).body.messages
  }

  before(async () => {
    await run('init', 'my node', '--chain-id', 'fornax-7')
    await run('config', 'set', 'keyring.backend', 'test')
    await fornaxd(['keys', 'add', 'alice', '--recover', '--home', home.path], developmentAccounts[0].mnemonic)
    const { validator } = readKeys(home.path)
    pubkey = { '@type': '/cosmos.crypto.ed25519.PubKey', key: toBase64(validator.publicKey) }
  })
  after(() => dir.remove())

  describe('create-validator', () => {
    it('needs only an amount, and takes key and name from the home', async () => {
      const [message] = await messages('create-validator', '--amount', '100frx')
      expect(message).to.deep.include({
        pubkey,
        value: { denom: 'afrx', amount: `${100n * 10n ** 18n}` },
        min_self_delegation: '1',
        commission: {
          rate: '0.100000000000000000',
          max_rate: '0.200000000000000000',
          max_change_rate: '0.010000000000000000',
        },
        description: { moniker: 'my node', identity: '', website: '', security_contact: '', details: '' },
      })
      expect(parseAddress(message.validator_address, VALIDATOR_PREFIX)).to.have.length(20)
    })

    it('registers the agent key with its proof, unless told not to', async () => {
      const [{ validator_address }, registration, ...others] = await messages(
        'create-validator',
        '--amount',
        '1frx',
      )
      const { publicKey } = readAgentKeys(home.agentKey).current
      expect(others).to.deep.equal([])
      expect(registration).to.deep.include({
        '@type': '/fornax.classifier.v1.MsgSetAgentKey',
        validator: validator_address,
        pub_key: toBase64(publicKey),
      })
      const bytes = agentKeySignBytes('fornax-7', validator_address, publicKey)
      expect(verifyEd25519(publicKey, bytes, fromBase64(registration.signature))).to.equal(true)
      expect(await messages('create-validator', '--amount', '1frx', '--no-agent-key')).to.have.length(1)
    })

    it('reads the file that its template is, options over it', async () => {
      const template = await create('--template')
      expect(template.code, template.stderr).to.equal(0)
      const fields = JSON.parse(template.stdout)
      expect(fields).to.deep.include({ pubkey, moniker: 'my node', amount: '8frx' })
      writeFileSync(file, template.stdout)
      const [message] = await messages('create-validator', file)
      // What the faucet gives once covers it and the fee.
      const [given] = defaultConfig().faucet.amount
      expect(BigInt(message.value.amount) + FRX <= given!.amount).to.equal(true)
      expect(message.description.moniker).to.equal('my node')
      writeFileSync(
        file,
        JSON.stringify({
          ...fields,
          amount: '7000000000000000000afrx',
          moniker: 'other',
          identity: 'AB',
          website: 'https://example.org',
          security: 'me@example.org',
          details: 'text',
          'commission-rate': '0.05',
          'min-self-delegation': '3',
        }),
      )
      const [changed] = await messages('create-validator', file, '--moniker', 'third')
      expect(changed.description).to.deep.equal({
        moniker: 'third',
        identity: 'AB',
        website: 'https://example.org',
        security_contact: 'me@example.org',
        details: 'text',
      })
      expect(changed.value.amount).to.equal('7000000000000000000')
      expect(changed.commission.rate).to.equal('0.050000000000000000')
      expect(changed.min_self_delegation).to.equal('3')
    })

    it('registers no agent key for a validator of another node', async () => {
      const other = JSON.stringify({
        '@type': '/cosmos.crypto.ed25519.PubKey',
        key: toBase64(new Uint8Array(32)),
      })
      const { stdout, stderr } = await create('--amount', '1frx', '--pubkey', other, ...unsigned)
      expect(JSON.parse(stdout).body.messages).to.have.length(1)
      expect(stderr).to.match(/not this home's, so no agent key is registered/)
    })

    it('refuses what it cannot read, and tells what it takes', async () => {
      const refusals: [string[], RegExp][] = [
        [[], /--amount is missing/],
        [['--amount', '1frx,2uatom'], /one coin, such as 8frx/],
        [['--amount', 'much'], /invalid coin expression/],
        [['--amount', '1frx', '--commission-rate', '10%'], /rate/],
        [['--amount', '1frx', '--pubkey', 'AAAA'], /show-validator/],
        [['--amount', '1frx', '--value', '1frx'], /--amount does not go with the generic form/],
        [[join(dir.path, 'none.json')], /cannot be read/],
      ]
      for (const [words, why] of refusals) {
        const { code, stdout, stderr } = await create(...words, ...unsigned)
        expect([code > 0, stdout], words.join(' ')).to.deep.equal([true, ''])
        expect(stderr)
          .to.match(why)
          .and.match(/^Error: [^\n]*\n$/)
      }
      for (const [content, why] of [
        ['[]', /must be an object/],
        ['{"moniker": "x", "stake": "1"}', /there is no field stake/],
        ['{"moniker": {}}', /moniker must be a text/],
      ] as const) {
        writeFileSync(file, content)
        expect((await create(file, ...unsigned)).stderr).to.match(why)
      }
    })

    it('keeps the generic form that every message has', async () => {
      const [message, ...others] = await messages(
        'create-validator',
        '5',
        'alice',
        '2frx',
        ...['--description', '{"moniker": "generic"}'],
        ...['--commission', '{"rate": "0.1", "max_rate": "0.2", "max_change_rate": "0.01"}'],
        ...['--pubkey', JSON.stringify(pubkey)],
      )
      expect(others).to.deep.equal([])
      expect(message).to.deep.include({ min_self_delegation: '5', pubkey })
      expect(message.description.moniker).to.equal('generic')
      expect(message.delegator_address).to.match(/^fornax1/)
      expect(message.value.amount).to.equal('2000000000000000000')
    })
  })

  describe('edit-validator', () => {
    it('keeps what is not said', async () => {
      const KEEP = '[do-not-modify]'
      const [message] = await messages('edit-validator', '--new-moniker', 'new', '--details', '')
      expect(message.description).to.deep.equal({
        moniker: 'new',
        identity: KEEP,
        website: KEEP,
        security_contact: KEEP,
        details: '',
      })
      expect([message.commission_rate, message.min_self_delegation]).to.deep.equal([null, null])
      const [rate] = await messages('edit-validator', '--commission-rate', '0.08')
      expect(rate.commission_rate).to.equal('0.080000000000000000')
      expect(rate.description.moniker).to.equal(KEEP)
    })

    it('keeps the generic form, and does not mix the two', async () => {
      const generic = ['--description', '{"moniker": "generic"}']
      const [message] = await messages('edit-validator', ...generic)
      expect(message.description).to.deep.include({ moniker: 'generic', details: '' })
      const { code, stderr } = await run(
        'tx',
        'staking',
        'edit-validator',
        ...generic,
        '--details',
        'x',
        ...unsigned,
      )
      expect(code).to.equal(2)
      expect(stderr).to.match(/does not go with/)
    })
  })
})
