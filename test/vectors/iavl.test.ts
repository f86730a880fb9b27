import { expect } from 'chai'
import { ProofOp } from 'cosmjs-types/tendermint/crypto/proof'
import type { StoreWrites, Write } from '../../core/state-reader.ts'
import { sharedVectors } from '../kit/shared-vectors.ts'
import { commitAt, fromHex, hex, openStore, withStore } from '../kit/store/store.ts'

interface Change {
  readonly k: string
  readonly v: string | null
}

interface Vectors {
  readonly tree: readonly {
    readonly name: string
    readonly initialVersion: number
    readonly versions: readonly { readonly ops: readonly Change[]; readonly root: string }[]
    readonly proofs: readonly {
      readonly version: number
      readonly key: string
      readonly exists: boolean
      readonly proof: string
    }[]
  }[]
  readonly multistore: readonly {
    readonly name: string
    readonly stores: readonly string[]
    readonly versions: readonly {
      readonly stores: Readonly<Record<string, readonly Change[]>>
      readonly appHash: string
    }[]
    readonly proofs: readonly {
      readonly version: number
      readonly store: string
      readonly key: string
      readonly value: string | null
      readonly ops: readonly string[]
    }[]
  }[]
}

function writes(store: string, changes: readonly Change[]): StoreWrites {
  return { store, writes: changes.map(({ k, v }): Write => [fromHex(k), v === null ? null : fromHex(v)]) }
}

describe('cosmos/iavl and rootmulti vectors', () => {
  let vectors: Vectors
  before(function () {
    vectors = sharedVectors<Vectors>(this, 'iavl/vectors.json')
  })

  it('every tree version has the root hash of Go, and every proof its bytes', async () => {
    for (const { name, initialVersion, versions, proofs } of vectors.tree) {
      await withStore({ stores: ['tree'] }, async (store) => {
        for (const [i, { ops, root }] of versions.entries()) {
          const height = initialVersion + i
          await commitAt(store, height, [writes('tree', ops)])
          expect(hex(store.at(height).roots[0]!.hash), `${name} at ${height}`).to.equal(root)
        }
        for (const { version, key, exists, proof } of proofs) {
          const proven = store.prove('tree', fromHex(key), version)
          expect(proven.value !== undefined).to.equal(exists)
          expect(hex(proven.ops[0].data), `${name} ${key} at ${version}`).to.equal(proof)
        }
      })
    }
  })

  it('every multistore version has the app hash of the SDK, and every query its proof ops', async () => {
    for (const { name, stores, versions, proofs } of vectors.multistore) {
      await withStore({ stores }, async (store, path) => {
        for (const [i, version] of versions.entries()) {
          const changes = Object.entries(version.stores).map(([store, changes]) => writes(store, changes))
          expect(hex(await commitAt(store, i + 1, changes)), `${name} at ${i + 1}`).to.equal(version.appHash)
        }
        await store.close()
        const reopened = await openStore(path, { stores })
        for (const { version, store: storeName, key, value, ops } of proofs) {
          const proven = reopened.prove(storeName, fromHex(key), version)
          expect(hex(proven.value ?? new Uint8Array(0))).to.equal(value ?? '')
          expect(proven.ops.map((op) => hex(ProofOp.encode(op).finish()))).to.deep.equal(ops)
        }
        await reopened.close()
      })
    }
  })
})
