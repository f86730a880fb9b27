import { execFileSync } from 'node:child_process'
import { closeSync, constants, openSync, readFileSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { Output } from '../../../daemon/output.ts'
import { eventually } from '../../kit/eventually.ts'
import { tempDir } from '../../kit/temp-dir.ts'

const { O_NONBLOCK, O_RDONLY, O_WRONLY } = constants

describe('output', () => {
  let dir: ReturnType<typeof tempDir>
  let open: number[]
  beforeEach(() => {
    dir = tempDir()
    open = []
  })
  afterEach(() => {
    for (const fd of open) closeSync(fd)
    dir.remove()
  })
  const opened = (path: string, flags: string | number): number => {
    const fd = openSync(path, flags)
    open.push(fd)
    return fd
  }
  const notice = (lines: number): string => `[${lines} lost]\n`
  const pipe = (): { reader: number; writer: number } => {
    const path = join(dir.path, 'pipe')
    execFileSync('mkfifo', [path])
    const reader = opened(path, O_RDONLY | O_NONBLOCK)
    return { reader, writer: opened(path, O_WRONLY | O_NONBLOCK) }
  }
  const readAll = (fd: number): string => {
    let text = ''
    const chunk = Buffer.alloc(1 << 16)
    try {
      for (let n = readSync(fd, chunk); n > 0; n = readSync(fd, chunk)) text += chunk.toString('utf8', 0, n)
    } catch (error) {
      expect((error as NodeJS.ErrnoException).code).to.equal('EAGAIN')
    }
    return text
  }

  it('is written when write returns', () => {
    const path = join(dir.path, 'file')
    const output = new Output(opened(path, 'a'))
    output.write('one\n')
    output.write('two\n')
    expect(readFileSync(path, 'utf8')).to.equal('one\ntwo\n')
  })

  it('keeps for a reader who stands still what it can, the latest of it, and says how many lines are missing', async () => {
    const { reader, writer } = pipe()
    const output = new Output(writer, { limit: 10_000, notice })
    const lines = Array.from({ length: 3000 }, (_, i) => `${i} ${'x'.repeat(90)}\n`)
    for (const line of lines) output.write(line)
    await output.flush(50)
    let text = ''
    await eventually('the last line', () => {
      text += readAll(reader)
      return text.endsWith(lines.at(-1)!)
    })
    const [before = '', count, after = ''] = text.split(/\[(\d+) lost\]\n/)
    expect(text.split(/ lost\]/)).to.have.length(2)
    expect(lines.join('').startsWith(before)).to.equal(true)
    expect(lines.join('').endsWith(after)).to.equal(true)
    expect(before.split('\n').length + after.split('\n').length - 2 + Number(count)).to.equal(lines.length)
  })

  it('writes a line that is longer than what the reader takes at once whole', async () => {
    const { reader, writer } = pipe()
    const output = new Output(writer, { limit: 10_000, notice })
    const line = `${'x'.repeat(400_000)}\n`
    output.write(line)
    let text = ''
    await eventually('the line', () => {
      text += readAll(reader)
      return text.endsWith('\n')
    })
    expect(text === line).to.equal(true)
  })

  it('loses lines where the disk is full', () => {
    const output = new Output(opened('/dev/full', 'w'), { notice })
    for (let i = 0; i < 1000; i++) output.write('lost\n')
  })

  it('goes on with another reader after one has gone, and says how many lines are missing', () => {
    const { reader, writer } = pipe()
    const output = new Output(writer, { notice })
    output.write('one\n')
    expect(readAll(reader)).to.equal('one\n')
    closeSync(reader)
    open.splice(open.indexOf(reader), 1)
    output.write('two\n')
    output.write('three\n')
    const next = opened(join(dir.path, 'pipe'), O_RDONLY | O_NONBLOCK)
    output.write('four\n')
    output.write('five\n')
    expect(readAll(next)).to.equal('[2 lost]\nfour\nfive\n')
  })

  it('waits for no reader who stands still', async () => {
    const { writer } = pipe()
    const output = new Output(writer)
    output.write('x'.repeat(1 << 20))
    await output.flush(100)
  })
})
