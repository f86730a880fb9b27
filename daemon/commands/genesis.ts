import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Command } from 'commander'
import { isAddress } from '../../core/address.ts'
import { formatCoins } from '../../core/coin.ts'
import { isSingleKey } from '../../core/crypto/account-key.ts'
import { isHexForm } from '../../core/hex-address.ts'
import type { Json } from '../../core/wire/json.ts'
import { addAccount } from '../../genesis/accounts.ts'
import { DENOM, readGenesis, renderGenesis } from '../../genesis/document.ts'
import { checkGentxs, collectGentxs, makeGentx } from '../../genesis/gentx.ts'
import { validateGenesis } from '../../genesis/validate.ts'
import { modules } from '../../modules/index.ts'
import { readAmounts } from '../client/amounts.ts'
import { fromHexForm } from '../client/fields.ts'
import { ensureKeys } from '../comet/keys.ts'
import { withEnvironment } from '../config/environment.ts'
import { readConfig, renderConfig, withSettings } from '../config/file.ts'
import { writeFileAtomically } from '../files.ts'
import { accountAddress } from '../keyring/record.ts'
import { ensureAgentKey } from '../validator/agent-key.ts'
import { agentKeyMessage } from '../validator/agent-signer.ts'
import { examples, globals, print } from './cli.ts'
import { CliError } from './exit.ts'
import { keyringOf, withKeyring } from './keyring.ts'

export function genesisCommand(): Command {
  return new Command('genesis')
    .description('make and check the genesis file of a chain')
    .addCommand(withKeyring(addAccountCommand()))
    .addCommand(withKeyring(gentx()))
    .addCommand(collect())
    .addCommand(validate())
    .addHelpText(
      'after',
      examples(
        'fornaxd genesis add-account alice 1000frx',
        'fornaxd genesis gentx alice 100frx',
        'fornaxd genesis collect',
        'fornaxd genesis validate',
      ),
    )
}

function addAccountCommand(): Command {
  return new Command('add-account')
    .argument('<address>', 'fornax1… or 0x…, or the name of a key')
    .argument('<coins>', 'such as 1000frx')
    .description('give an account coins at the start of the chain')
    .addHelpText('after', examples('fornaxd genesis add-account alice 1000frx'))
    .action(async (who: string, typed: string, _options: unknown, command: Command) => {
      const { home } = globals(command)
      const address = isHexForm(who)
        ? fromHexForm(who, 'address')
        : isAddress(who)
          ? who
          : accountAddress((await keyringOf(command).get(who)).publicKey)
      const document = readGenesis(home.genesis)
      const given = readAmounts(typed)
      addAccount(document, address, given)
      writeFileAtomically(home.genesis, renderGenesis(document))
      const coins = formatCoins(given)
      print(command, { address, coins }, () => `${address} starts with ${coins}`)
    })
}

interface GentxFlags {
  moniker?: string
  peer?: string
  commissionRate: string
  commissionMaxRate: string
  commissionMaxChangeRate: string
  website?: string
  details?: string
}

