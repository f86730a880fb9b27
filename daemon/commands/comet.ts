import { existsSync } from 'node:fs'
import { Command } from 'commander'
import { CONSENSUS_PREFIX, checkAddress, formatAddress } from '../../core/address.ts'
import { toBase64 } from '../../core/bytes.ts'
import { ED25519_URL } from '../../core/crypto/public-key.ts'
import { readKeys } from '../comet/keys.ts'
import { endStaleChild } from '../comet/pid-file.ts'
import { type ResetOptions, resetData, signedHeight } from '../comet/reset.ts'
import type { Home } from '../config/home.ts'
import { Store } from '../store/store.ts'
import { StoreError } from '../store/store-error.ts'
import { examples, globals, note, print } from './cli.ts'
import { CliError } from './exit.ts'
import { confirm } from './prompt.ts'

export function cometCommand(): Command {
  return new Command('comet')
    .aliases(['cometbft', 'tendermint'])
    .description("show this home's consensus and node keys, and delete its blocks")
    .addCommand(showValidator())
    .addCommand(showAddress())
    .addCommand(showNodeId())
    .addCommand(reset())
    .addHelpText('after', examples('fornaxd comet show-validator', 'fornaxd comet reset'))
}

/** A consensus key as `pubkey` of MsgCreateValidator has it. */
export const consensusKeyJson = (publicKey: Uint8Array) => ({
  '@type': ED25519_URL,
  key: toBase64(publicKey),
})

const keysOf = (command: Command) => readKeys(globals(command).home.path)

function showValidator(): Command {
  return new Command('show-validator')
    .description('show the public key that this node signs blocks with, as create-validator takes it')
    .addHelpText('after', examples('fornaxd comet show-validator'))
    .action((_options: unknown, command: Command) => {
      const json = consensusKeyJson(keysOf(command).validator.publicKey)
      print(command, json, () => JSON.stringify(json))
    })
}

function showAddress(): Command {
  return new Command('show-address')
    .description('show the address of the key that this node signs blocks with (fornaxvalcons1…)')
    .addHelpText('after', examples('fornaxd comet show-address'))
    .action((_options: unknown, command: Command) => {
      const address = formatAddress(checkAddress(keysOf(command).validator.address), CONSENSUS_PREFIX)
      print(command, { address }, () => address)
    })
}

function showNodeId(): Command {
  return new Command('show-node-id')
    .description("show the node's id, which stands before the @ in its peers' settings")
    .addHelpText('after', examples('fornaxd comet show-node-id'))
    .action((_options: unknown, command: Command) => {
      const { nodeId } = keysOf(command)
      print(command, { node_id: nodeId }, () => nodeId)
    })
}

interface ResetFlags {
  readonly keepAddrBook?: true
  readonly unsafeForgetSigned?: true
  readonly yes?: true
}

const resetHelp = `
Deletes what is in data/ of the home: CometBFT's blocks, its index and evidence, and the application's state. The next start
begins at the genesis file and gets all blocks from peers again; where no other node has them they are lost. Keys, settings,
the genesis file and the keyring stay. The address book goes unless it is kept.

What the validator has signed (data/priv_validator_state.json) stays too, unlike with "unsafe-reset-all" of other chains: it is
what keeps a validator from signing a height twice, which costs it stake and its place for good. It signs nothing until the
chain is past the height that it has signed. Only where the chain itself begins again at a lower height, such as a test network
with a new genesis file, is that to be forgotten, by --unsafe-forget-signed.
`

function reset(): Command {
  return new Command('reset')
    .alias('unsafe-reset-all')
    .description('delete all blocks and all state of this home; the node must be stopped')
    .option('--keep-addr-book', 'keep the addresses of peers that the node has learnt')
    .option(
      '--unsafe-forget-signed',
      'forget what the validator has signed too: on a chain that goes on it can then sign twice',
    )
    .option('-y, --yes', 'do not ask')
    .addHelpText(
      'after',
      resetHelp + examples('fornaxd comet reset', 'fornaxd comet reset --keep-addr-book --yes'),
    )
    .action(async (flags: ResetFlags, command: Command) => {
      const { home } = globals(command)
      if (!existsSync(home.appToml) && !existsSync(home.genesis))
        throw new CliError(`no node in ${home.path}: name its folder by --home or FORNAX_HOME`)
      const options: ResetOptions = {
        keepAddressBook: flags.keepAddrBook === true,
        forgetSigned: flags.unsafeForgetSigned === true,
      }
      const signed = options.forgetSigned ? 0n : signedHeight(home.path)
      const also = options.forgetSigned ? ', and forget what its validator has signed' : ''
      await confirm(`Delete all blocks and all state in ${home.path}${also}?`, flags.yes)
      const deleted = await resetStopped(home, options)
      print(command, { deleted, kept_signed_height: `${signed}` }, () =>
        deleted.length === 0
          ? 'there was nothing to delete'
          : `deleted in ${home.path}: ${deleted.join(', ')}`,
      )
      if (signed > 0n)
        note(
          `The validator's signing state is kept: it signs nothing up to height ${signed}. On a chain that itself begins again, add --unsafe-forget-signed.`,
        )
    })
}

async function resetStopped(home: Home, options: ResetOptions): Promise<string[]> {
  let deleted: string[] = []
  try {
    await Store.withoutOthers(home.store, async () => {
      await endStaleChild(home.path)
      deleted = resetData(home.path, options)
    })
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    throw new CliError(`the node is running: stop it first (${error.message})`)
  }
  return deleted
}
