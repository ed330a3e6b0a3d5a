import { readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { transform } from 'esbuild'
import { describe, expect, it } from 'vitest'
import { expectOk } from '../support/seed'
import { noViolations, takePicture } from './browser'
import {
  answer,
  ask,
  call,
  chatIn,
  findFrame,
  forWidgets,
  giveToken,
  type Holding,
  holdTokens,
  type Noted,
  nextDocument,
  noticeIn,
  open,
  parley,
  parts,
  person,
  press,
  QUEUE,
  requestsOf,
  reset,
  site,
  tenant,
  visit,
} from './widget-site'

forWidgets()

describe('what a site may say', () => {
  it('fills the input, and sends only what somebody pressed for (#14.1)', async () => {
    // The driver's own calls count as somebody's press; what the page says by itself does not.
    const page = await visit({
      html: `${QUEUE}<script>Parley("ask", "When are refunds paid?", { send: true })</script>`,
    })
    const frame = await chatIn(page)
    const filled = () => frame.locator('.composer textarea').inputValue()
    await expect.poll(filled).toBe('When are refunds paid?')
    await expect.poll(() => frame.locator('.own').count()).toBe(0)
    await page.mouse.click(5, 5)
    await call(page, 'ask', 'When are refunds paid?', { send: true })
    await answer(frame).waitFor()
  })

  it('hears what happens, never what was said, and counts what came while it was closed (#14.1)', async () => {
    const page = await visit()
    await page.evaluate(() => {
      const page = globalThis as unknown as Noted
      page.events = []
      for (const name of ['ready', 'open', 'close', 'message', 'reply', 'unread', 'error'])
        void page.Parley('on', name, (detail: unknown) =>
          page.events.push(`${name} ${JSON.stringify(detail)}`),
        )
    })
    await press(page)
    const frame = await chatIn(page)
    await frame.fill('.composer textarea', 'When are refunds paid?')
    await call(page, 'close')
    await expect.poll(async () => (await parts(page)).expanded).toBe('false')
    await frame.evaluate(() => document.querySelector('form')?.requestSubmit())
    await expect.poll(async () => (await parts(page)).count).toBe('1')
    await takePicture(page, 'widget-closed-unread')
    await call(page, 'open')
    await expect.poll(async () => (await parts(page)).count).toBe(null)
    const heard = () => page.evaluate(() => (globalThis as unknown as Noted).events)
    await expect.poll(async () => (await heard()).at(-1)).toBe('unread {"type":"unread","count":0}')
    const events = await heard()
    for (const name of ['ready', 'open', 'message', 'close', 'reply', 'unread'])
      expect(events.some((event) => event.startsWith(`${name} `))).toBe(true)
    expect(events.join(' ')).not.toContain('refund')
  })

  it('hears nothing of what was said earlier, when it is looked at again (#14.1)', async () => {
    const page = await visit()
    await page.evaluate(() => {
      const page = globalThis as unknown as Noted
      page.events = []
      for (const name of ['message', 'reply', 'unread'])
        void page.Parley('on', name, () => page.events.push(name))
    })
    await press(page)
    const frame = await chatIn(page)
    const heard = () => page.evaluate(() => (globalThis as unknown as Noted).events)
    await ask(frame, 'When are refunds paid?')
    await answer(frame).waitFor()
    await expect.poll(heard).toEqual(['message', 'reply'])
    await frame.click('text=New chat')
    await frame.locator('.reply').waitFor({ state: 'detached' })
    await frame.locator('.menu > button').click()
    await frame.getByRole('button', { name: 'Earlier chats' }).click()
    await frame.locator('.popover .history li button').first().click()
    await answer(frame).waitFor()
    await ask(frame, 'Are refunds paid?')
    await expect.poll(heard).toEqual(['message', 'reply', 'message', 'reply'])
  })

  it('keeps calls that come before the script, and refuses what it does not know (#14.1)', async () => {
    const page = await visit({
      html: `${QUEUE}<script>window.early = Parley("open").then(() => "opened")</script>`,
    })
    await chatIn(page)
    const early = () => page.evaluate(() => (globalThis as unknown as { early: string }).early)
    await expect.poll(early).toBe('opened')
    const unknown = page.evaluate(() =>
      (globalThis as unknown as Noted).Parley('fly').catch((error: Error) => error.message),
    )
    expect(await unknown).toBe('Parley has no fly')
    await call(page, 'update', { lang: 'es', theme: 'dark' })
    const frame = await chatIn(page)
    const html = () =>
      frame.evaluate(() => {
        const { lang, dataset } = document.documentElement
        return [lang, dataset.theme]
      })
    await expect.poll(html).toEqual(['es', 'dark'])
    await call(page, 'destroy')
    await expect.poll(() => findFrame(page)).toBe(undefined)
  })

  it('as a package: put on, taken off and put on again before its script came, by whoever holds it', async () => {
    const page = await visit()
    const { origin } = new URL(page.url())
    await page.goto(`${origin}/favicon.ico`)
    const source = await readFile('packages/widget/index.ts', 'utf8')
    const built = await transform(source, { loader: 'ts', format: 'iife', globalName: 'made' })
    await page.addScriptTag({ content: built.code })
    const options = { app: parley.url.origin, tenant: tenant.id, agent: 'front-desk' }
    const done = await page.evaluate(async (chosen) => {
      const { load } = (globalThis as unknown as { made: typeof import('../../packages/widget') })
        .made
      const first = load(chosen)
      const opened = first('open')
      await first('destroy')
      load(chosen)
      const second = load(chosen)
      await second('on', 'ready', () => undefined)
      await second('open')
      await first('update', { lang: 'es' })
      return opened
    }, options)
    expect(done).toBe(undefined)
    const frame = await chatIn(page)
    await expect.poll(() => frame.evaluate(() => document.documentElement.lang)).toBe('es')
  })

  it("talks as the person whom the site's own server vouches for, until it is reset (#14.1)", async () => {
    const ada = await person('ada')
    const page = await visit()
    await call(page, 'identify', { token: ada.token })
    await press(page)
    const frame = await chatIn(page)
    await ask(frame, 'When are refunds paid?')
    await answer(frame).waitFor()
    expect(await ada.chats()).toBe(1)
    await reset(page, frame)
    await expect.poll(() => frame.locator('.own').count()).toBe(0)
    await ask(frame, 'When does the office open?')
    await frame.locator('.reply .actions').waitFor()
    expect(await ada.chats()).toBe(1)
  })

  it('what is asked while the site still waits for a token waits too, and is asked once as that person (#14.1)', async () => {
    const bea = await person('bea')
    const page = await visit()
    const asked = requestsOf(page)
    await holdTokens(page)
    await press(page)
    const frame = await chatIn(page)
    await ask(frame, 'When are refunds paid?')
    await frame.locator('.own').waitFor()
    await giveToken(page, bea.token)
    await answer(frame).waitFor()
    expect(asked).toEqual([`POST /v1/chat/stream ${bea.token}`])
    expect(await bea.chats()).toBe(1)
  })

  it('a chat goes on with the next token of the same person, once the first has run out', async () => {
    const hana = await person('hana')
    const { token: next } = await person('hana')
    const page = await visit()
    await holdTokens(page)
    await press(page)
    const frame = await chatIn(page)
    await ask(frame, 'When does the office open?')
    await giveToken(page, hana.token)
    await frame.locator('.reply .actions').waitFor()
    await page.evaluate(() => delete (globalThis as unknown as Partial<Holding>).give)
    await frame.evaluate(() => {
      for (const [key, value] of Object.entries(localStorage))
        if (key.endsWith(':visitor'))
          localStorage.setItem(key, JSON.stringify({ ...JSON.parse(value), expiresAt: 0 }))
    })
    const asked = requestsOf(page)
    await ask(frame, 'When are refunds paid?')
    await giveToken(page, next)
    await answer(frame).waitFor()
    expect(asked).toEqual([`POST /v1/chat/stream ${next}`])
    expect(await hana.chats()).toBe(1)
    await expect.poll(() => frame.locator('.note').count()).toBe(0)
  })

  it('a token holds by the clock of a browser that is days ahead', async () => {
    const ida = await person('ida')
    const page = await visit()
    await page.clock.setSystemTime(Date.now() + 8 * 86_400_000)
    await call(page, 'identify', { token: ida.token })
    await press(page)
    const frame = await chatIn(page)
    await ask(frame, 'When are refunds paid?')
    await answer(frame).waitFor()
    expect(await ida.chats()).toBe(1)
  })

  it('a message that waits for the next person is theirs; nothing of the last one stays (#14.1)', async () => {
    const cleo = await person('cleo')
    const dan = await person('dan')
    const page = await visit()
    await call(page, 'identify', { token: cleo.token })
    await press(page)
    const frame = await chatIn(page)
    await ask(frame, 'When does the office open?')
    await frame.locator('.reply .actions').waitFor()
    const asked = requestsOf(page)
    await holdTokens(page)
    await ask(frame, 'When are refunds paid?')
    await frame.locator('.own').nth(1).waitFor()
    await giveToken(page, dan.token)
    await answer(frame).waitFor()
    await expect.poll(() => frame.locator('.own').count()).toBe(1)
    expect(asked).toEqual([`POST /v1/chat/stream ${dan.token}`])
    expect([await cleo.chats(), await dan.chats()]).toEqual([1, 1])
  })

  it('what is sent while somebody signs out is asked by the visitor who comes next, also where storage is forbidden (#14.1)', async () => {
    const dora = await person('dora')
    const page = await visit({ forbidsStorage: true })
    const asked = requestsOf(page)
    await call(page, 'identify', { token: dora.token })
    await press(page)
    const frame = await chatIn(page)
    await frame.locator('.menu > button').click()
    await frame.getByRole('button', { name: 'Sign out' }).waitFor()
    await Promise.all([
      nextDocument(page, frame),
      frame.evaluate(async () => {
        const items = [...document.querySelectorAll<HTMLElement>('.menu-item')]
        items.find((item) => item.textContent === 'Sign out')?.click()
        const field = document.querySelector<HTMLTextAreaElement>('.composer textarea')
        if (!field) return
        field.value = 'When are refunds paid?'
        field.dispatchEvent(new Event('input', { bubbles: true }))
        // The composer has drawn itself before the document is gone.
        for (let turn = 0; turn < 10; turn++) await null
        field.form?.requestSubmit()
      }),
    ])
    await answer(frame).waitFor()
    await expect.poll(() => frame.locator('.own').count()).toBe(1)
    expect(asked.filter((line) => line.includes('/v1/chat/stream'))).toHaveLength(1)
    await expect.poll(() => frame.evaluate(() => history.state)).toBe(null)
  })

  it('a token that comes after the reset is nobody’s any more (#14.1)', async () => {
    const eve = await person('eve')
    const page = await visit()
    await holdTokens(page)
    await press(page)
    const frame = await chatIn(page)
    await reset(page, frame)
    await giveToken(page, eve.token)
    await ask(frame, 'When are refunds paid?')
    await answer(frame).waitFor()
    expect(await eve.chats()).toBe(0)
  })

  it('what the site asks after a reset is asked by the chat that begins anew, also of a frame that is not there yet (#14.1)', async () => {
    const page = await visit()
    await page.evaluate(() => {
      const { Parley } = globalThis as unknown as Noted
      void Parley('reset')
      void Parley('ask', 'When are refunds paid?', { send: true })
    })
    await answer(await chatIn(page)).waitFor()
  })
})

describe('who may show it', () => {
  it('is shown by the sites that the tenant names and by no other (#14.1)', {
    timeout: 90_000,
  }, async () => {
    const { port } = site.address() as AddressInfo
    const named = (widget_origins: unknown) =>
      expectOk(tenant.call('PATCH', '/v1/tenant/settings', { profile: { widget_origins } }))
    await named(['https://shop.example'])
    const page = await visit()
    await page.evaluate(() => {
      const page = globalThis as unknown as Noted
      page.events = []
      void page.Parley('on', 'error', (detail: unknown) => page.events.push(JSON.stringify(detail)))
    })
    await press(page)
    const heard = () => page.evaluate(() => (globalThis as unknown as Noted).events)
    await (await noticeIn(page)).getByText('It cannot be shown on this site').waitFor()
    await takePicture(page, 'widget-not-here')
    await expect.poll(heard, { timeout: 20_000 }).toEqual(['{"kind":"blocked"}'])
    // Nobody is kept before it.
    await expect.poll(async () => (await parts(page)).expanded).toBe('false')
    await expect.poll(() => findFrame(page)).toBe(undefined)

    // On a phone there would be nothing else to press.
    const phone = await visit({ viewport: { width: 390, height: 700 } })
    await press(phone)
    await (await noticeIn(phone)).getByRole('button', { name: 'Close' }).click()
    await expect.poll(async () => (await parts(phone)).expanded).toBe('false')

    for (const lang of ['en', 'ar']) {
      const held = await visit({
        attributes: `data-target="#place" data-lang="${lang}"`,
        html: '<div id="place"></div>',
      })
      await noViolations(await noticeIn(held))
    }

    // A site that does not say which one it is is refused by the browser.
    const silent = await visit({
      html: '<style></style><meta name="referrer" content="no-referrer">',
    })
    const refused = silent.waitForEvent('requestfailed', (request) =>
      request.url().includes('/widget/'),
    )
    await press(silent)
    expect((await refused).failure()?.errorText).toBe('net::ERR_BLOCKED_BY_RESPONSE')
    for (const one of open) one.faults.splice(0)

    await named([`http://localhost:${port}`])
    const allowed = await visit()
    await press(allowed)
    await (await chatIn(allowed)).getByText('Welcome to Acme.').waitFor()
    await named(undefined)
  })
})
