import { DENOM } from '../../genesis/document.ts'
import { ConfigError } from '../config/file.ts'
import type { Home } from '../config/home.ts'
import type { Config } from '../config/settings.ts'
import type { FaucetOptions } from '../http/rest/routes/faucet.ts'
import { Keyring } from '../keyring/keyring.ts'

/** The faucet's key and gifts, where there is to be one. */
export async function faucetOf(
  home: Home,
  { faucet, keyring, minimum_gas_prices }: Config,
): Promise<FaucetOptions | undefined> {
  if (!faucet.enabled) return undefined
  const ring = new Keyring(home.path, keyring.backend, () => {
    const given = process.env['FORNAX_KEYRING_PASSPHRASE']
    return given
      ? Promise.resolve(given)
      : Promise.reject(
          new ConfigError(
            'the faucet signs with a key of the encrypted keyring: set FORNAX_KEYRING_PASSPHRASE',
          ),
        )
  })
  return {
    ...(await ring.signer(faucet.key)),
    amount: faucet.amount.map(({ denom, amount }) => ({ denom, amount: amount.toString() })),
    intervalMs: faucet.interval,
    gasPrice: minimum_gas_prices[0] ?? { denom: DENOM, amount: 0n },
  }
}
