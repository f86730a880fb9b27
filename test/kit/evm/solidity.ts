import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import solc from 'solc'
import type { Abi, Hex } from 'viem'

interface Output {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[]
  readonly contracts: Readonly<
    Record<string, Readonly<Record<string, { abi: Abi; evm: { bytecode: { object: string } } }>>>
  >
}

/** Compiles a source that may import OpenZeppelin's. Throws what the compiler says. */
export function compile(source: string, contract: string): { readonly abi: Abi; readonly bytecode: Hex } {
  const input = {
    language: 'Solidity',
    sources: { 'test.sol': { content: source } },
    settings: {
      optimizer: { enabled: true },
      outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
    },
  }
  const read = (path: string) => ({ contents: readFileSync(join('node_modules', path), 'utf8') })
  const { errors, contracts } = JSON.parse(solc.compile(JSON.stringify(input), { import: read })) as Output
  const fault = errors?.find(({ severity }) => severity === 'error')
  if (fault !== undefined) throw new Error(fault.formattedMessage)
  const { abi, evm } = contracts['test.sol']![contract]!
  return { abi, bytecode: `0x${evm.bytecode.object}` }
}
