import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { formatAddress, VALIDATOR_PREFIX } from '../core/address.ts'
import { toHex } from '../core/bytes.ts'
import { isSingleKey } from '../core/crypto/account-key.ts'
import { checksumAddress } from '../core/hex-address.ts'
import { ownModelHash } from '../daemon/classifier/model-files.ts'
import { ensureKeys } from '../daemon/comet/keys.ts'
import { homeLayout } from '../daemon/config/home.ts'
import { writeFileAtomically } from '../daemon/files.ts'
import { DEFAULT_KEY_TYPE, derivePrivateKey, newMnemonic, pathOf } from '../daemon/keyring/derive.ts'
import { Keyring } from '../daemon/keyring/keyring.ts'
import { accountAddress } from '../daemon/keyring/record.ts'
import { createToken } from '../daemon/tokens.ts'
import { ensureAgentKey } from '../daemon/validator/agent-key.ts'
import { agentKeyMessage } from '../daemon/validator/agent-signer.ts'
import { addAccount } from '../genesis/accounts.ts'
import { DENOM, type JsonObject, laidOver, newGenesis, renderGenesis } from '../genesis/document.ts'
import { collectGentxs, makeGentx } from '../genesis/gentx.ts'
import {
  developmentAccounts,
  developmentFunds,
  developmentState,
  validatorFunds,
  validatorStake,
} from '../genesis/presets.ts'
import { validateGenesis } from '../genesis/validate.ts'
import { modules } from '../modules/index.ts'
import { type LocalnetInfo, nodeInfo, writeInfo } from './info.ts'
import { portsOf } from './ports.ts'

export interface InitialiseOptions {
  readonly folder: string
  readonly validators: number
  readonly slotTime: string
  readonly chainId?: string
  /** Sections of `app_state`, laid over the modules' defaults. */
  readonly appState?: JsonObject
}

/** Makes homes, keys and genesis of a local network. The folder comes into being whole or not at all. */
export async function initialise(options: InitialiseOptions): Promise<LocalnetInfo> {
  const { folder, validators, slotTime, chainId = 'fornax-1' } = options
  const unfinished = `${folder}.unfinished`
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(unfinished, { recursive: true, mode: 0o700 })

  const document = newGenesis({ chainId, modules, development: true, modelHash: ownModelHash() })
  Object.assign(
    document.app_state,
    [developmentState, options.appState ?? {}].reduce(laidOver, document.app_state),
  )
  const coins = (amount: bigint) => [{ denom: DENOM, amount: amount.toString() }]
  const secrets = await Promise.all(
    developmentAccounts.map(({ mnemonic, keyType }) => derivePrivateKey(mnemonic, pathOf(keyType))),
  )
  const nodes = []
  const gentxs = []
  for (let i = 0; i < validators; i++) {
    const name = `node${i}`
    const home = homeLayout(join(unfinished, name))
    const { nodeId, validator } = ensureKeys(home.path)
    const ring = new Keyring(home.path, 'test', async () => '')
    const secret = await derivePrivateKey(newMnemonic(), pathOf(DEFAULT_KEY_TYPE))
    const key = await ring.add('validator', secret, DEFAULT_KEY_TYPE)
    for (const [n, { name, keyType }] of developmentAccounts.entries())
      await ring.add(name, secrets[n]!, keyType)
    if (!isSingleKey(key.publicKey)) throw new Error('a new key is a single key')
    addAccount(document, accountAddress(key.publicKey), coins(validatorFunds))
    const { current: agentKey } = ensureAgentKey(home.agentKey)
    const operator = formatAddress(key.publicKey.address, VALIDATOR_PREFIX)
    nodes.push(nodeInfo({ name, operator_address: operator, home: join(folder, name), nodeId }, portsOf(i)))
    gentxs.push(
      await makeGentx({
        chainId,
        moniker: name,
        selfDelegation: validatorStake,
        key: key.publicKey,
        sign: (bytes) => ring.sign('validator', bytes),
        consensusKey: validator.publicKey,
        agentKeyMessage: (operator) => agentKeyMessage(agentKey, chainId, operator),
        peer: `${nodeId}@127.0.0.1:${portsOf(i).p2p}`,
      }),
    )
  }
  const first = new Keyring(join(unfinished, 'node0'), 'test', async () => '')
  const accounts = []
  for (const [n, { name, keyType, mnemonic }] of developmentAccounts.entries()) {
    const { publicKey } = await first.get(name)
    const address = accountAddress(publicKey)
    addAccount(document, address, coins(developmentFunds))
    accounts.push({
      name,
      key_type: keyType,
      address,
      evm_address: checksumAddress(publicKey.address),
      mnemonic,
      private_key: `0x${toHex(secrets[n]!)}`,
    })
  }
  collectGentxs(
    document,
    gentxs,
    nodes.map((n) => n.name),
  )
  validateGenesis(document, modules)
  for (const { name } of nodes)
    writeFileAtomically(homeLayout(join(unfinished, name)).genesis, renderGenesis(document))
  const { token } = createToken(homeLayout(join(unfinished, 'node0')).tokens, {
    key: developmentAccounts[0].name,
    scopes: ['*'],
    expires: null,
  })
  const info: LocalnetInfo = { chain_id: chainId, slot_time: slotTime, nodes, accounts, token }
  writeInfo(unfinished, info)
  renameSync(unfinished, folder)
  return info
}
