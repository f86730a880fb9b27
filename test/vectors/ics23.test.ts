import { expect } from 'chai'
import {
  CommitmentProof,
  ExistenceProof,
  HashOp,
  hashOpFromJSON,
  InnerOp,
  LeafOp,
  ProofSpec as WireProofSpec,
} from 'cosmjs-types/cosmos/ics23/v1/proofs'
import { fromHex, toBase64, toHex, utf8 } from '../../core/bytes.ts'
import { checkExistenceSpec, existenceRoot } from '../../core/ics23/existence.ts'
import { applyHash } from '../../core/ics23/hash-op.ts'
import { leftBranchesAreEmpty, rightBranchesAreEmpty } from '../../core/ics23/neighbours.ts'
import { ProofError } from '../../core/ics23/proof-error.ts'
import { IAVL_SPEC, type ProofSpec, SMT_SPEC, TENDERMINT_SPEC } from '../../core/ics23/proof-spec.ts'
import { applyInner, applyLeaf, checkLeaf } from '../../core/ics23/proof-steps.ts'
import { verifyMembership, verifyNonMembership } from '../../core/ics23/verify.ts'
import { sharedVectors } from '../kit/shared-vectors.ts'

/** Go's JSON of the protobuf messages has snake-case names, base64 bytes and numbers for enums. */
type GoJson = Readonly<Record<string, unknown>>

function camel(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(camel)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      camel(inner),
    ]),
  )
}

const specOf = (json: GoJson): ProofSpec => WireProofSpec.fromJSON(camel(json))
const innerOf = (json: GoJson): InnerOp => InnerOp.fromJSON(camel(json))
const leafOf = (json: GoJson): LeafOp => LeafOp.fromJSON(camel(json))
const proofOf = (json: GoJson): ExistenceProof => ExistenceProof.fromJSON(camel(json))
const base64 = (text: string | null | undefined): Uint8Array =>
  new Uint8Array(Buffer.from(text ?? '', 'base64'))

function outcome(run: () => Uint8Array): string | ProofError {
  try {
    return toBase64(run())
  } catch (error) {
    if (error instanceof ProofError) return error
    throw error
  }
}

function refusal(run: () => void): boolean {
  return (
    outcome(() => {
      run()
      return new Uint8Array(0)
    }) instanceof ProofError
  )
}

