import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { checkFloors, sourcesIn } from '../kit/floors/check.ts'
import { placeOf, readFloors } from '../kit/floors/table.ts'
import { expectFindings, type Line, plant, type Tree } from '../kit/floors/violations.ts'
import { tempDir } from '../kit/temp-dir.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const floors = readFloors(readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8'))

const refused = (floor: string, what: string): string => `\`${floor}\` may not import ${what}`
const imports = (path: string, finding?: string): Line =>
  finding === undefined ? [`import '${path}'`] : [`import '${path}'`, finding]

const FLOORS: Tree = {
  'proto/gen/a.ts': [
    imports('protobufjs/minimal.js'),
    imports('../../core/bytes.ts', refused('proto/', 'core/bytes.ts')),
    imports('fastify', refused('proto/', 'the package fastify')),
    imports('node:crypto', refused('proto/', 'the package node:crypto')),
  ],
  'core/tx/a.ts': [
    imports('../bytes.ts'),
    imports('../../proto/gen/a.ts'),
    imports('node:buffer'),
    imports('node:crypto'),
    imports('secp256k1/bindings.js'),
    imports('@noble/hashes/sha2.js'),
    imports('../../modules/bank/api.ts', refused('core/', 'modules/bank/api.ts')),
    imports('../../precompiles/bank.ts', refused('core/', 'precompiles/bank.ts')),
    imports('../../genesis/document.ts', refused('core/', 'genesis/document.ts')),
    imports('../../daemon/files.ts', refused('core/', 'daemon/files.ts')),
    imports('../../localnet/ports.ts', refused('core/', 'localnet/ports.ts')),
    imports('../../test/kit/chain.ts', refused('core/', 'test/kit/chain.ts')),
    imports('../../package.json', refused('core/', 'package.json')),
    imports('../../../elsewhere.ts', refused('core/', '../elsewhere.ts')),
    ...['node:fs', 'node:fs/promises', 'fs', 'crypto', 'node:worker_threads'].map((name) =>
      imports(name, refused('core/', `the package ${name === 'node:fs/promises' ? 'node:fs' : name}`)),
    ),
    ...['fastify', 'pino', 'classic-level', 'level', 'onnxruntime-node', 'prom-client', '@fastify/cors'].map(
      (name) => imports(name, refused('core/', `the package ${name}`)),
    ),
    ["export type A = import('../../daemon/files.ts').A", refused('core/', 'daemon/files.ts')],
    ["import type { B } from '../../daemon/files.ts'", refused('core/', 'daemon/files.ts')],
    ["export type { C } from '../../daemon/files.ts'", refused('core/', 'daemon/files.ts')],
    ["export * from '../../daemon/files.ts'", refused('core/', 'daemon/files.ts')],
    ["await import('../../daemon/files.ts')", refused('core/', 'daemon/files.ts')],
    [`await import(\`../../daemon/\${name}.ts\`)`, refused('core/', 'daemon/_.ts')],
    ["await import('../../daemon/files.ts' as string)", refused('core/', 'daemon/files.ts')],
    ['await import(name)', 'cannot be told'],
    ["import D = require('../../daemon/files.ts')", refused('core/', 'daemon/files.ts')],
    ["new Worker(new URL('../../daemon/files.js', import.meta.url))", refused('core/', 'daemon/files.ts')],
    ["register('../../daemon/files.js', import.meta.url)", refused('core/', 'daemon/files.ts')],
    ["join(import.meta.dirname, '../../daemon', 'files.js')", refused('core/', 'daemon/files.ts')],
    ["new URL('../../../package.json', import.meta.url)", refused('core/', 'package.json')],
    ["import.meta.resolve('../../daemon/files.ts')", 'cannot be told'],
    ["createRequire(import.meta.url)('../../daemon/files.ts')", 'cannot be told'],
    ["export const e = \"import '../../daemon/files.ts'\" // import '../../daemon/files.ts'"],
  ],
  'modules/ibc/client/a.ts': [
    imports('./b.ts'),
    imports('../errors.ts'),
    imports('../channel/deep/b.ts'),
    imports('../../../core/bytes.ts'),
    imports('../../../proto/gen/a.ts'),
    imports('../../bank/api.ts'),
    imports('../../staking/hooks.ts'),
    imports('../../bank/errors.ts'),
    imports('cosmjs-types/binary'),
    imports('node:crypto'),
    imports('../../bank/state.ts', refused('modules/<module>/', 'modules/bank/state.ts')),
    imports('../../bank/deep/api.ts', refused('modules/<module>/', 'modules/bank/deep/api.ts')),
    imports('../../bank/index.ts', refused('modules/<module>/', 'modules/bank/index.ts')),
    imports('../../index.ts', refused('modules/<module>/', 'modules/index.ts')),
    imports('../../../precompiles/bank.ts', refused('modules/<module>/', 'precompiles/bank.ts')),
    imports('../../../genesis/document.ts', refused('modules/<module>/', 'genesis/document.ts')),
    imports('../../../daemon/files.ts', refused('modules/<module>/', 'daemon/files.ts')),
    imports('node:fs', refused('modules/<module>/', 'the package node:fs')),
    imports('secp256k1', refused('modules/<module>/', 'the package secp256k1')),
    imports('classic-level', refused('modules/<module>/', 'the package classic-level')),
  ],
  'modules/evm/machine/a.ts': [
    imports('../precompiled/b.ts'),
    imports('../../../core/bytes.ts'),
    imports('../../bank/api.ts'),
    imports('node:crypto'),
    imports('cosmjs-types/binary'),
    imports('@ethereumjs/evm'),
    imports('mcl-wasm/dist/mcl_c.js'),
    imports('../../bank/state.ts', refused('modules/evm/', 'modules/bank/state.ts')),
    imports('node:fs', refused('modules/evm/', 'the package node:fs')),
    imports('hash-wasm', refused('modules/evm/', 'the package hash-wasm')),
  ],
  'modules/bank/keeper/a.ts': [
    imports('../../evm/api.ts'),
    imports('../../evm/machine/a.ts', refused('modules/<module>/', 'modules/evm/machine/a.ts')),
    imports('@ethereumjs/evm', refused('modules/<module>/', 'the package @ethereumjs/evm')),
  ],
  'modules/index.ts': [
    imports('./bank/index.ts'),
    imports('./ibc/client/a.ts'),
    imports('../genesis/document.ts', refused('modules/index.ts', 'genesis/document.ts')),
  ],
  'precompiles/bank.ts': [
    imports('../core/bytes.ts'),
    imports('../modules/bank/api.ts'),
    imports('../modules/bank/state.ts', refused('precompiles/', 'modules/bank/state.ts')),
    imports('../daemon/files.ts', refused('precompiles/', 'daemon/files.ts')),
    imports('node:fs', refused('precompiles/', 'the package node:fs')),
  ],
  'genesis/a.ts': [
    imports('../modules/bank/api.ts'),
    imports('node:fs'),
    imports('../modules/bank/state.ts', refused('genesis/', 'modules/bank/state.ts')),
    imports('../modules/index.ts', refused('genesis/', 'modules/index.ts')),
    imports('../daemon/files.ts', refused('genesis/', 'daemon/files.ts')),
    imports('../localnet/ports.ts', refused('genesis/', 'localnet/ports.ts')),
  ],
  'daemon/a.ts': [
    imports('./files.ts'),
    imports('./app/chain.ts', refused('daemon/*', 'daemon/app/chain.ts')),
    imports('../modules/bank/api.ts', refused('daemon/*', 'modules/bank/api.ts')),
  ],
  'daemon/elsewhere/a.ts': [['export {}', 'stands on no floor']],
  'daemon/abci/a.ts': [
    imports('./frames.ts'),
    imports('../../core/bytes.ts', refused('daemon/abci/', 'core/bytes.ts')),
    imports('../files.ts', refused('daemon/abci/', 'daemon/files.ts')),
    imports('pino', refused('daemon/abci/', 'the package pino')),
  ],
  'daemon/store/tree/a.ts': [
    imports('../store-error.ts'),
    imports('../disk/database.ts', refused('daemon/store/tree/', 'daemon/store/disk/database.ts')),
    imports('../read/proof.ts', refused('daemon/store/tree/', 'daemon/store/read/proof.ts')),
    imports('../store.ts', refused('daemon/store/tree/', 'daemon/store/store.ts')),
    imports('classic-level', refused('daemon/store/tree/', 'the package classic-level')),
  ],
  'daemon/store/disk/a.ts': [
    imports('../tree/memory-tree.ts'),
    imports('../read/proof.ts', refused('daemon/store/disk/', 'daemon/store/read/proof.ts')),
  ],
  'daemon/store/read/a.ts': [
    imports('../disk/database.ts'),
    imports('../store.ts', refused('daemon/store/read/', 'daemon/store/store.ts')),
  ],
  'daemon/store/a.ts': [
    imports('./read/proof.ts'),
    imports('../http/error-status.ts', refused('daemon/store/*', 'daemon/http/error-status.ts')),
    imports('../app/chain.ts', refused('daemon/store/*', 'daemon/app/chain.ts')),
    imports('../../modules/bank/api.ts', refused('daemon/store/*', 'modules/bank/api.ts')),
    imports('../../genesis/document.ts', refused('daemon/store/*', 'genesis/document.ts')),
  ],
  'daemon/app/a.ts': [
    imports('../store/store.ts'),
    imports('../../genesis/app-state.ts'),
    imports('../../modules/bank/api.ts'),
    imports('../abci/handler.ts'),
    imports('../abci/server.ts', refused('daemon/app/', 'daemon/abci/server.ts')),
    imports('../store/disk/database.ts', refused('daemon/app/', 'daemon/store/disk/database.ts')),
    imports('../client/rpc.ts', refused('daemon/app/', 'daemon/client/rpc.ts')),
    imports('../http/error-status.ts', refused('daemon/app/', 'daemon/http/error-status.ts')),
    imports('../classifier/engine.ts', refused('daemon/app/', 'daemon/classifier/engine.ts')),
    imports('../../modules/bank/state.ts', refused('daemon/app/', 'modules/bank/state.ts')),
    imports('onnxruntime-node', refused('daemon/app/', 'the package onnxruntime-node')),
  ],
  'daemon/comet/a.ts': [imports('../app/chain.ts', refused('daemon/comet/', 'daemon/app/chain.ts'))],
  'daemon/config/a.ts': [imports('../files.ts', refused('daemon/config/', 'daemon/files.ts'))],
  'daemon/keyring/a.ts': [imports('../config/home.ts', refused('daemon/keyring/', 'daemon/config/home.ts'))],
  'daemon/client/a.ts': [
    imports('../client/rpc.ts'),
    imports('../comet/child.ts', refused('daemon/client/', 'daemon/comet/child.ts')),
    imports('../files.ts', refused('daemon/client/', 'daemon/files.ts')),
  ],
  'daemon/index/a.ts': [
    imports('../http/error-status.ts', refused('daemon/index/', 'daemon/http/error-status.ts')),
  ],
  'daemon/classifier/a.ts': [
    ["await import('onnxruntime-node')"],
    imports('../client/rpc.ts', refused('daemon/classifier/', 'daemon/client/rpc.ts')),
  ],
  'daemon/validator/a.ts': [
    imports('../http/error-status.ts', refused('daemon/validator/', 'daemon/http/error-status.ts')),
  ],
  'daemon/services/a.ts': [
    imports('../http/error-status.ts', refused('daemon/services/', 'daemon/http/error-status.ts')),
  ],
  'daemon/http/a.ts': [
    imports('../read-queue.ts'),
    imports('fastify'),
    imports('./rest/server.ts', refused('daemon/http/*', 'daemon/http/rest/server.ts')),
    imports('./events/event-feed.ts', refused('daemon/http/*', 'daemon/http/events/event-feed.ts')),
    imports('../app/chain.ts', refused('daemon/http/*', 'daemon/app/chain.ts')),
  ],
  'daemon/http/events/a.ts': [
    imports('../rest/server.ts', refused('daemon/http/events/', 'daemon/http/rest/server.ts')),
  ],
  'daemon/http/rest/routes/a.ts': [
    imports('../../errors.ts'),
    [`readFileSync(new URL(\`../../../../../daemon/http/rest/openapi/docs/\${name}\`, import.meta.url))`],
    imports('../../jsonrpc/a.ts', refused('daemon/http/rest/', 'daemon/http/jsonrpc/a.ts')),
    imports('../../../node/node.ts', refused('daemon/http/rest/', 'daemon/node/node.ts')),
    imports('../../../store/store.ts', refused('daemon/http/rest/', 'daemon/store/store.ts')),
  ],
  'daemon/http/jsonrpc/a.ts': [
    imports('../rest/server.ts', refused('daemon/http/jsonrpc/', 'daemon/http/rest/server.ts')),
  ],
  'daemon/http/grpc/a.ts': [
    imports('../rest/server.ts', refused('daemon/http/grpc/', 'daemon/http/rest/server.ts')),
  ],
  'daemon/node/a.ts': [
    imports('../http/rest/server.ts'),
    imports('../store/tree/memory-tree.ts', refused('daemon/node/', 'daemon/store/tree/memory-tree.ts')),
    imports('../commands/cli.ts', refused('daemon/node/', 'daemon/commands/cli.ts')),
    imports('../client/node.ts', refused('daemon/node/', 'daemon/client/node.ts')),
  ],
  'daemon/commands/a.ts': [
    imports('commander'),
    ["new URL('../../package.json', import.meta.url)"],
    imports('../http/error-status.ts', refused('daemon/commands/', 'daemon/http/error-status.ts')),
    imports('../../localnet/ports.ts', refused('daemon/commands/', 'localnet/ports.ts')),
    imports('../../test/kit/chain.ts', refused('daemon/commands/', 'test/kit/chain.ts')),
  ],
  'daemon/main.ts': [imports('./node/node.ts', refused('daemon/main.ts', 'daemon/node/node.ts'))],
  'relayers/ibc/a.ts': [
    imports('../../core/bytes.ts'),
    imports('../../daemon/client/node.ts'),
    imports('../../modules/ibc/api.ts', refused('relayers/', 'modules/ibc/api.ts')),
    imports('../../daemon/comet/keys.ts', refused('relayers/', 'daemon/comet/keys.ts')),
  ],
  'localnet/a.ts': [
    ["new URL('../daemon/main.js', import.meta.url)"],
    imports('../modules/bank/state.ts', refused('localnet/', 'modules/bank/state.ts')),
    imports('../test/kit/chain.ts', refused('localnet/', 'test/kit/chain.ts')),
    imports('fastify', refused('localnet/', 'the package fastify')),
  ],
  'test/unit/a.ts': [
    imports('../../modules/bank/state.ts'),
    imports('chai'),
    imports('../../bench/main.ts', refused('test/', 'bench/main.ts')),
  ],
  'bench/a.ts': [imports('../test/kit/chain.ts'), imports('fastify')],
  'docs/a.mjs': [imports('../core/bytes.ts')],
  'scripts/a.ts': [['export {}', 'stands on no floor']],
}