function gentx(): Command {
  return new Command('gentx')
    .argument('<key>', "the key of the validator's account")
    .argument('<amount>', 'what it stakes, such as 100frx, which is 100 units of power')
    .description('sign the transaction that makes this node a validator at the start of the chain')
    .option('--moniker <name>', 'default as in app.toml')
    .option('--peer <host:port>', 'where other nodes reach this one; default from app.toml')
    .option('--commission-rate <fraction>', 'share of the rewards kept', '0.1')
    .option('--commission-max-rate <fraction>', 'never more than this', '0.2')
    .option('--commission-max-change-rate <fraction>', 'at most this much more a day', '0.01')
    .option('--website <url>')
    .option('--details <text>')
    .addHelpText('after', examples('fornaxd genesis gentx alice 100frx'))
    .action(async (name: string, amount: string, flags: GentxFlags, command: Command) => {
      const { home } = globals(command)
      const ring = keyringOf(command)
      const { publicKey } = await ring.get(name)
      if (!isSingleKey(publicKey)) throw new CliError(`${name} is a multisig key: a single key signs a gentx`)
      const [coin, ...others] = readAmounts(amount)
      if (!coin || coin.denom !== DENOM || others.length > 0)
        throw new CliError(`the stake must be an amount of ${DENOM}, not ${amount}`)
      const config = withEnvironment(readConfig(home.appToml))
      const { nodeId, validator } = ensureKeys(home.path)
      const { host, port } = config.comet.p2p_address
      const address =
        flags.peer ?? (config.comet.external_address || `${host === '0.0.0.0' ? '127.0.0.1' : host}:${port}`)
      const document = readGenesis(home.genesis)
      const { current: agentKey } = ensureAgentKey(home.agentKey)
      const json = await makeGentx({
        chainId: document.chain_id,
        moniker: flags.moniker ?? config.moniker,
        selfDelegation: BigInt(coin.amount),
        key: publicKey,
        sign: (bytes) => ring.sign(name, bytes),
        consensusKey: validator.publicKey,
        agentKeyMessage: (operator) => agentKeyMessage(agentKey, document.chain_id, operator),
        peer: `${nodeId}@${address}`,
        commission: {
          rate: flags.commissionRate,
          maxRate: flags.commissionMaxRate,
          maxChangeRate: flags.commissionMaxChangeRate,
        },
        website: flags.website ?? '',
        details: flags.details ?? '',
      })
      document.app_state.genutil = { gen_txs: [json] }
      checkGentxs(document, () => 'the gentx')
      const file = join(home.gentxs, `gentx-${nodeId}.json`)
      writeFileAtomically(file, `${JSON.stringify(json)}\n`)
      print(
        command,
        { file, gentx: json },
        () => `${file} is written: give it to whoever collects the genesis file`,
      )
    })
}

function collect(): Command {
  return new Command('collect')
    .argument('[folder]', 'where the gentx files lie; default config/gentx')
    .description('put the gentx files into the genesis file, and their nodes into the peers of app.toml')
    .addHelpText('after', examples('fornaxd genesis collect', 'fornaxd genesis collect ./gentxs'))
    .action((folder: string | undefined, _options: unknown, command: Command) => {
      const { home } = globals(command)
      const from = folder ?? home.gentxs
      const names = filesIn(from)
      if (names.length === 0)
        throw new CliError(`there is no gentx file in ${from}: \`fornaxd genesis gentx\` makes them`)
      const document = readGenesis(home.genesis)
      const gentxs = collectGentxs(
        document,
        names.map((n) => parse(join(from, n))),
        names,
      )
      writeFileAtomically(home.genesis, renderGenesis(document))
      const { nodeId } = ensureKeys(home.path)
      const peers = gentxs.map((g) => g.peer).filter((p) => p !== '' && !p.startsWith(nodeId))
      const config = withSettings(
        readConfig(home.appToml),
        [['comet.persistent_peers', peers.join(',')]],
        'the gentx files',
      )
      writeFileAtomically(home.appToml, renderConfig(config))
      print(
        command,
        {
          validators: gentxs.map(({ moniker, operator }) => ({ moniker, operator_address: operator })),
          persistent_peers: peers,
        },
        () =>
          `${gentxs.length} ${gentxs.length === 1 ? 'validator starts' : 'validators start'} the chain:\n${gentxs.map((g) => `  ${g.operator}  ${g.moniker}`).join('\n')}`,
      )
    })
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((n) => n.endsWith('.json'))
      .sort()
  } catch {
    return []
  }
}

function parse(path: string): Json {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Json
  } catch {
    throw new CliError(`${path} is not JSON`)
  }
}

function validate(): Command {
  return new Command('validate')
    .argument('[file]', "default this home's genesis file")
    .description('check a genesis file from end to end')
    .addHelpText('after', examples('fornaxd genesis validate', 'fornaxd genesis validate ./genesis.json'))
    .action((file: string | undefined, _options: unknown, command: Command) => {
      const path = file ?? globals(command).home.genesis
      const document = readGenesis(path)
      const gentxs = validateGenesis(document, modules)
      print(
        command,
        { file: path, chain_id: document.chain_id, genesis_validators: gentxs.length, valid: true },
        () =>
          `${path} is a valid genesis file of ${document.chain_id} with ${document.validators ? `${document.validators.length} validators` : `${gentxs.length} genesis transactions`}`,
      )
    })
}
