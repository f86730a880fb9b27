import { expect } from 'chai'
import type { DebugLog } from '../../../core/log.ts'
import type { AbciLog } from '../../../daemon/abci/handler.ts'
import { createLog, formatLine } from '../../../daemon/log.ts'

function capture(options: Parameters<typeof createLog>[0] = {}) {
  const lines: string[] = []
  return { lines, log: createLog({ ...options, stream: { write: (text) => lines.push(text) } }) }
}

describe('log', () => {
  it('writes one object a line as json, with the module of a child', () => {
    const { log, lines } = capture({ format: 'json' })
    log.child({ module: 'abci' }).info({ height: 7 }, 'committed')
    const line = JSON.parse(lines[0] ?? '')
    expect(line).to.include({ level: 'info', module: 'abci', height: 7, msg: 'committed' })
    expect(line.time).to.match(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
    expect(Object.keys(line)).to.have.length(5)
  })

  it('writes a readable line as text, the stack of an error below it', () => {
    const { log, lines } = capture()
    log.child({ module: 'comet' }).warn({ code: 1, cause: 'two words', err: new Error('boom') }, 'it ended')
    const [head, ...stack] = (lines[0] ?? '').trimEnd().split('\n')
    expect(head).to.match(
      /^\d{4}-\d\d-\d\d [\d:.]{12} WARN {2}comet {4}it ended {2}code=1 {2}cause="two words" {2}err=boom$/,
    )
    expect(stack.length).to.be.greaterThan(0)
    expect(stack[0]).to.match(/^ {8}at /)
  })

  it('is what the ABCI server and the supervisor log through', () => {
    const { log, lines } = capture()
    const logs: (AbciLog & DebugLog)[] = [log, log.child({ module: 'abci' })]
    for (const each of logs) each.warn({ connection: 1 }, 'closed')
    expect(lines).to.have.length(2)
  })

  it('leaves out what is below its level', () => {
    const { log, lines } = capture({ level: 'warn' })
    log.info({}, 'unseen')
    log.error({}, 'seen')
    expect(lines).to.have.length(1)
  })

  it('lets no text from outside begin a line or steer the terminal', () => {
    const line = formatLine({
      level: 'info',
      time: 'T',
      module: 'p2p',
      msg: 'a\nb\u001b[2J',
      ...{ peer: 'x\ny' },
    })
    expect(line.split('\n')).to.have.length(2)
    expect(line).to.include('a\\u000ab\\u001b[2J  peer="x\\ny"')
  })
})
