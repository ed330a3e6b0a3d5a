import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ChatServer, reply } from '../support/chat-server'
import {
  horizontalOverflow,
  launchBrowser,
  noViolations,
  noViolationsInBoth,
  openPage,
  takePicture,
} from './browser'

const WORDS = 'When are refunds paid?'
/** What the timer shows from its first second on: each of them is gone in another one. */
const COUNTS = /[1-9]/
const FEATURES = {
  feedback: true,
  history: false,
  signIn: false,
  sources: true,
  handOff: false,
  speech: false,
  hears: true,
  opening: false,
}

/** The browser's own stand-in for a microphone beeps, and is allowed without a question. */
const MICROPHONE = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream']

describe('a question that is spoken (#14.5)', () => {
  let browser: Browser
  let server: ChatServer

  beforeAll(async () => {
    browser = await launchBrowser(MICROPHONE)
    server = new ChatServer()
    await server.start()
    server.page = { features: FEATURES }
  })
  afterAll(async () => {
    await browser.close()
    await server.stop()
  })

  const visit = async (lang = 'en', width = 1024, before?: () => void) => {
    const watched = await openPage(browser, server.origin, { viewport: { width, height: 760 } })
    if (before) await watched.page.addInitScript(before)
    await watched.page.goto(`${server.origin}/a/acme/front-desk?lang=${lang}`)
    await watched.page.waitForSelector('textarea')
    server.requests.length = 0
    return watched
  }
  const named = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
  const isFocused = (page: Page, name: string) =>
    named(page, name).evaluate((node) => node === document.activeElement)
  const asked = () => server.to('/v1/chat/stream').map(({ body }) => body as Spoken)
  interface Spoken {
    message: string
    audio?: string
  }

  it('is recorded and sent by keyboard, and becomes the words that were heard', async () => {
    const { page, faults, strangers } = await visit()
    const heard = Promise.withResolvers<void>()
    server.script = () => [
      { event: 'transcript', data: { text: WORDS }, until: heard.promise },
      ...reply('Within five days.'),
    ]
    await page.fill('textarea', 'An unfinished thought')
    await named(page, 'Record a question').focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => isFocused(page, 'Send the recording')).toBe(true)
    await page.getByRole('timer').filter({ hasText: COUNTS }).waitFor()
    const level = () =>
      page.locator('.voice-level').evaluate((node) => 'value' in node && node.value)
    await expect.poll(level).toBeGreaterThan(0)
    await noViolationsInBoth(page)
    await page.keyboard.press('Enter')
    await page.locator('.own .bubble', { hasText: 'Voice message' }).waitFor()
    heard.resolve()
    await page.locator('.own .bubble', { hasText: WORDS }).waitFor()
    await page.locator('.reply .md', { hasText: 'Within five days.' }).waitFor()
    const [first] = asked()
    expect(first?.message).toBe('')
    const [header = '', sound = ''] = first?.audio?.split(',') ?? []
    expect(header).toBe('data:audio/webm;base64')
    // The mark that WebM begins with.
    expect(Buffer.from(sound, 'base64').subarray(0, 4).toString('hex')).toBe('1a45dfa3')
    // What was being written stays.
    await expect.poll(() => page.inputValue('textarea')).toBe('An unfinished thought')
    const kept = () => page.evaluate(() => JSON.stringify({ ...localStorage }))
    await expect.poll(kept).not.toContain('audio/webm')
    expect(faults).toEqual([])
    expect(strangers).toEqual([])
  })

  it('is discarded by Escape or its button, and the microphone let go', async () => {
    const { page, faults } = await visit('en', 1024, () => {
      const open = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices)
      navigator.mediaDevices.getUserMedia = async (wanted) => {
        const sound = await open(wanted)
        Object.assign(globalThis, { sound })
        return sound
      }
    })
    const isHeld = () =>
      page.evaluate(() =>
        (globalThis as unknown as { sound: MediaStream }).sound
          .getTracks()
          .some(({ readyState }) => readyState === 'live'),
      )
    const record = named(page, 'Record a question')
    for (const discard of [
      () => page.keyboard.press('Escape'),
      () => named(page, 'Discard the recording').click(),
    ]) {
      await record.focus()
      await page.keyboard.press('Enter')
      await page.getByRole('timer').waitFor()
      await expect.poll(() => isFocused(page, 'Send the recording')).toBe(true)
      await discard()
      await record.waitFor()
      await expect.poll(isHeld).toBe(false)
    }
    await expect.poll(() => isFocused(page, 'Record a question')).toBe(true)
    expect(asked()).toEqual([])
    expect(faults).toEqual([])
  })

  it('ends after two minutes, and waits to be sent', async () => {
    const { page } = await visit()
    server.script = () => [{ event: 'transcript', data: { text: WORDS } }, ...reply('Soon.')]
    await page.clock.install()
    await named(page, 'Record a question').click()
    // It counts from when the button that sends has the focus; before, time that is wound on would not be its own.
    await expect.poll(() => isFocused(page, 'Send the recording')).toBe(true)
    await page.clock.fastForward(150_000)
    await page.getByRole('timer').filter({ hasText: '2:00' }).waitFor()
    await page.getByText('The recording is full.', { exact: false }).waitFor()
    await named(page, 'Send the recording').click()
    await page.clock.runFor(5000)
    await expect.poll(() => asked().length).toBe(1)
    expect(asked()[0]?.audio).toContain('data:audio/webm;base64,')
  })

  it('says so where the microphone is refused', async () => {
    const { page } = await visit('en', 1024, () => {
      navigator.mediaDevices.getUserMedia = () =>
        Promise.reject(new DOMException('no', 'NotAllowedError'))
    })
    await named(page, 'Record a question').click()
    await page.getByText('The microphone may not be used here.').waitFor()
  })

  it('is not offered where the site around it forbids the microphone', async () => {
    const { page, faults } = await openPage(browser, server.origin)
    await page.route('**/a/acme/front-desk*', async (route) => {
      const response = await route.fetch()
      const headers = { ...response.headers(), 'permissions-policy': 'microphone=()' }
      await route.fulfill({ response, headers })
    })
    await page.goto(`${server.origin}/a/acme/front-desk?lang=en`)
    // What comes late has come.
    await page.getByRole('button', { name: 'Add images' }).waitFor()
    await page.waitForLoadState('networkidle')
    await expect.poll(() => named(page, 'Record a question').count()).toBe(0)
    expect(faults).toEqual([])
  })

  it('is not offered where the deployment hears nothing, or the browser cannot record', async () => {
    const { page } = await visit('en', 1024, () => {
      Reflect.deleteProperty(globalThis, 'MediaRecorder')
    })
    await named(page, 'Add images').waitFor()
    await page.waitForFunction(() => document.querySelector('.menu') !== null)
    await expect.poll(() => named(page, 'Record a question').count()).toBe(0)
  })

  it.each([
    ['ar', 'تسجيل سؤال بالصوت'],
    ['ru', 'Записать вопрос голосом'],
    ['zh', '录音提问'],
  ])('fits a narrow page, in one row with one way to send (%s)', async (lang, name) => {
    const { page } = await visit(lang, 320)
    await named(page, name).click()
    await page.getByRole('timer').filter({ hasText: COUNTS }).waitFor()
    await takePicture(page, `voice-${lang}`)
    await expect.poll(() => page.locator('.send').filter({ visible: true }).count()).toBe(1)
    const tops = () =>
      page
        .locator('.composer-row > :is(.icon-button, .send)')
        .filter({ visible: true })
        .evaluateAll((all) => new Set(all.map((one) => one.getBoundingClientRect().bottom)).size)
    await expect.poll(tops).toBe(1)
    await expect.poll(() => horizontalOverflow(page)).toBeLessThanOrEqual(0)
    await noViolations(page)
  })
})
