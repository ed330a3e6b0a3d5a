import type { Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { makePicture } from '../support/pictures'
import { expectOk, type SeededTenant, seedAgent, seedBase, seedTenant } from '../support/seed'
import {
  horizontalOverflow,
  isOpen,
  noViolations,
  openPage,
  pressComposing,
  TOUCH,
  takePicture,
} from './browser'
import { enterConsole } from './console'
import { browser, origin, parley, withSite } from './with-site'

/** Every field that an agent has, as the page is to store it. */
const FIELDS = {
  display_name: 'Front desk',
  soul: 'Calm.',
  task: 'Answer questions about opening hours.',
  tools: ['current_time', 'ip_geo', 'weather', 'handoff'],
  skills: ['returns'],
  knowledge_bases: ['guide'],
  history_window: 8,
  max_output_tokens: 900,
  tool_call_max_tokens: 700,
  daily_tokens_per_user: 5000,
  handoff_hours: 3,
  model: 'offline',
  greeting: 'Welcome.',
  auto_greeting: true,
  auto_suggest: true,
  suggest_prompt: 'Only about hours.',
  ask_forms: true,
  proactive_cta: true,
  cta_prompt: 'Book at https://shop.example/book',
  no_match_reply: 'I cannot find that.',
  reasoning: true,
  grounding_required: true,
  injection_guard: false,
  public_sources: true,
  ambiguity_check: true,
  deep_research: false,
  on_demand_context: false,
  menu_items: ['returns', 'When do you open?'],
  translations: { fr: { greeting: 'Bienvenue.', menu_items: ['Horaires ?'] } },
}

describe('agents in the console', () => {
  let tenant: SeededTenant

  withSite()
  beforeAll(async () => {
    tenant = await seedTenant(parley)
    await seedBase(tenant, 'guide', { Hours: 'The office opens at nine in the morning.' })
    await expectOk(
      tenant.call('POST', '/v1/skills/returns', {
        description: 'Takes goods back that somebody has bought.',
        instructions: 'Ask for the order.',
        menu_label: 'Send something back',
        menu_prompt: 'I want to return something.',
      }),
    )
  })

  const stored = async (name: string) =>
    (await expectOk(tenant.call('GET', `/v1/agents/${name}`))).json
  const at = (page: Page, path: string) =>
    page.evaluate((hash) => {
      location.hash = hash
    }, path)
  const fitsNarrow = async (page: Page) => {
    const before = page.viewportSize()
    await page.setViewportSize({ width: 320, height: 700 })
    await expect.poll(() => horizontalOverflow(page)).toBe(0)
    if (before) await page.setViewportSize(before)
  }

  it('are listed with whole words beside long names', async () => {
    const own = await seedTenant(parley)
    for (const end of ['one', 'two']) await seedAgent(own, `${'long-name-'.repeat(6)}${end}`)
    await expectOk(
      own.call('PUT', `/v1/agents/${'long-name-'.repeat(6)}two/alias`, { alias: 'bergkaffee' }),
    )
    const { page, faults } = await openPage(browser, origin, {
      viewport: { width: 1280, height: 700 },
    })
    await enterConsole(page, origin, own.key, '/agents')
    const lines = (word: string) =>
      page
        .getByRole('cell', { name: word, exact: true })
        .first()
        .locator('*')
        .evaluate((inside) => inside.getClientRects().length)
    for (const word of ['none', 'bergkaffee', 'usual model'])
      await expect.poll(() => lines(word)).toBe(1)
    await fitsNarrow(page)
    // Where the system chooses the colours, a switch is the browser's own box, whole.
    await page.emulateMedia({ forcedColors: 'active' })
    const knobs = () =>
      page
        .getByRole('switch')
        .evaluateAll((all) => all.map((one) => getComputedStyle(one, '::before').content))
    await expect.poll(knobs).toEqual(['none', 'none'])
    await page.emulateMedia({ forcedColors: 'none' })

    const whole = 'n'.repeat(60)
    await seedAgent(own, whole)
    await page.reload()
    await enterConsole(page, origin, own.key)
    const row = page.getByRole('row').filter({ hasText: whole })
    await row.getByRole('button').click()
    await row.getByRole('menuitem', { name: 'Delete' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('heading', { name: whole }).waitFor()
    const hidden = () => dialog.evaluate((box) => box.scrollWidth - box.clientWidth)
    await expect.poll(hidden).toBe(0)
    expect(faults).toEqual([])
  })

  it('choose from many bases, and are chosen from many, of which none covers another', async () => {
    const own = await seedTenant(parley)
    for (let n = 10; n < 30; n++) {
      const name = `desk ${n} of a department with a long name`
      await expectOk(own.call('POST', '/v1/knowledge-bases', { name }))
      await seedAgent(own, name)
    }
    const { page, faults } = await openPage(browser, origin, TOUCH)
    await enterConsole(
      page,
      origin,
      own.key,
      '/agents/desk%2010%20of%20a%20department%20with%20a%20long%20name',
    )
    const covered = (rows: Locator) =>
      rows.evaluateAll((all) => {
        const boxes = all.map((row) => ({
          top: row.getBoundingClientRect().top,
          end: Math.max(
            ...[...row.querySelectorAll('*')].map((part) => part.getBoundingClientRect().bottom),
          ),
        }))
        return boxes.filter(({ end }, i) => end > (boxes[i + 1]?.top ?? Infinity)).length
      })
    const bases = page.getByRole('group', { name: 'Knowledge bases' })
    const rows = bases.locator('.check-row')
    await expect.poll(() => rows.count()).toBe(20)
    await expect.poll(() => covered(rows)).toBe(0)
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').getByRole('combobox').fill('department')
    const found = page.getByRole('dialog').getByRole('listbox').getByRole('option')
    await expect.poll(() => found.count()).toBeGreaterThan(9)
    await expect.poll(() => covered(found)).toBe(0)
    expect(faults).toEqual([])
  })

  it.each([
    { width: 1280, height: 720 },
    { width: 390, height: 700 },
    { width: 320, height: 256 },
  ])(
    'have no field behind a bar when the keyboard comes to it, at $width × $height',
    async (viewport) => {
      const own = await seedTenant(parley)
      await seedAgent(own, 'desk')
      const { page, faults } = await openPage(browser, origin, { viewport })
      await enterConsole(page, origin, own.key, '/agents/desk')
      await page.getByLabel('Soul').waitFor()
      const hidden = () =>
        page.evaluate(() => {
          const field = document.activeElement
          if (field === null || field.closest('.top-bar, .save-bar, .skip')) return null
          const { top, bottom } = (field.closest('label') ?? field).getBoundingClientRect()
          const edge = (bar: string, side: 'top' | 'bottom', none: number) => {
            const box = document.querySelector(bar)
            const isSticky = box !== null && getComputedStyle(box).position === 'sticky'
            return isSticky ? box.getBoundingClientRect()[side] : none
          }
          const least = Math.max(0, edge('.top-bar', 'bottom', 0))
          const most = Math.min(innerHeight, edge('.save-bar', 'top', innerHeight))
          return top >= most || bottom <= least ? field.outerHTML : null
        })
      for (const key of ['Tab', 'Shift+Tab'])
        for (let n = 0; n < 50; n++) {
          await page.keyboard.press(key)
          await expect.poll(hidden).toBe(null)
        }
      expect(faults).toEqual([])
    },
  )

  it('makes one from a template, stores every field of it, and tries it before anyone else can', async () => {
    const { page, faults } = await openPage(browser, origin, {
      viewport: { width: 1280, height: 900 },
    })
    await enterConsole(page, origin, tenant.key, '/agents')
    await page.getByText('No agent yet').waitFor()
    await page.getByRole('link', { name: 'New agent' }).first().click()
    await page.getByText('Template', { exact: true }).click()
    await page.getByText('Appointments').click()
    await page.getByLabel('Name').fill('a/b')
    await page.getByText('No slash, backslash or control characters.').waitFor()
    await page.getByLabel('Name').fill('desk')
    await takePicture(page, 'console-agents-new')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByLabel('Soul').waitFor()
    await page.getByText('desk was made').waitFor()
    await expect
      .poll(() => isOpen(page.getByRole('button', { name: 'Save', exact: true })))
      .toBe(true)
    expect(await stored('desk')).toMatchObject({ published: false, auto_greeting: true })

    const fill = (label: string, text: string) =>
      page.getByLabel(label, { exact: true }).first().fill(text)
    const toggle = (label: string, on: boolean) =>
      page.getByRole('switch', { name: label, exact: true }).setChecked(on)
    const tick = (label: string) => page.getByRole('checkbox', { name: label }).check()
    await fill('Display name', FIELDS.display_name)
    await fill('Soul', FIELDS.soul)
    await fill('Task', FIELDS.task)
    await tick('guide')
    await toggle('Answer only from sources', true)
    await toggle('Show sources to visitors', true)
    await toggle('Injection guard', false)
    await fill('Reply when nothing was found', FIELDS.no_match_reply)
    await tick('Handoff')
    await tick('returns')
    await fill('Model', 'no-such-model')
    await toggle('Ask back when unclear', true)
    await toggle('Show reasoning', true)
    await fill('Longest answer', '900')
    await fill('Largest tool result', '700')
    await fill('Memory of the conversation', '8')
    await fill('Daily limit of one user', '5000')
    await fill('Greeting', FIELDS.greeting)
    await page.getByRole('button', { name: 'Add' }).first().click()
    await fill('Question 1', 'When do you open?')
    await page.getByRole('button', { name: 'Add' }).first().click()
    await fill('Question 2', 'returns')
    await page.getByRole('button', { name: 'Question 2: move up' }).click()
    await page.getByText('Shows “Send something back”').waitFor()
    await toggle('Suggest what to ask next', true)
    await fill('How to suggest', FIELDS.suggest_prompt)
    await toggle('Call to action', true)
    await fill('What to call for', FIELDS.cta_prompt)
    await fill('Wait for a person', '3')
    const languages = page.getByRole('region', { name: 'Languages' })
    await languages.getByText('Français').click()
    await languages.getByLabel('Greeting').fill('Bienvenue.')
    await languages.getByRole('button', { name: 'Add' }).click()
    await languages.getByLabel('Question 1', { exact: true }).fill('Horaires ?')

    const save = page.getByRole('button', { name: 'Save', exact: true })
    await save.click()
    await page.getByText('unknown model; known are').first().waitFor()
    await expect.poll(() => page.getByLabel('Model').getAttribute('aria-invalid')).toBe('true')
    await page.getByText('Unsaved changes are not part of it yet.').waitFor()
    await fill('Model', FIELDS.model)
    await save.click()
    await page.locator('.save-bar .state', { hasText: /^\s*Saved/ }).waitFor()
    const {
      id: _id,
      name: _name,
      alias,
      source: _source,
      published,
      ...fields
    } = await stored('desk')
    expect({ alias, published }).toEqual({ alias: null, published: false })
    expect(fields).toEqual(FIELDS)

    const talk = page.getByRole('region', { name: 'Test chat' })
    await talk.getByText('Welcome.').waitFor()
    await talk.getByLabel('Message').fill('When does the office open')
    await pressComposing(talk.getByLabel('Message'), 'Enter')
    await talk.getByLabel('Message').press('?')
    await talk.getByLabel('Message').press('Enter')
    await talk.getByText('nine in the morning').first().waitFor()
    await expect
      .poll(() => talk.locator('.talk-own').allTextContents())
      .toEqual(['When does the office open?'])
    await talk.getByRole('button', { name: 'Hours' }).first().click()
    await talk.locator('.talk-quote', { hasText: 'opens at nine' }).waitFor()
    await noViolations(page)
    await takePicture(page, 'console-agents-build', { fullPage: true })
    await fitsNarrow(page)

    await page.getByLabel('Question', { exact: true }).fill('When do you open?')
    await page.getByRole('button', { name: 'Show the plan' }).click()
    await page.locator('.plan-steps').waitFor()
    expect(faults).toEqual([])
  })

  it('keeps what was written for a new one while another way to begin is looked at', async () => {
    const { page, faults } = await openPage(browser, origin)
    await enterConsole(page, origin, tenant.key, '/agents/new')
    const name = page.getByLabel('Name', { exact: true })
    await name.fill('harbour-desk')
    await page.getByLabel('Task').fill('Answer questions on moorings.')
    await page.getByText('Description', { exact: true }).click()
    await page.getByRole('textbox').fill('Somebody who knows the tides.')
    await page.getByText('Template', { exact: true }).click()
    await page.getByText('Appointments').click()
    await expect.poll(() => name.inputValue()).toBe('harbour-desk')
    await page.getByText('Empty', { exact: true }).click()
    await expect.poll(() => name.inputValue()).toBe('harbour-desk')
    await expect
      .poll(() => page.getByLabel('Task').inputValue())
      .toBe('Answer questions on moorings.')
    await page.getByRole('link', { name: 'Skills' }).click()
    await page.getByText('Leave without saving?').waitFor()
    await page.getByRole('button', { name: 'Stay' }).click()
    await page.getByText('Description', { exact: true }).click()
    await expect
      .poll(() => page.getByRole('textbox').inputValue())
      .toBe('Somebody who knows the tides.')
    expect(faults).toEqual([])
  })

  it('says in sight that something failed, and asks the test chat once more', async () => {
    await seedAgent(tenant, 'shaky', { published: false })
    const { page, faults } = await openPage(browser, origin, {
      viewport: { width: 1280, height: 900 },
    })
    await enterConsole(page, origin, tenant.key, '/agents')
    await page.route('**/v1/agents/shaky', (route) => route.abort())
    const published = page.getByRole('switch', { name: 'shaky' })
    await published.click()
    await page.locator('.toast', { hasText: 'The server cannot be reached' }).waitFor()
    await expect.poll(() => published.isChecked()).toBe(false)
    await page.unrouteAll()

    await page.getByRole('link', { name: 'shaky' }).click()
    await page.route('**/v1/chat/stream', (route) => route.abort())
    await page.getByLabel('Message').last().fill('Who are you?')
    await page.keyboard.press('Enter')
    await page.getByRole('log').getByText('The server cannot be reached').waitFor()
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.locator('.talk-reply .md').waitFor()
    await expect.poll(() => page.locator('.talk-own').allTextContents()).toEqual(['Who are you?'])
    expect(faults).toEqual([])
  })

  it('shows both versions where two people change the same field', async () => {
    await seedAgent(tenant, 'shared', { soul: 'One.' })
    const { page, faults } = await openPage(browser, origin)
    await enterConsole(page, origin, tenant.key, '/agents/shared')
    await page.getByLabel('Soul').fill('Mine.')
    await expectOk(tenant.call('PATCH', '/v1/agents/shared', { soul: 'Theirs.', task: 'Kept.' }))
    const save = page.getByRole('button', { name: 'Save', exact: true })
    await save.click()
    await page.getByText('Somebody else saved this meanwhile').waitFor()
    expect((await stored('shared')).soul).toBe('Theirs.')
    const overwrite = page.getByRole('button', { name: 'Overwrite with mine' })
    await expect.poll(() => isOpen(overwrite)).toBe(true)
    await page.keyboard.press('Tab')
    const held = () => page.evaluate(() => document.activeElement?.textContent)
    await expect.poll(held).toBe('Take theirs')
    await overwrite.click()
    await page.locator('.save-bar .state', { hasText: /^\s*Saved/ }).waitFor()
    expect(await stored('shared')).toMatchObject({ soul: 'Mine.', task: 'Kept.' })
    // The answers to dialogs are the page's own; the browser is asked nothing.
    expect(faults).toEqual([])
  })

  it('is shared by its page, a snippet and an icon, and goes back to an earlier state', async () => {
    await seedAgent(tenant, 'kiosk', { published: false, greeting: 'Good day.' })
    await seedAgent(tenant, 'other', {})
    await expectOk(tenant.call('PUT', '/v1/agents/other/alias', { alias: 'taken-one' }))
    const { page, faults, strangers } = await openPage(browser, origin, {
      viewport: { width: 1280, height: 900 },
    })
    await enterConsole(page, origin, tenant.key, '/agents/kiosk/share')
    const alias = page.getByLabel('Alias')
    await alias.fill('taken-one')
    await page.getByText('Another agent has this alias.').first().waitFor()
    await alias.fill('the-kiosk')
    await page.getByText('Free to use.').waitFor()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('img', { name: 'QR code of' }).waitFor()
    expect((await stored('kiosk')).alias).toBe('the-kiosk')
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    await page.getByRole('button', { name: 'Unpublish' }).waitFor()

    await page.getByLabel('Button', { exact: true }).selectOption('label')
    await page.getByLabel('Words on the button').fill('Ask us')
    await page.getByLabel('Theme', { exact: true }).selectOption('dark')
    await page.locator('code', { hasText: 'data-label="Ask us"' }).waitFor()
    await page.getByRole('button', { name: 'Ask us' }).click()
    const chat = page.frameLocator('.widget-frame')
    await chat.getByText('Good day.').waitFor()
    await takePicture(page, 'console-agents-share', { fullPage: true })
    await page.getByRole('button', { name: 'Ask us' }).click()

    await page.getByText('Also as a card').click()
    await page.locator('input[type=file]').setInputFiles({
      name: 'icon.png',
      mimeType: 'image/png',
      buffer: Buffer.from(makePicture(512)),
    })
    await page.locator('.icon-mask').first().waitFor()
    await expect
      .poll(() =>
        page
          .locator('.icon-mask')
          .first()
          .evaluate((img) => (img as HTMLImageElement).naturalWidth),
      )
      .toBe(512)
    const app = (await expectOk(tenant.call('GET', '/v1/agents/kiosk/pwa'))).json
    expect(app).toMatchObject({ install_prompt: 'auto' })
    await noViolations(page)
    await fitsNarrow(page)

    await at(page, '/agents/kiosk/history')
    await page.getByRole('heading', { level: 1, name: 'kiosk' }).waitFor()
    await page.locator('.diff dt', { hasText: 'Published' }).waitFor()
    await page.locator('.revision').last().click()
    await page.getByText('The first state.').waitFor()
    await noViolations(page)
    await fitsNarrow(page)
    await takePicture(page, 'console-agents-history')
    await page.getByRole('button', { name: 'Restore' }).click()
    await page.getByText('It becomes a draft').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click()
    await expect.poll(async () => (await stored('kiosk')).alias).toBeNull()

    await at(page, '/agents')
    await page.getByRole('switch', { name: 'Publish kiosk' }).check()
    await expect.poll(async () => (await stored('kiosk')).published).toBe(true)
    await noViolations(page)
    await fitsNarrow(page)
    await takePicture(page, 'console-agents-list')
    await page.getByRole('button', { name: 'Actions for kiosk' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('link', { name: 'kiosk' }).waitFor({ state: 'detached' })
    expect((await tenant.call('GET', '/v1/agents/kiosk')).status).toBe(404)
    expect(faults).toEqual([])
    expect(strangers).toEqual([])
  })
})
