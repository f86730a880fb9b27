import { execFileSync, spawn } from 'node:child_process'
import {
  closeSync,
  constants,
  copyFileSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { Request } from 'cosmjs-types/tendermint/abci/types'
import { AbciClient } from '../kit/abci/client.ts'
import { cometBinary } from '../kit/comet/comet.ts'
import { eventually } from '../kit/eventually.ts'
import { type OwnNode, ownNode, type StartedNode } from '../kit/fornaxd/own-node.ts'
import { tempDir } from '../kit/temp-dir.ts'

describe('a node that nothing hangs', function () {
  this.timeout(120_000)
  let dir: ReturnType<typeof tempDir>
  let node: OwnNode
  let started: StartedNode | undefined
  let names = 0

  before(async function () {
    this.timeout(300_000)
    await cometBinary()
    dir = tempDir()
    node = await ownNode(dir.path, 'fornax-7')
  })
  afterEach(async () => {
    started?.child.kill('SIGKILL')
    await started?.ended()
    started = undefined
  })
  after(() => dir.remove())

  /** Starts the node with both its streams on a file, a device or a pipe. */
  const startOn = (fd: number, env?: Record<string, string>): StartedNode => {
    started = node.start(['ignore', fd, fd], env)
    closeSync(fd)
    return started
  }
  /** A named pipe with a reader that is `program`. */
  const pipeTo = (...program: [string, ...string[]]): { readonly path: string; close(): void } => {
    const path = join(dir.path, `pipe${names++}`)
    execFileSync('mkfifo', [path])
    const [command, ...args] = program
    const reader = spawn('sh', ['-c', `exec "$0" "$@" < ${path} > /dev/null`, command, ...args])
    return { path, close: () => void reader.kill('SIGKILL') }
  }
  const startLogged = (env?: Record<string, string>): { readonly log: () => string[]; node: StartedNode } => {
    const path = join(dir.path, `log${names++}`)
    const log = (): string[] => readFileSync(path, 'utf8').trimEnd().split('\n')
    return { log, node: startOn(openSync(path, 'a'), env) }
  }

  describe('goes on, and ends at SIGTERM,', () => {
    const goesOn = async (fd: number): Promise<void> => {
      const { works, ended, child } = startOn(fd)
      await works()
      child.kill('SIGTERM')
      expect(await ended()).to.deep.equal({ code: 0, signal: null })
    }

    it('when the reader of its log goes away after some lines', async () => {
      const { path, close } = pipeTo('head', '-n', '6')
      await goesOn(openSync(path, 'w'))
      close()
    })

    it('when the disk under its log is full', () => goesOn(openSync('/dev/full', 'w')))

    it('when the reader of its log stands still', async () => {
      const { path, close } = pipeTo('sleep', '300')
      const full = openSync(path, constants.O_WRONLY)
      fill(path)
      await goesOn(full)
      close()
    })

    it('when its log is a socket whose other end stands still, or goes away', async () => {
      started = node.start(['ignore', 'pipe', 'pipe'])
      await started.works()
      started.child.stderr?.destroy()
      started.child.stdout?.destroy()
      await started.works()
      started.child.kill('SIGTERM')
      expect((await started.ended()).code).to.equal(0)
    })
  })

  it('goes on at SIGHUP where that was ignored at its start, as under nohup', async () => {
    const path = join(dir.path, 'nohup.out')
    const out = openSync(path, 'a')
    started = node.startIgnoringHangup(['ignore', out, out])
    closeSync(out)
    await started.works()
    started.child.kill('SIGHUP')
    await started.works()
    started.child.kill('SIGTERM')
    expect(await started.ended()).to.deep.equal({ code: 0, signal: null })
    expect(readFileSync(path, 'utf8').trimEnd()).to.match(/the node has stopped {2}cause=SIGTERM$/)
  })

  describe('does not start', () => {
    let genesis: string
    before(async () => {
      genesis = readFileSync(node.home.genesis, 'utf8')
      const other = await ownNode(join(dir.path, 'other'), 'fornax-8')
      copyFileSync(other.home.genesis, node.home.genesis)
    })
    after(() => writeFileSync(node.home.genesis, genesis))

    const isRefused = async (): Promise<void> => {
      const { log, node } = startLogged()
      expect((await node.ended()).code).to.equal(1)
      expect(log().at(-1)).to.match(/^Error: .*fornax-7.*fornax-8|^Error: .*fornax-8.*fornax-7/)
    }

    it('with the genesis of another chain than its data', isRefused)

    it('with the genesis of another chain than CometBFT’s data where no block is committed', async () => {
      rmSync(node.home.store, { recursive: true })
      await isRefused()
    })
  })

  describe('ends with the reason as its last line, and leaves no child,', () => {
    for (const signal of ['SIGTERM', 'SIGHUP'] as const)
      it(`at ${signal}`, async () => {
        const { log, node } = startLogged()
        await node.works()
        node.child.kill(signal)
        expect((await node.ended()).code).to.equal(0)
        expect(log().at(-1)).to.match(new RegExp(`the node has stopped  cause=${signal}$`))
      })

    it('at a signal in the midst of its start', async () => {
      const { log, node } = startLogged()
      await eventually('the store', () => log().some((line) => line.includes('opened the store')))
      node.child.kill('SIGINT')
      expect((await node.ended()).code).to.equal(0)
      expect(log().at(-1)).to.match(/the node has stopped {2}cause=SIGINT$/)
    })

    it('after an error that it cannot go on after', async () => {
      const { log, node: failing } = startLogged()
      await failing.works()
      const client = await AbciClient.connect(`unix://${node.home.socket}`)
      const initChain = {
        validators: [],
        chainId: 'fornax-7',
        appStateBytes: new Uint8Array(),
        initialHeight: 1n,
      }
      client.call(Request.fromPartial({ initChain })).catch(() => {})
      expect((await failing.ended()).code).to.equal(1)
      expect(log().at(-1)).to.match(/^Error: the node has stopped after a fatal error: InitChain, but height/)
    })

    it('also where CometBFT, started by a script, does not heed a signal; a second one ends both at once', async () => {
      const script = join(dir.path, 'stubborn')
      const lines = [
        '#!/bin/sh',
        '[ "$1" = start ] || exec "$COMET" "$@"',
        'trap "" TERM',
        '"$COMET" "$@" &',
        'while :; do wait; done',
      ]
      writeFileSync(script, `${lines.join('\n')}\n`, { mode: 0o755 })
      const env = { FORNAX_COMETBFT: script, COMET: await cometBinary() }
      const first = startLogged(env)
      await first.node.works()
      // What stands still does not end at SIGTERM.
      stop(cometOf(node))
      first.node.child.kill('SIGTERM')
      expect((await first.node.ended()).signal).to.equal(null)
      expect(first.log().at(-1)).to.match(/the node has stopped|^Error: /)

      const second = startLogged(env)
      await second.node.works()
      stop(cometOf(node))
      second.node.child.kill('SIGTERM')
      await eventually('the stop', () => second.log().some((line) => line.includes('the node stops')))
      second.node.child.kill('SIGTERM')
      expect((await second.node.ended()).code).to.equal(1)
      expect(second.log().at(-1)).to.match(/a second signal/)
    })
  })
})

/** Fills a pipe that nobody reads. */
function fill(path: string): void {
  const fd = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK)
  try {
    for (;;) writeSync(fd, 'x')
  } catch {
    closeSync(fd)
  }
}

/** The process group of a node's CometBFT. */
const cometOf = ({ home }: OwnNode): number =>
  Number(readFileSync(join(home.path, 'comet.pid'), 'utf8').split(' ')[0])

const stop = (group: number): void => void process.kill(-group, 'SIGSTOP')
