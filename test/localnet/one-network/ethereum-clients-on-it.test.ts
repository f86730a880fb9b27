import { expect } from 'chai'
import { ethers } from 'ethers'
import {
  type Abi,
  type Address,
  type BaseError,
  ContractFunctionRevertedError,
  createPublicClient,
  createWalletClient,
  defineChain,
  type Hex,
  http,
  parseEther,
  webSocket,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { eventually } from '../../kit/eventually.ts'
import { compile } from '../../kit/evm/solidity.ts'
import { fornaxd } from '../../kit/fornaxd/fornaxd.ts'
import { sharedLocalnet } from '../../kit/localnet/localnet.ts'

const TOKEN = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import "@openzeppelin/contracts/token/ERC20/ERC20.sol";
contract Token is ERC20 {
  error Bad(uint256 x);
  constructor() ERC20("Token", "TOK") { _mint(msg.sender, 1e27); }
  function fail(uint256 x) external pure {
    if (x == 1) revert Bad(x);
    require(x != 2, "two");
  }
}`

const STRANGER: Address = '0x00000000000000000000000000000000000000aa'

describe('Ethereum’s clients on a local network', function () {
  this.timeout(120_000)
  const net = sharedLocalnet()
  const url = (): string => net().info.nodes[0]!.jsonrpc
  const chain = () =>
    defineChain({
      id: 7373,
      name: 'Fornax',
      nativeCurrency: { name: 'FRX', symbol: 'FRX', decimals: 18 },
      rpcUrls: { default: { http: [url()] } },
      contracts: { multicall3: { address: '0xca11bde05977b3631167028862be2a173976ca11' } },
    })
  /** A funded account whose key is Ethereum's, that no other test of the network sends with. */
  const wallet = () => {
    const { private_key } = net().info.accounts.find(({ name }) => name === 'dave')!
    return { key: private_key as Hex, account: privateKeyToAccount(private_key as Hex) }
  }
  const reader = () => createPublicClient({ chain: chain(), transport: http(url()), pollingInterval: 200 })
  const writer = () =>
    createWalletClient({
      account: wallet().account,
      chain: chain(),
      transport: http(url()),
      pollingInterval: 200,
    })
  const mined = (hash: Hex) => reader().waitForTransactionReceipt({ hash })
  let abi: Abi
  let bytecode: Hex
  let token: Address

  before(async () => {
    ;({ abi, bytecode } = compile(TOKEN, 'Token'))
    const { contractAddress, status } = await mined(await writer().deployContract({ abi, bytecode }))
    expect(status).to.equal('success')
    token = contractAddress!
  })

  it('viem deploys a token, sends it, reads it and finds its logs', async () => {
    const hash = await writer().writeContract({
      address: token,
      abi,
      functionName: 'transfer',
      args: [STRANGER, 5n],
    })
    const receipt = await mined(hash)
    expect(receipt).to.include({ status: 'success', to: token.toLowerCase() })
    expect(receipt.logs.map(({ address, topics }) => [address, topics.length])).to.deep.equal([[token, 3]])
    const held = await reader().readContract({
      address: token,
      abi,
      functionName: 'balanceOf',
      args: [STRANGER],
    })
    expect(held).to.equal(5n)
    const events = await reader().getContractEvents({
      address: token,
      abi,
      eventName: 'Transfer',
      fromBlock: 0n,
    })
    expect(events.map(({ transactionHash }) => transactionHash)).to.include(hash)
    const block = await reader().getBlock({ blockHash: receipt.blockHash, includeTransactions: true })
    expect(block.transactions.map((tx) => tx.hash)).to.include(hash)
    expect(await reader().getBlock({ blockNumber: receipt.blockNumber })).to.include({ hash: block.hash })
  })

  it('viem tells why a call reverts, by the contract’s own errors and by their text', async () => {
    const reverted = async (x: bigint): Promise<ContractFunctionRevertedError> => {
      try {
        await reader().readContract({ address: token, abi, functionName: 'fail', args: [x] })
      } catch (error) {
        const cause = (error as BaseError).walk((e) => e instanceof ContractFunctionRevertedError)
        if (cause instanceof ContractFunctionRevertedError) return cause
        throw error
      }
      throw new Error('it did not revert')
    }
    expect((await reverted(1n)).data).to.deep.include({ errorName: 'Bad', args: [1n] })
    expect((await reverted(2n)).reason).to.equal('two')
  })

  it('viem asks many contracts in one call, through the Multicall3 that is there from the begin', async () => {
    const contract = { address: token, abi }
    const answers = await reader().multicall({
      contracts: [
        { ...contract, functionName: 'name' },
        { ...contract, functionName: 'decimals' },
      ],
      allowFailure: false,
    })
    expect(answers).to.deep.equal(['Token', 18])
  })

  it('viem is told of blocks and logs over a WebSocket', async () => {
    const transport = webSocket(url().replace('http', 'ws'), { reconnect: false, keepAlive: false })
    const client = createPublicClient({ chain: chain(), transport })
    const heads: bigint[] = []
    const logs: Hex[] = []
    const stop = [
      client.watchBlocks({ onBlock: ({ number }) => heads.push(number) }),
      client.watchContractEvent({
        address: token,
        abi,
        onLogs: (found) => logs.push(...found.map(({ transactionHash }) => transactionHash!)),
      }),
    ]
    await eventually('a head', () => heads.length > 0)
    const hash = await writer().writeContract({
      address: token,
      abi,
      functionName: 'transfer',
      args: [STRANGER, 1n],
    })
    const { blockNumber } = await mined(hash)
    await eventually('the log and its head', () => logs.includes(hash) && heads.includes(blockNumber))
    for (const end of stop) end()
    ;(await client.transport.getRpcClient()).close()
  })

  it('coins that viem sends are coins of the bank', async () => {
    const to = privateKeyToAccount(`0x${'73'.repeat(32)}`).address
    await mined(await writer().sendTransaction({ to, value: parseEther('1.5') }))
    expect(await reader().getBalance({ address: to })).to.equal(parseEther('1.5'))
    const { home } = net().info.nodes[0]!
    const { stdout } = await fornaxd([
      'query',
      'bank',
      'balance',
      to,
      'afrx',
      '--output',
      'json',
      '--home',
      home,
    ])
    expect(JSON.parse(stdout).balance.amount).to.equal(parseEther('1.5').toString())
  })

  it('ethers sends a transaction and waits for it, and knows a nonce that is used', async () => {
    const provider = new ethers.JsonRpcProvider(url(), 7373, { pollingInterval: 200 })
    const signer = new ethers.Wallet(wallet().key, provider)
    const contract = new ethers.Contract(token, abi as ethers.InterfaceAbi, signer)
    const sent = await contract.getFunction('transfer')(STRANGER, 7n)
    expect((await sent.wait()).status).to.equal(1)
    const again = await signer
      .sendTransaction({ to: STRANGER, nonce: 0, gasLimit: 21_000n })
      .catch((e) => e.code)
    expect(again).to.equal('NONCE_EXPIRED')
    provider.destroy()
  })
})
