import { expect } from 'chai'
import { Browser, chromium } from '../kit/http/browser.ts'
import { RestChain } from '../kit/http/rest.ts'

describe('The page of the REST interface, in Chromium', () => {
  let rest: RestChain
  let browser: Browser | undefined

  before(async function () {
    const program = chromium()
    if (program === undefined) return this.skip()
    rest = await RestChain.start()
    browser = await Browser.open(program)
    await browser.go(`${rest.server.url}/docs`)
    await browser.evaluate(
      `new Promise((done) => { const look = () => document.querySelector('details.route') ? done(true) : setTimeout(look, 50); look() })`,
    )
  })
  after(async () => {
    await browser?.close()
    await rest?.stop()
  })

  it('has nothing to the right of a phone’s screen, be its routes closed or open', async () => {
    const widest = `Math.max(document.documentElement.scrollWidth, document.body.scrollWidth)`
    expect(await browser!.evaluate(widest)).to.equal(390)
    const open = `document.querySelectorAll('details').forEach((each) => { each.open = true })`
    await browser!.evaluate(`${open}; new Promise((done) => setTimeout(done, 300))`)
    expect(await browser!.evaluate(widest)).to.equal(390)
  })

  it('filters its routes', async () => {
    const shown = `[...document.querySelectorAll('details.route')].filter((each) => each.offsetParent !== null).length`
    const all = await browser!.evaluate<number>(shown)
    const type = `{ const f = document.querySelector('#filter'); f.value = 'classifier/predict'; f.dispatchEvent(new Event('input', { bubbles: true })) }`
    await browser!.evaluate(type)
    expect(await browser!.evaluate<number>(shown)).to.be.within(1, 3)
    expect(all).to.be.above(50)
  })
})
