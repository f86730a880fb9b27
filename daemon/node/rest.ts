import { COMETBFT_VERSION } from '../comet/binary.ts'
import type { Home } from '../config/home.ts'
import type { Config } from '../config/settings.ts'
import { type CredentialRules, isLoopback } from '../http/credentials.ts'
import { EventFeed } from '../http/events/event-feed.ts'
import { telemetryRoute } from '../http/rest/routes/telemetry.ts'
import { serveRest } from '../http/rest/server.ts'
import { coinTypeOf, DEFAULT_KEY_TYPE } from '../keyring/derive.ts'
import { tokenVerifier } from '../tokens.ts'
import { appVersion } from '../version.ts'
import { faucetOf } from './faucet.ts'
import { listening } from './listening.ts'
import type { NodeCore } from './options.ts'

/** Serves the REST interface, where it is to be. */
export async function startRest(node: NodeCore): Promise<void> {
  const {
    home,
    config,
    log,
    parts,
    chain,
    rpc,
    metrics,
    reads,
    blocks,
    blockAge,
    signer,
    telemetry,
    ownTelemetry,
  } = node
  if (!config.rest.enabled) return
  const faucet = await faucetOf(home, config)
  const rest = await parts.start('REST', {
    begin: () =>
      listening('rest.address', config.rest.address, () =>
        serveRest({
          chain,
          rpc,
          reads,
          metrics,
          signer,
          ownTelemetry,
          events: new EventFeed(chain, rpc, blocks),
          credentials: credentialsOf(home, config),
          blockAge,
          routes: [telemetryRoute(telemetry, blockAge)],
          log: log.child({ module: 'rest' }),
          config: {
            ...config.rest.address,
            corsOrigins: config.rest.cors_origins,
            writesPerSecond: config.rest.writes_per_second,
            version: appVersion,
            facts: {
              development: node.development,
              coinType: coinTypeOf(DEFAULT_KEY_TYPE),
              cometVersion: COMETBFT_VERSION,
              minimumGasPrices: config.minimum_gas_prices,
              restUrl: config.rest.public_url,
              rpcUrl: config.comet.public_rpc_url,
              rpcAddress: config.comet.rpc_address,
            },
            ...(faucet && { faucet }),
          },
        }),
      ),
    stop: (server) => server.close(),
  })
  log.info({ url: rest.url }, 'REST listens')
  if (config.rest.loopback_key !== '')
    log.warn(
      { key: config.rest.loopback_key },
      'every program on this machine may act in the name of this key (rest.loopback_key)',
    )
}

function credentialsOf(home: Home, { rest }: Config): CredentialRules {
  return {
    verifyToken: tokenVerifier(home.tokens),
    takesTokens: rest.tokens_over_http || isLoopback(rest.address.host),
    ...(rest.loopback_key !== '' && { loopbackKey: rest.loopback_key }),
  }
}