describe('the check of floors', () => {
  let folder: ReturnType<typeof tempDir>
  beforeEach(() => {
    folder = tempDir()
  })
  afterEach(() => folder.remove())

  it('finds every import that leaves its floor, and no other', () => {
    plant(folder.path, FLOORS)
    expectFindings(FLOORS, checkFloors(folder.path, floors))
  })
})

describe('the table of floors', () => {
  it('is kept by every file, and has a row for each', () => {
    expect(checkFloors(root, floors)).to.deep.equal([])
  })

  it('has rows for what there is, and names the rest as to come', () => {
    const files = sourcesIn(root)
    const named = new Set(files.map((file) => placeOf(floors, file)?.floor.name))
    const divided = floors.filter(
      ({ name }) => name.endsWith('/') && floors.some((f) => f.name !== name && f.name.startsWith(name)),
    )
    for (const { name, isToCome } of floors)
      if (!divided.some((f) => f.name === name)) expect(named.has(name), name).to.equal(!isToCome)
  })

  it('is refused where it says what has no meaning', () => {
    const row = (cells: string) =>
      `# A\n\n## Floors\n\n| floor | owns | may import | packages |\n| - | - | - | - |\n${cells}\n`
    expect(readFloors(row('| `core/` | a | `proto/` | nothing |'))).to.have.length(1)
    for (const cells of [
      '',
      '| core/ | a | `proto/` | nothing |',
      '| `core/` | a | proto | nothing |',
      '| `core/` | a | `proto/`, and more | nothing |',
      '| `core/` | a | `proto/` |',
      '| `core/` | a | | nothing |',
      '| `core/` (soon) | a | nothing | nothing |',
    ])
      expect(() => readFloors(row(cells)), cells).to.throw()
  })
})
