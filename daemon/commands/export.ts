import { existsSync } from 'node:fs'
import { Command } from 'commander'
import { type Address, formatAddress, parseAddress, VALIDATOR_PREFIX } from '../../core/address.ts'
import { isHexForm, parseEitherAddress } from '../../core/hex-address.ts'
import { nanosecondsOf, parseTimestamp } from '../../core/time.ts'
import {
  type GenesisDocument,
  GenesisError,
  isChainId,
  isTime,
  readGenesis,
  renderGenesis,
} from '../../genesis/document.ts'
import { exportedDocument } from '../../genesis/exported.ts'
import { validateGenesis } from '../../genesis/validate.ts'
import { modules } from '../../modules/index.ts'
import * as staking from '../../modules/staking/api.ts'
import { Chain } from '../app/chain.ts'
import { brokenInvariants, createRouter } from '../app/router.ts'
import { writeFileAtomically } from '../files.ts'
import { createLog } from '../log.ts'
import { Store } from '../store/store.ts'
import { StoreError } from '../store/store-error.ts'
import { appVersion } from '../version.ts'
import { examples, globals, note } from './cli.ts'
import { CliError, exitCodes } from './exit.ts'
import { unsigned } from './tx-options.ts'

interface ExportFlags {
  height?: string
  chainId?: string
  genesisTime?: string
  forZeroHeight?: true
  jailAllowedAddrs?: string
  outputDocument?: string
}

const restart = `
To start the new chain, on every node, once all have the same file:
  $ fornaxd genesis validate genesis.json
  $ mv ~/.fornaxd/data ~/.fornaxd/data-before
  $ cp genesis.json ~/.fornaxd/config/genesis.json
  $ fornaxd start
Validators that export for themselves get the same file, to the byte, with the same --height, --chain-id and
--genesis-time.`

export function exportCommand(): Command {
  return new Command('export')
    .description('print a genesis file that starts again with the state of now; the node must be stopped')
    .option('--height <n>', 'the state of this height; default the last')
    .option('--chain-id <id>', 'of the chain to start; default the same')
    .option('--genesis-time <time>', 'when the new chain begins, such as 2026-01-31T12:00:00Z; default now')
    .option(
      '--for-zero-height',
      'begin at height 1 instead of the next: rewards and commission are paid out, heights forgotten',
    )
    .option(
      '--jail-allowed-addrs <operators>',
      'with --for-zero-height: jail all validators but these, separated by commas',
    )
    .option('--output-document <file>', 'write there instead of to standard output')
    .addHelpText(
      'after',
      examples(
        'fornaxd export > genesis.json',
        'fornaxd export --chain-id fornax-2 --output-document genesis.json',
        'fornaxd export --for-zero-height --chain-id fornax-2 --genesis-time 2026-01-31T12:00:00Z > genesis.json',
      ),
    )
    .addHelpText('after', restart)
    .action(async (flags: ExportFlags, command: Command) => {
      const { home } = globals(command)
      const wanted = read(flags)
      const old = readGenesis(home.genesis)
      if (!existsSync(home.store)) throw noBlock()
      const store = await open(home.store)
      try {
        if (store.height === 0) throw noBlock()
        const document = exported(store, old, wanted)
        if (flags.outputDocument === undefined) process.stdout.write(renderGenesis(document))
        else {
          writeFileAtomically(flags.outputDocument, renderGenesis(document))
          note(`the state of height ${wanted.height ?? store.height} is in ${flags.outputDocument}`)
        }
        if (wanted.forZeroHeight && document.chain_id === old.chain_id)
          note(
            `Warning: the new chain is called ${old.chain_id} too, and its validators sign the same heights again: give --chain-id`,
          )
      } finally {
        await store.close()
      }
    })
}

const noBlock = (): CliError => new CliError('the chain has no block yet: its genesis file is its state')
const usage = (message: string): CliError => new CliError(message, exitCodes.usage)

interface Wanted {
  readonly height: number | undefined
  readonly chainId?: string
  readonly time?: string
  readonly forZeroHeight: boolean
  readonly allowed?: readonly Address[]
}

/** The options as read, their forms checked before the database is opened. */
function read(flags: ExportFlags): Wanted {
  const { chainId, genesisTime: time, forZeroHeight = false, jailAllowedAddrs } = flags
  if (chainId !== undefined && !isChainId(chainId))
    throw usage(`--chain-id must be fornax-<number>, such as fornax-2, not ${chainId}`)
  if (time !== undefined && !isTime(time))
    throw usage(`--genesis-time must be a time in UTC, such as 2026-01-31T12:00:00Z, not ${time}`)
  if (jailAllowedAddrs !== undefined && !forZeroHeight)
    throw usage('--jail-allowed-addrs goes with --for-zero-height')
  return {
    height: flags.height === undefined ? undefined : Number(unsigned('--height', flags.height)),
    forZeroHeight,
    ...(chainId !== undefined && { chainId }),
    ...(time !== undefined && { time }),
    ...(jailAllowedAddrs !== undefined && { allowed: jailAllowedAddrs.split(',').map(operator) }),
  }
}

function operator(text: string): Address {
  try {
    const typed = text.trim()
    return isHexForm(typed) ? parseEitherAddress(typed) : parseAddress(typed, VALIDATOR_PREFIX)
  } catch {
    throw usage(
      `--jail-allowed-addrs: ${JSON.stringify(text)} is no address of a validator's operator (${VALIDATOR_PREFIX}1…, or its account's 0x…)`,
    )
  }
}

async function open(path: string): Promise<Store> {
  try {
    // Nothing is committed, so nothing is pruned.
    return await Store.open({ path, stores: createRouter(modules).stores, pruning: { kind: 'nothing' } })
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    throw new CliError(
      error.code === 'locked' ? `the node is running: stop it first (${error.message})` : error.message,
    )
  }
}

function exported(store: Store, old: GenesisDocument, { height, ...options }: Wanted): GenesisDocument {
  const chain = new Chain({
    store,
    modules,
    version: appVersion,
    minimumGasPrices: [],
    log: createLog({ level: 'error' }),
  })
  const ctx = chain.view('committed', height)
  for (const operator of options.allowed ?? [])
    if (staking.validator(ctx, operator) === undefined)
      throw usage(`--jail-allowed-addrs: there is no validator ${formatAddress(operator, VALIDATOR_PREFIX)}`)
  const broken = brokenInvariants(modules, ctx)
  for (const wrong of broken) note(`Warning: an invariant is broken: ${wrong}`)
  if (broken.length > 0 && options.forZeroHeight)
    throw new CliError('a state whose invariants are broken cannot begin at height zero; export it as it is')
  const document = exportedDocument(ctx, modules, old, options)
  if (nanosecondsOf(parseTimestamp(document.genesis_time)) <= ctx.timeNs)
    note('Warning: the new chain begins before the last block: what is to end at a time ends later')
  warnOfFaults(document)
  return document
}

/** An operator who needs the state gets it, if one who must mend it first. */
function warnOfFaults(document: GenesisDocument): void {
  try {
    validateGenesis(document, modules)
  } catch (error) {
    if (!(error instanceof GenesisError)) throw error
    note(`Warning: no chain can begin with this file as it is: ${error.message}`)
  }
}
