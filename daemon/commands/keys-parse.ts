import { Command } from 'commander'
import { type Address, formatAddress, hasPrefix, parseAddress, VALIDATOR_PREFIX } from '../../core/address.ts'
import { hexForm, parseEitherAddress } from '../../core/hex-address.ts'
import { examples, print } from './cli.ts'

const addressOf = (text: string): Address =>
  hasPrefix(text, VALIDATOR_PREFIX) ? parseAddress(text, VALIDATOR_PREFIX) : parseEitherAddress(text)

export function parseCommand(): Command {
  return new Command('parse')
    .argument('<address>', 'fornax1…, 0x… or fornaxvaloper1…')
    .description("show an address in all its forms: an account's, Ethereum's, a validator operator's")
    .addHelpText('after', examples('fornaxd keys parse 0x1959Ec2B3C9f3bB85cC5Bb2DDC0d6BD4F9ba4b34'))
    .action((text: string, _options: unknown, command: Command) => {
      const address = addressOf(text)
      print(command, {
        address: formatAddress(address),
        evm_address: hexForm(address) ?? null,
        operator_address: formatAddress(address, VALIDATOR_PREFIX),
      })
    })
}
