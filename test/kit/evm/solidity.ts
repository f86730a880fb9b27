import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Abi, Hex } from 'viem'

const require = createRequire(import.meta.url)

interface Compiler {
  compile(input: string, callbacks: { import: (path: string) => { contents: string } }): string
}

interface Output {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[]
  readonly contracts: Readonly<
    Record<string, Readonly<Record<string, { abi: Abi; evm: { bytecode: { object: string } } }>>>
  >
}

/** Compiles a source that may import OpenZeppelin's. Throws what the compiler says. */
export function compile(source: string, contract: string): { readonly abi: Abi; readonly bytecode: Hex } {
  const solc = require('solc') as Compiler
  const input = {
    language: 'Solidity',
    sources: { 'test.sol': { content: source } },
    settings: {
      optimizer: { enabled: true },
      outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
    },
  }
  const read = (path: string) => ({ contents: readFileSync(require.resolve(path), 'utf8') })
  const { errors, contracts } = JSON.parse(solc.compile(JSON.stringify(input), { import: read })) as Output
  const fault = errors?.find(({ severity }) => severity === 'error')
  if (fault !== undefined) throw new Error(fault.formattedMessage)
  const { abi, evm } = contracts['test.sol']![contract]!
  return { abi, bytecode: `0x${evm.bytecode.object}` }
}
