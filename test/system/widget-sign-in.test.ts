import { describe, expect, it } from 'vitest'
import { noViolationsInBoth, takePicture } from './browser'
import {
  answer,
  ask,
  chatIn,
  forWidgets,
  type Noted,
  openSignIn,
  parley,
  press,
  provider,
  register,
  requestsOf,
  tenant,
  visit,
} from './widget-site'

forWidgets({ isWhole: true })

describe('who signs in from a frame', () => {
  it('a visitor signs in in a window, and goes on in the frame, whose storage is its own (#14.1)', async () => {
    const page = await visit()
    const asked = requestsOf(page)
    await press(page)
    const frame = await chatIn(page)
    await ask(frame, 'When are refunds paid?')
    await answer(frame).waitFor()
    const { popup, state } = await openSignIn(page, frame)
    // The site around the frame may say what it likes.
    await page.evaluate(
      (told) => {
        const { root } = (globalThis as unknown as Noted).widget
        root.querySelector('iframe')?.contentWindow?.postMessage(told, '*')
      },
      { type: 'signedIn', state, token: 'forged' },
    )
    await register(popup)
    await frame.getByText('You are signed in', { exact: false }).waitFor()
    await frame.locator('.menu > button').click()
    await frame.getByRole('button', { name: 'Sign out' }).waitFor()
    expect(asked.filter((line) => line.includes('forged'))).toEqual([])
    await expect.poll(() => asked.some((line) => line.includes('/me/remembered/carry'))).toBe(true)
    await frame.locator('.menu > button').click()
    await ask(frame, 'Are refunds paid quickly?')
    await frame.locator('.reply .actions').nth(1).waitFor()
    const last = asked.findLast((line) => line.includes('/v1/chat/stream'))
    const [, claims = ''] = last?.split(' ').at(-1)?.split('.') ?? []
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString()).src).toBe('email')
    // Nothing of the person stays where the window was.
    const own = await page.context().newPage()
    await own.goto(`${parley.url.origin}/login/${tenant.id}`)
    await own.locator('#email').waitFor()
    const kept = () => own.evaluate((id) => localStorage.getItem(`parley:${id}:visitor`), tenant.id)
    await expect.poll(kept).toBe(null)
  })

  it('a visitor signs in at a provider in that window, and what was remembered comes along (#14.1)', async () => {
    const page = await visit()
    const asked = requestsOf(page)
    await press(page)
    const frame = await chatIn(page)
    await ask(frame, 'When are refunds paid?')
    await answer(frame).waitFor()
    const { popup } = await openSignIn(page, frame)
    const person = { sub: 'ada', email: 'ada@people.example', email_verified: true }
    provider.know(person)
    await popup.setExtraHTTPHeaders({ 'x-person': person.sub })
    const gone = popup.waitForEvent('close')
    await popup.getByRole('link', { name: 'Google' }).click()
    await gone
    await frame.getByText('You are signed in', { exact: false }).waitFor()
    await expect.poll(() => asked.some((line) => line.includes('/me/remembered/carry'))).toBe(true)
    await ask(frame, 'Are refunds paid quickly?')
    await frame.locator('.reply .actions').nth(1).waitFor()
    const last = asked.findLast((line) => line.includes('/v1/chat/stream'))
    const [, claims = ''] = last?.split(' ').at(-1)?.split('.') ?? []
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString()).src).toBe('google')
    const { json } = await tenant.call('GET', '/v1/manage/users')
    expect(json.items).toContainEqual(
      expect.objectContaining({ auth: 'google', email: person.email }),
    )
  })

  it('who goes back from the provider may sign in otherwise in the same window (#14.1)', async () => {
    const page = await visit()
    await press(page)
    const frame = await chatIn(page)
    await ask(frame, 'When are refunds paid?')
    await answer(frame).waitFor()
    const { popup, state } = await openSignIn(page, frame)
    await popup.getByRole('link', { name: 'Google' }).click()
    await popup.getByText('The sign-in was cancelled.').waitFor()
    const stateNow = () => new URL(popup.url()).searchParams.get('popup')
    await expect.poll(stateNow).toBe(state)
    await register(popup)
    await frame.getByText('You are signed in', { exact: false }).waitFor()
  })

  it('a site that opens the window itself hears nothing of who signs in (#14.1)', async () => {
    const page = await visit()
    const address = `${parley.url.origin}/login/${tenant.id}?popup=${'0'.repeat(32)}&return=/a/${tenant.alias}/front-desk`
    const [popup] = await Promise.all([
      page.waitForEvent('popup'),
      page.evaluate((url) => {
        const heard: unknown[] = []
        Object.assign(globalThis, { heard, opened: window.open(url) })
        addEventListener('message', ({ source, data }) => {
          if (source === (globalThis as unknown as { opened: Window }).opened) heard.push(data)
        })
      }, address),
    ])
    await register(popup)
    await popup.waitForURL('**/front-desk')
    const heard = () => page.evaluate(() => (globalThis as unknown as { heard: unknown[] }).heard)
    await expect.poll(heard).toEqual([])
  })

  it('says so and shows another way where the window is blocked, closed or cut off (#14.1)', async () => {
    const page = await visit({ path: '/isolated' })
    await press(page)
    const frame = await chatIn(page)
    const { popup } = await openSignIn(page, frame)
    // A site that isolates itself cuts the window off: the chat goes on in it.
    const note = frame.getByText('The sign-in did not reach this chat.', { exact: false })
    await note.waitFor()
    await register(popup)
    await popup.locator('.composer textarea').waitFor()
    await frame.evaluate(() => {
      window.open = () => null
    })
    await frame.getByRole('link', { name: 'Sign in', exact: true }).click()
    await note.waitFor()
    const other = frame.getByRole('link', { name: 'Sign in in a tab' })
    await expect.poll(() => other.getAttribute('target')).toBe('_blank')
    await noViolationsInBoth(frame)
    await takePicture(page, 'widget-sign-in-lost')
  })
})
