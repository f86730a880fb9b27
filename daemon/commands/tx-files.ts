import { readFileSync } from 'node:fs'
import { Command } from 'commander'
import { AuthInfo, type Tx, TxBody } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { fromBase64, toBase64 } from '../../core/bytes.ts'
import { fromJson } from '../../core/wire/json.ts'
import { type Draft, joinSignatures, signDraft, signForMultisig } from '../client/sign.ts'
import { accountAddress } from '../keyring/record.ts'
import { examples } from './cli.ts'
import { CliError, exitCodes } from './exit.ts'
import { keyringOf } from './keyring.ts'
import { withNode } from './node.ts'
import { type SignOptions, withSigning } from './tx-options.ts'
import { txJson } from './tx-response.ts'
import { broadcast, keyOf, signerData, signMode } from './tx-send.ts'

export function readJson(file: string): unknown {
  let text: string
  try {
    text = readFileSync(file === '-' ? 0 : file, 'utf8')
  } catch {
    throw new CliError(`${file} cannot be read`)
  }
  try {
    return JSON.parse(text)
  } catch {
    throw new CliError(`${file} is not JSON`)
  }
}

function readDraft(file: string): Draft {
  const { body, authInfo, signatures } = fromJson('cosmos.tx.v1beta1.Tx', readJson(file), file) as Tx
  return { body: body ?? TxBody.fromPartial({}), authInfo: authInfo ?? AuthInfo.fromPartial({}), signatures }
}

/** A member's signature as `tx sign --multisig` prints it. */
interface MemberSignature {
  readonly public_key: string
  readonly signature: string
}

export function signCommand(): Command {
  return withSigning(
    new Command('sign')
      .argument('<file>', 'a transaction in JSON, as --generate-only prints it; - for standard input')
      .description('sign a transaction and print it')
      .requiredOption('--from <key>', 'the key that signs')
      .option('--multisig <key>', 'sign as a member of this multisig key, and print the signature alone'),
  )
    .addHelpText(
      'after',
      examples(
        'fornaxd tx sign tx.json --from alice > signed.json',
        'fornaxd tx sign tx.json --from alice --multisig team > alice.json',
      ),
    )
    .action(
      async (file: string, options: SignOptions & { from: string; multisig?: string }, command: Command) => {
        const ring = keyringOf(command)
        const key = await keyOf(command, options.from)
        const draft = readDraft(file)
        const sign = (bytes: Uint8Array): Promise<Uint8Array> => ring.sign(key.name, bytes)
        if (options.multisig === undefined) {
          const data = await signerData(command, accountAddress(key.publicKey))
          const signed = await signDraft(draft, key.publicKey, data, signMode(options), sign)
          process.stdout.write(`${JSON.stringify(txJson(signed))}\n`)
          return
        }
        if (key.publicKey.kind === 'multisig')
          throw new CliError(`${key.name} is itself a multisig key: its members sign`)
        if (key.publicKey.kind !== 'secp256k1')
          throw new CliError(`${key.name} is an ${key.publicKey.kind} key: those are members of no multisig`)
        const team = await keyOf(command, options.multisig)
        const signature = await signForMultisig(
          draft,
          await signerData(command, accountAddress(team.publicKey)),
          sign,
        )
        const result: MemberSignature = {
          public_key: toBase64(key.publicKey.key),
          signature: toBase64(signature),
        }
        process.stdout.write(`${JSON.stringify(result)}\n`)
      },
    )
}

export function multisignCommand(): Command {
  return withSigning(
    new Command('multisign')
      .argument('<file>', 'the transaction that was signed')
      .argument('<key>', 'the multisig key')
      .argument('<signatures...>', 'files that "tx sign --multisig" printed')
      .description("join members' signatures into a transaction of a multisig account"),
  )
    .addHelpText('after', examples('fornaxd tx multisign tx.json team alice.json bob.json > signed.json'))
    .action(async (file: string, name: string, files: string[], _options: unknown, command: Command) => {
      const { publicKey } = await keyOf(command, name)
      if (publicKey.kind !== 'multisig') throw new CliError(`${name} is not a multisig key`, exitCodes.usage)
      const given = files.map((f) => {
        const { public_key, signature } = readJson(f) as Partial<MemberSignature>
        if (typeof public_key !== 'string' || typeof signature !== 'string')
          throw new CliError(`${f} is not what \`fornaxd tx sign --multisig\` prints`)
        return { key: fromBase64(public_key), signature: fromBase64(signature) }
      })
      const data = await signerData(command, accountAddress(publicKey))
      process.stdout.write(
        `${JSON.stringify(txJson(joinSignatures(readDraft(file), publicKey, data, given)))}\n`,
      )
    })
}

export function broadcastCommand(): Command {
  return withNode(
    new Command('broadcast')
      .argument('<file>', 'a signed transaction in JSON; - for standard input')
      .description('send a signed transaction')
      .option('--no-wait', 'do not wait for the block'),
  )
    .addHelpText('after', examples('fornaxd tx broadcast signed.json'))
    .action(async (file: string, options: { wait: boolean }, command: Command) => {
      await broadcast(command, readDraft(file), options.wait)
    })
}
