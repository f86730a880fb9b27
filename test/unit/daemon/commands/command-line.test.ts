import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Command } from 'commander'
import { type Address, formatAddress, VALIDATOR_PREFIX } from '../../../../core/address.ts'
import { fromBase64 } from '../../../../core/bytes.ts'
import { verifyEd25519 } from '../../../../core/crypto/ed25519.ts'
import { kebab, withCommand } from '../../../../daemon/client/fields.ts'
import { createProgram } from '../../../../daemon/commands/program.ts'
import { tokenVerifier } from '../../../../daemon/tokens.ts'
import { developmentAccounts } from '../../../../genesis/presets.ts'
import { agentKeySignBytes } from '../../../../modules/classifier/api.ts'
import { modules } from '../../../../modules/index.ts'
import { fornaxd } from '../../../kit/fornaxd/fornaxd.ts'

describe('fornaxd', function () {
  this.timeout(60_000)
  let home: string
  before(async () => {
    home = await mkdtemp(join(tmpdir(), 'fornax-cli-'))
    await fornaxd(['init', 'test', '--home', home])
    await fornaxd(['config', 'set', 'keyring.backend', 'test', '--home', home])
  })
  after(() => rm(home, { recursive: true }))

  const run = (line: string, input = '', env: Record<string, string> = {}) =>
    fornaxd([...line.split(' '), '--home', home], input, env)

  /** The command that a line's words lead to, by their names or by others that they go by. */
  const commandAt = (path: string): Command =>
    path.split(' ').reduce((command, word) => {
      const sub = command.commands.find((c) => c.name() === word || c.aliases().includes(word))
      if (sub === undefined) throw new Error(`there is no ${path}`)
      return sub
    }, createProgram())

  it('has help with an example for every command', () => {
    let leaves = 0
    const visit = (command: Command, path: string): void => {
      let help = ''
      command.configureOutput({
        writeOut: (text) => {
          help += text
        },
      })
      command.outputHelp()
      expect(help, path).to.match(/^Usage: fornaxd/)
      expect(command.description(), path).to.not.equal('')
      if (command.commands.length === 0) {
        leaves++
        expect(help, path).to.include(`$ fornaxd ${path}`)
      }
      for (const sub of command.commands) visit(sub, `${path} ${sub.name()}`.trim())
    }
    visit(createProgram(), '')
    expect(leaves).to.be.greaterThan(50)
  })

  it('explains itself and each of its commands by help', async () => {
    const all = await run('help')
    expect([all.code, all.stderr]).to.deep.equal([0, ''])
    expect(all.stdout)
      .to.match(/^Usage: fornaxd/)
      .and.match(/^ {2}help \[command\] /m)
    expect(all.stdout).to.equal((await run('--help')).stdout)
    const keys = await run('help keys')
    expect([keys.code, keys.stdout]).to.deep.equal([0, (await run('keys --help')).stdout])
    expect((await run('help nonsense')).code).to.equal(2)
  })

  it('tells apart by its exit code what went wrong', async () => {
    expect((await run('version')).code).to.equal(0)
    expect((await run('config check')).code).to.equal(0)
    expect((await run('keys show nobody')).code).to.equal(1)
    expect((await run('nonsense')).code).to.equal(2)
    expect((await run('keys show')).code).to.equal(2)
    expect((await run('keys list --output xml')).code).to.equal(2)
    expect((await run('status --node http://127.0.0.1:1')).code).to.equal(3)
    expect((await run('query bank balance x y --node http://127.0.0.1:1')).code).to.equal(2)
  })

  it('says an error in one line, without a stack unless asked', async () => {
    const { stderr, stdout } = await run('keys show nobody')
    expect(stderr).to.match(/^Error: there is no key named nobody[^\n]*\n$/)
    expect(stdout).to.equal('')
    expect((await run('keys show nobody --verbose')).stderr).to.match(/\n {4}at /)
  })

  it('says errors of usage in the same form', async () => {
    for (const line of ['nonsense', 'status --nonsense', 'keys show', 'keys show a b'])
      expect((await run(line)).stderr, line).to.match(/^Error: .*\n\(add --help for what there is\)\n$/)
    expect((await run('keys list -o yaml')).stderr).to.match(
      /^Error: --output must be text or json, not yaml: what queries print as text is YAML\n$/,
    )
  })

  it('names options as they are typed, in errors too', async () => {
    const visit = (command: Command): string[] => [
      ...command.options.flatMap(({ long }) => (long ? [long] : [])),
      ...command.registeredArguments.map((argument) => argument.name()),
      ...command.commands.flatMap(visit),
    ]
    expect(visit(createProgram()).filter((name) => /[A-Z_]/.test(name))).to.deep.equal([])
    const told = async (line: string): Promise<string> => (await run(line)).stderr
    expect(await told('query gov proposal x')).to.equal(
      'Error: proposal-id must be a whole number, not "x"\n',
    )
    expect(await told('query staking delegation nobody nobody')).to.match(
      /^Error: delegator-addr is "nobody"/,
    )
    expect(await told('query gov proposals --proposal-status none')).to.match(
      /^Error: proposal-status must be one of/,
    )
    expect(await told('tx gov deposit 1 5 --generate-only --gas 1')).to.match(/amount: 5 has no unit/)
  })

  it('says where it looked for a key, and what shows those there are', async () => {
    const { code, stderr } = await run('query bank balance nobody afrx')
    expect(code).to.equal(2)
    expect(stderr).to.equal(
      `Error: address is "nobody", which is neither an address nor the name of a key in ${join(home, 'keyring-test')} (\`fornaxd keys list\` shows those there are)\n`,
    )
  })

  it('exits with 4 when the chain refuses a transaction, and tells amounts in FRX', async () => {
    let refusal = 'insufficient funds: 20000000000000000000afrx'
    const server = createServer((request, response) => {
      request.resume()
      const result = { code: 5, codespace: 'sdk', log: refusal, hash: 'AB', data: '' }
      response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result }))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    try {
      await run('keys add refused --recover', developmentAccounts[3].mnemonic)
      const offline = '--offline --chain-id fornax-1 --account-number 0 --sequence 0'
      const unsigned = await run('tx bank send refused 5afrx --from refused --generate-only --gas 100000')
      const file = join(home, 'tx.json')
      await writeFile(file, unsigned.stdout)
      const signed = await run(`tx sign ${file} --from refused ${offline}`)
      expect(signed.code).to.equal(0)
      const node = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      const { code, stderr } = await run(`tx broadcast - --node ${node}`, signed.stdout)
      expect(code).to.equal(4)
      expect(stderr).to.equal(
        'Error: the chain refused the transaction (sdk 5): insufficient funds: 20000000000000000000afrx (20 FRX)\n',
      )
      refusal = 'message index: 0: validator still jailed; cannot be unjailed'
      const jailed = await run(`tx broadcast - --node ${node}`, signed.stdout)
      expect(jailed.stderr).to.match(/cannot be unjailed\nIt may be .* `fornaxd query agents explain`/)
    } finally {
      server.close()
    }
  })

  it('takes a field by its option or in its place', async () => {
    await run('keys add sender --recover', developmentAccounts[1].mnemonic)
    const by = '--from sender --generate-only --gas 1'
    const placed = await run(`tx bank send sender 5afrx,7uatom ${by}`)
    const named = await run(`tx bank send --amount 5afrx,7uatom --to-address sender ${by}`)
    expect(placed.code).to.equal(0)
    expect(JSON.parse(placed.stdout)).to.deep.equal(JSON.parse(named.stdout))
    expect((await run(`tx bank send sender ${by} --amount x`)).code).to.equal(2)
    expect((await run(`tx bank send sender 5afrx ${by} --gas-prices 5`)).code).to.equal(2)
    expect((await run(`tx bank send sender 5afrx 7 ${by}`)).stderr).to.match(
      /too many arguments for 'send'. Expected 2 arguments but got 3/,
    )
  })

  it('takes names of keys for addresses, for those too that the SDK calls text', async () => {
    await run('keys add payee --recover', developmentAccounts[1].mnemonic)
    const [named, other] = await Promise.all(
      ['payee', 'nobody'].map((who) =>
        run(`tx distribution community-pool-spend ${who} 5afrx --generate-only --gas 1`),
      ),
    )
    expect(JSON.parse(named!.stdout).body.messages[0].recipient).to.match(/^fornax1/)
    expect([other!.code, other!.stdout]).to.deep.equal([2, ''])
  })

  it('reads a proposal from a file, and a vote by its short name', async () => {
    await run('keys add citizen --recover', developmentAccounts[1].mnemonic)
    const by = '--from citizen --generate-only --gas 1'
    const file = join(home, 'proposal.json')
    const proposal = {
      messages: [{ '@type': '/cosmos.bank.v1beta1.MsgSend', amount: [{ denom: 'afrx', amount: '1' }] }],
      metadata: 'of some kind',
      deposit: '5afrx,7uatom',
      title: 'a title',
      summary: 'a summary',
    }
    const submit = async (change: object) => {
      await writeFile(file, JSON.stringify({ ...proposal, ...change }))
      return run(`tx gov submit-proposal ${file} ${by}`)
    }
    const { body } = JSON.parse((await submit({ expedited: true })).stdout)
    expect(body.messages[0]).to.deep.include({ title: 'a title', expedited: true, metadata: 'of some kind' })
    expect(body.messages[0].initial_deposit).to.deep.equal([
      { denom: 'afrx', amount: '5' },
      { denom: 'uatom', amount: '7' },
    ])
    expect((await submit({ deposit: 'much' })).stderr).to.match(/deposit: invalid coin expression/)
    expect((await submit({ titel: 'x' })).stderr).to.match(/there is no field titel in a proposal/)
    expect((await submit({ messages: [{ '@type': '/a.B' }] })).stderr).to.match(/unknown @type/)
    const vote = async (option: string): Promise<unknown> =>
      JSON.parse((await run(`tx gov vote 3 ${option} ${by}`)).stdout).body.messages[0].option
    expect(await vote('no-with-veto')).to.equal('VOTE_OPTION_NO_WITH_VETO')
    expect(await vote('VOTE_OPTION_YES')).to.equal('VOTE_OPTION_YES')
    const refused = await run(`tx gov vote 3 perhaps ${by}`)
    expect(refused.code).to.equal(2)
    expect(refused.stderr).to.equal(
      'Error: option must be one of abstain, no, no_with_veto, yes, not "perhaps"\n',
    )
    expect(await vote('1')).to.equal('VOTE_OPTION_YES')
    for (const none of ['unspecified', '0'])
      expect((await run(`tx gov vote 3 ${none} ${by}`)).stderr, none).to.match(
        /option must be one of abstain,/,
      )
    expect((await run('tx gov vote --help')).stdout).to.not.contain('unspecified')
    const weighted = await run(`tx gov weighted-vote 3 yes=0.6,no-with-veto=0.4 ${by}`)
    expect(JSON.parse(weighted.stdout).body.messages[0].options).to.deep.equal([
      { option: 'VOTE_OPTION_YES', weight: '0.6' },
      { option: 'VOTE_OPTION_NO_WITH_VETO', weight: '0.4' },
    ])
    expect((await run(`tx gov vote-weighted 3 yes ${by}`)).stderr).to.match(/options must be such as yes=0.6/)
  })

  it('knows the names that commands have on other Cosmos chains', () => {
    for (const [path, name] of [
      ['tx distribution set-withdraw-addr', 'set-withdraw-address'],
      ['tx distribution withdraw-rewards', 'withdraw-delegator-reward'],
      ['tx gov weighted-vote', 'vote-weighted'],
      ['tx staking cancel-unbond', 'cancel-unbonding-delegation'],
      ['tx staking redelegate', 'begin-redelegate'],
      ['tx staking unbond', 'undelegate'],
      ['query bank balances', 'all-balances'],
      ['query distribution commission', 'validator-commission'],
      ['query distribution rewards', 'delegation-total-rewards'],
      ['query distribution rewards-by-validator', 'delegation-rewards'],
      ['query distribution slashes', 'validator-slashes'],
      ['query gov tally', 'tally-result'],
      ['query staking delegations', 'delegator-delegations'],
      ['query staking delegations-to', 'validator-delegations'],
    ] as const)
      expect(commandAt(path).name(), path).to.equal(name)
  })

  it('lists a message by the summary that its module declares, or by its type', () => {
    expect(commandAt('tx bank send').summary()).to.equal('send coins')
    expect(commandAt('tx classifier submit-metrics').summary()).to.equal(
      'fornax.classifier.v1.MsgSubmitMetrics',
    )
    for (const { name, messages } of modules)
      for (const { method, handler } of withCommand(messages))
        if (handler.summary !== undefined)
          expect(commandAt(`tx ${name} ${kebab(method)}`).summary(), method).to.equal(handler.summary)
  })

  it('refuses an export whose options make no sense, before it opens anything', async () => {
    for (const [options, why] of [
      ['--height last', '--height must be a whole number'],
      ['--chain-id other-1', '--chain-id must be fornax-<number>'],
      ['--genesis-time tomorrow', '--genesis-time must be a time in UTC'],
      ['--jail-allowed-addrs fornaxvaloper1x', 'goes with --for-zero-height'],
      ['--for-zero-height --jail-allowed-addrs fornax1x,y', '"fornax1x" is no address of a validator'],
      ['--for-zero', "unknown option '--for-zero'"],
    ] as const) {
      const { code, stdout, stderr } = await run(`export ${options}`)
      expect([code, stdout], options).to.deep.equal([2, ''])
      expect(stderr).to.contain(why)
    }
    const early = await run('export')
    expect([early.code, early.stdout]).to.deep.equal([1, ''])
    expect(early.stderr).to.match(/no block yet/)
  })

  it('makes, lists and revokes tokens, and stores only their hashes', async () => {
    await run('keys add bearer --recover', developmentAccounts[2].mnemonic)
    const made = JSON.parse(
      (await run('token create --key bearer --scopes bank,staking --expires 1h --output json')).stdout,
    )
    const file = join(home, 'config', 'tokens.json')
    // The secret may have underscores of its own.
    const secret = /^fornax_[0-9a-f]{16}_(.{43})$/.exec(made.token)![1]!
    expect(await readFile(file, 'utf8')).to.not.include(secret)
    expect((await stat(file)).mode & 0o777).to.equal(0o600)
    const verify = tokenVerifier(file)
    expect(verify(made.token)).to.include({ key: 'bearer', id: made.id })
    expect(verify(`${made.token.slice(0, -1)}${made.token.endsWith('A') ? 'B' : 'A'}`)).to.equal(undefined)
    expect(verify('')).to.equal(undefined)
    expect(tokenVerifier(file, () => Date.now() + 3_700_000)(made.token)).to.equal(undefined)
    expect((await run('token list')).stdout).to.include(made.id)
    expect((await run(`token revoke ${made.id}`)).code).to.equal(0)
    expect(verify(made.token)).to.equal(undefined)
    expect((await run(`token revoke ${made.id}`)).code).to.equal(1)
    expect((await run('token create --key bearer --scopes a/b')).code).to.equal(2)
    expect((await run('token create --key bearer --expires soon')).code).to.equal(2)
  })

  it('shows and rotates the agent key, and tells how to register it', async () => {
    const file = join(home, 'config', 'agent_key.json')
    expect((await stat(file)).mode & 0o777).to.equal(0o600)
    const first = (await run('agent-key show')).stdout.trim()
    expect(Buffer.from(first, 'base64')).to.have.length(32)
    const rotated = JSON.parse((await run('agent-key rotate --output json')).stdout)
    expect(rotated.pub_key).to.not.equal(first)
    expect(rotated.previous_pub_keys).to.deep.equal([first])
    expect(rotated.register).to.include('fornaxd agent-key prove')
    const operator = formatAddress(new Uint8Array(20) as Address, VALIDATOR_PREFIX)
    const prove = `agent-key prove ${operator} --chain-id fornax-9 --output json`
    const proof = JSON.parse((await run(prove)).stdout)
    const key = fromBase64(rotated.pub_key)
    const bytes = agentKeySignBytes('fornax-9', operator, key)
    expect(verifyEd25519(key, bytes, fromBase64(proof.signature))).to.equal(true)
    expect(proof.register).to.include(`--pub-key ${rotated.pub_key} --signature ${proof.signature}`)
    expect((await run('agent-key prove fornaxvaloper1x --chain-id fornax-9')).code).to.not.equal(0)
    expect((await run('agent-key show')).stdout.trim()).to.equal(rotated.pub_key)
    expect((await stat(file)).mode & 0o777).to.equal(0o600)
    const nowhere = await fornaxd(['agent-key', 'show', '--home', join(home, 'none')])
    expect([nowhere.code, nowhere.stdout]).to.deep.equal([1, ''])
  })

  it('takes the passphrase from standard input or the environment', async () => {
    const file = '--keyring-backend file'
    const env = { FORNAX_KEYRING_PASSPHRASE: 'correct horse' }
    expect((await run(`keys add sealed ${file}`, 'correct horse\n')).code).to.equal(0)
    expect((await run(`keys export sealed --unencrypted-hex --yes ${file}`, '', env)).stdout).to.match(
      /^0x[0-9a-f]{64}\n$/,
    )
    const wrong = await run(`keys export sealed --unencrypted-hex --yes ${file}`, 'wrong horse\n')
    expect([wrong.code, wrong.stdout]).to.deep.equal([1, ''])
    expect((await run(`keys export sealed ${file}`)).code).to.equal(2)
    const exported = (await run(`keys export sealed ${file}`, '', env)).stdout
    const path = join(home, 'sealed.json')
    await writeFile(path, exported)
    const again = await run(`keys import copy ${path} --output json`, '', env)
    expect(again.code).to.equal(0)
    expect(JSON.parse(again.stdout).address).to.equal(
      (await run('keys show sealed -a --keyring-backend file')).stdout.trim(),
    )
  })

  it('says that the test keyring is open', async () => {
    expect((await run('keys add open')).stderr).to.match(/keeps keys unencrypted/)
  })

  it('tells the version, in full with the commit that was compiled, in JSON by -o too', async () => {
    const { version, commit } = JSON.parse((await run('version --long -o json')).stdout)
    expect((await run('version')).stdout).to.equal(`${version}\n`)
    expect(commit).to.match(/^([0-9a-f]{40})?$/)
  })

  it('never overwrites a home', async () => {
    const again = await run('init other')
    expect(again.code).to.equal(1)
    expect(again.stderr).to.match(/holds a node already/)
  })

  it('refuses to start with development features on a chain that is not marked for development', async () => {
    const { code, stderr } = await run('start --faucet.enabled true')
    expect(code).to.equal(1)
    expect(stderr).to.match(/does not mark it as a development chain/)
  })

  it('refuses to start a chain without validators, before anything runs', async () => {
    const { code, stderr } = await run('start --metrics.enabled false')
    expect(code).to.equal(1)
    expect(stderr).to.match(/gen_txs makes no validator/)
  })

  for (const shell of ['bash', 'zsh', 'fish'])
    it(`prints a completion script that ${shell} can read`, async function () {
      const { code, stdout } = await fornaxd(['completion', shell])
      expect(code).to.equal(0)
      expect(stdout).to.include('generate-only')
      try {
        execFileSync(shell, ['-n'], { input: stdout, stdio: ['pipe', 'ignore', 'pipe'] })
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') this.skip()
        throw error
      }
    })

  it('completes subcommands and options in bash', async () => {
    const { stdout } = await fornaxd(['completion', 'bash'])
    const ask = (...words: string[]): string =>
      execFileSync('bash', [
        '-c',
        `${stdout}\nCOMP_WORDS=(fornaxd ${words.map((w) => `'${w}'`).join(' ')}); COMP_CWORD=${words.length}; _fornaxd; echo "\${COMPREPLY[*]}"`,
      ])
        .toString()
        .trim()
    expect(ask('tx', 'bank', 'mul')).to.equal('multi-send')
    expect(ask('keys', 'add', '--rec')).to.equal('--recover')
    expect(ask('hel')).to.equal('help')
    expect(ask('help', 'sta')).to.equal('start status')
  })
})
