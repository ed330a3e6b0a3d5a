import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LANGUAGES } from '../../src/config/names'
import type { Parley } from '../support/harness'
import { type OpenAiServer, silentMp3, startOpenAi } from '../support/openai-server'
import { expectOk, type SeededTenant, seedAgent, seedTenant } from '../support/seed'
import {
  horizontalOverflow,
  launchBrowser,
  noViolationsInBoth,
  openPage,
  takePicture,
} from './browser'
import { ask } from './chat'
import { startSite } from './site'

const NAMES = {
  en: 'Read aloud',
  zh: '朗读',
  'zh-TW': '朗讀',
  es: 'Leer en voz alta',
  ru: 'Прочитать вслух',
  fr: 'Lire à voix haute',
  ar: 'القراءة بصوت عالٍ',
}

describe('an answer on the page (#14.3)', () => {
  let browser: Browser
  let parley: Parley
  let model: OpenAiServer
  let tenant: SeededTenant

  beforeAll(async () => {
    model = await startOpenAi()
    browser = await launchBrowser()
    parley = await startSite({
      ...model.vars,
      EMBEDDING_MODEL: 'test-embedder',
      TTS_MODEL: 'test-mouth',
    })
    tenant = await seedTenant(parley, { name: 'Acme Tools' })
    await seedAgent(tenant, 'Front desk', {})
    await expectOk(tenant.call('PUT', '/v1/agents/Front%20desk/alias', { alias: 'front-desk' }))
    model.script = () => ({ text: 'Refunds are **paid** within five working days.' })
  })
  afterAll(async () => {
    await browser.close()
    await parley.close()
    await model.close()
  })

  const visit = async (lang: string, width = 1024) => {
    const watched = await openPage(browser, parley.url.origin, { viewport: { width, height: 800 } })
    await watched.page.goto(`${parley.url.origin}/a/${tenant.alias}/front-desk?lang=${lang}`)
    await watched.page.waitForSelector('textarea')
    return watched
  }
  const named = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

  it('is read aloud and stopped by keyboard, asked for once, and starts anew', {
    timeout: 60_000,
  }, async () => {
    const { page, faults, strangers } = await visit('en')
    model.spoken.length = 0
    model.speak = () => ({ pieces: [silentMp3(60)] })
    await ask(page, 'When are refunds paid?')
    await named(page, 'Read aloud').focus()
    await page.keyboard.press('Enter')
    await named(page, 'Stop reading aloud').waitFor()
    await expect
      .poll(() => model.spoken.map(({ input }) => input))
      .toEqual(['Refunds are paid within five working days.'])
    await noViolationsInBoth(page)
    await page.keyboard.press('Space')
    await named(page, 'Read aloud').waitFor()
    await page.keyboard.press('Space')
    await named(page, 'Stop reading aloud').waitFor()
    expect(model.spoken).toHaveLength(1)

    // Another answer takes the word.
    await ask(page, 'And shipping?')
    const latest = page.locator('.reply').last()
    await latest.getByRole('button', { name: 'Read aloud', exact: true }).click()
    await latest.getByRole('button', { name: 'Stop reading aloud', exact: true }).waitFor()
    await expect.poll(() => named(page, 'Stop reading aloud').count()).toBe(1)
    expect([faults, strangers]).toEqual([[], []])
  })

  it('falls silent by itself at its end, and says when it cannot be read', {
    timeout: 60_000,
  }, async () => {
    const { page, faults } = await visit('en')
    await ask(page, 'When are refunds paid?')
    model.speak = () => ({ status: 500 })
    await named(page, 'Read aloud').click()
    await page.getByText('Reading aloud did not work.').waitFor()
    const asked = model.spoken.length
    model.speak = () => ({ pieces: [silentMp3(0.2)] })
    await named(page, 'Read aloud').click()
    await expect.poll(() => model.spoken.length).toBe(asked + 1)
    await named(page, 'Read aloud').waitFor()
    await expect.poll(() => page.getByText('Reading aloud did not work.').count()).toBe(0)
    expect(faults).toEqual([])
  })

  it('has its button in every language, on a phone too', { timeout: 90_000 }, async () => {
    model.speak = () => ({ pieces: [silentMp3(60)] })
    for (const lang of LANGUAGES) {
      const { page, faults } = await visit(lang, 320)
      await ask(page, 'When are refunds paid?')
      await named(page, NAMES[lang]).waitFor()
      await expect.poll(() => horizontalOverflow(page)).toBe(0)
      expect(faults).toEqual([])
      await takePicture(page, `${lang}`)
    }
  })
})