describe('cosmos/ics23 vectors', () => {
  for (const [folder, spec] of [
    ['iavl', IAVL_SPEC],
    ['tendermint', TENDERMINT_SPEC],
    ['smt', SMT_SPEC],
  ] as const) {
    for (const kind of ['exist', 'nonexist']) {
      for (const place of ['left', 'middle', 'right']) {
        it(`${folder}: a proof of ${kind}ence, ${place}, holds, and no altered byte of it does`, function () {
          this.timeout(60_000)
          const json = sharedVectors<Record<'key' | 'value' | 'root' | 'proof', string>>(
            this,
            `ics23/${folder}/${kind}_${place}.json`,
          )
          const [root, key, value] = [fromHex(json.root), fromHex(json.key), fromHex(json.value)]
          const verify = (bytes: Uint8Array, at = root, of = key): boolean => {
            let proof: CommitmentProof
            try {
              proof = CommitmentProof.decode(bytes)
            } catch {
              return false
            }
            return kind === 'exist'
              ? verifyMembership(spec, at, proof, of, value)
              : verifyNonMembership(spec, at, proof, of)
          }
          const bytes = fromHex(json.proof)
          expect(verify(bytes)).to.equal(true)
          expect(verify(bytes, root.with(0, root[0]! ^ 1))).to.equal(false)
          const wrong = CommitmentProof.decode(bytes)
          expect(verifyMembership(spec, root, wrong, key, utf8('another value'))).to.equal(false)
          const meaning = toHex(CommitmentProof.encode(CommitmentProof.decode(bytes)).finish())
          for (let i = 0; i < bytes.length; i += 7) {
            const altered = bytes.with(i, bytes[i]! ^ (1 << (i % 8)))
            let same = false
            try {
              same = toHex(CommitmentProof.encode(CommitmentProof.decode(altered)).finish()) === meaning
            } catch {}
            // The key of a proof of absence stands beside what is proven, and SMT proofs leave the value's place open.
            if (same || isUnprovenKey(altered, bytes)) continue
            expect(verify(altered), `byte ${i}`).to.equal(false)
          }
        })
      }
    }
  }

  it('checks proofs against specs', function () {
    const cases = sharedVectors<Record<string, { Proof: GoJson; Spec: GoJson; Err: string }>>(
      this,
      'ics23/TestCheckAgainstSpecData.json',
    )
    for (const [name, { Proof, Spec, Err }] of Object.entries(cases)) {
      expect(
        refusal(() => checkExistenceSpec(proofOf(Proof), specOf(Spec))),
        name,
      ).to.equal(Err !== '')
    }
  })

  it('checks leaves against specs', function () {
    const cases = sharedVectors<Record<string, { Leaf: GoJson; Spec: GoJson; IsErr: boolean }>>(
      this,
      'ics23/TestCheckLeafData.json',
    )
    for (const [name, { Leaf, Spec, IsErr }] of Object.entries(cases)) {
      const spec: ProofSpec = { leafSpec: leafOf(Spec), minDepth: 0, maxDepth: 0 }
      expect(
        refusal(() => checkLeaf(leafOf(Leaf), spec)),
        name,
      ).to.equal(IsErr)
    }
  })

  it('hashes leaves, inner nodes and whole proofs', function () {
    const leaves = sharedVectors<
      Record<string, { Op: GoJson; Key: string; Value: string; IsErr: boolean; Expected: string }>
    >(this, 'ics23/TestLeafOpData.json')
    for (const [name, { Op, Key, Value, IsErr, Expected }] of Object.entries(leaves)) {
      const result = outcome(() => applyLeaf(leafOf(Op), base64(Key), base64(Value)))
      expect(IsErr ? result instanceof ProofError : result, name).to.equal(IsErr ? true : Expected)
    }
    const inners = sharedVectors<
      Record<string, { Op: GoJson; Child: string; IsErr: boolean; Expected: string }>
    >(this, 'ics23/TestInnerOpData.json')
    for (const [name, { Op, Child, IsErr, Expected }] of Object.entries(inners)) {
      const result = outcome(() => applyInner(innerOf(Op), base64(Child)))
      expect(IsErr ? result instanceof ProofError : result, name).to.equal(IsErr ? true : Expected)
    }
    const proofs = sharedVectors<Record<string, { Proof: GoJson; IsErr: boolean; Expected: string }>>(
      this,
      'ics23/TestExistenceProofData.json',
    )
    for (const [name, { Proof, IsErr, Expected }] of Object.entries(proofs)) {
      const result = outcome(() => existenceRoot(proofOf(Proof)))
      expect(IsErr ? result instanceof ProofError : result, name).to.equal(IsErr ? true : Expected)
    }
  })

  it('knows the hash functions', function () {
    const cases = sharedVectors<
      Record<string, { HashOp: number; Preimage?: string; PreImage?: string; ExpectedHash: string }>
    >(this, 'ics23/TestDoHashData.json')
    for (const [name, { HashOp: op, Preimage, PreImage, ExpectedHash }] of Object.entries(cases)) {
      expect(toHex(applyHash(op as HashOp, utf8((Preimage ?? PreImage)!))), name).to.equal(ExpectedHash)
    }
    expect(() => applyHash(hashOpFromJSON(HashOp.NO_HASH), utf8('food'))).to.throw(ProofError)
  })

  it('knows empty branches', function () {
    const cases = sharedVectors<{ Op: GoJson; Spec: GoJson; IsLeft: boolean; IsRight: boolean }[]>(
      this,
      'ics23/TestEmptyBranchData.json',
    )
    for (const [i, { Op, Spec, IsLeft, IsRight }] of cases.entries()) {
      const inner = specOf(Spec).innerSpec!
      expect(leftBranchesAreEmpty(inner, innerOf(Op)), `left ${i}`).to.equal(IsLeft)
      expect(rightBranchesAreEmpty(inner, innerOf(Op)), `right ${i}`).to.equal(IsRight)
    }
  })
})

/** Only the `key` field of a proof of absence differs: Go does not look at it either. */
function isUnprovenKey(a: Uint8Array, b: Uint8Array): boolean {
  const without = (bytes: Uint8Array): string | undefined => {
    try {
      const { nonexist } = CommitmentProof.decode(bytes)
      return (
        nonexist &&
        toHex(
          CommitmentProof.encode(
            CommitmentProof.fromPartial({ nonexist: { ...nonexist, key: utf8('') } }),
          ).finish(),
        )
      )
    } catch {
      return undefined
    }
  }
  return without(a) !== undefined && without(a) === without(b)
}
