import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LANGUAGES } from '../../src/config/names'
import { mintOneTimeToken } from '../../src/platform/crypto/one-time-token'
import type { Parley } from '../support/harness'
import { makePng } from '../support/image-bytes'
import { type MailServer, startMailServer } from '../support/mail-server'
import { expectOk, type SeededTenant, seedAgent, seedTenant, waitFor } from '../support/seed'
import {
  cutWords,
  horizontalOverflow,
  launchBrowser,
  noViolations,
  openPage,
  smallTargets,
  TOUCH,
  takePicture,
} from './browser'
import { ask, openMenu } from './chat'
import { startSite } from './site'

const PASSWORD = 'correct horse battery'

interface Database {
  prepare(sql: string): { bind(...values: unknown[]): { run(): Promise<unknown> } }
}

describe('the login page on the real Worker', () => {
  let browser: Browser
  let parley: Parley
  let tenant: SeededTenant
  let silent: SeededTenant
  let mail: MailServer
  let origin: string
  let people = 0

  beforeAll(async () => {
    browser = await launchBrowser()
    mail = await startMailServer('none')
    parley = await startSite({ EGRESS_ALLOW: mail.pair })
    origin = parley.url.origin
    tenant = await seedTenant(parley, { name: 'Acme <b>' })
    silent = await seedTenant(parley, { name: 'Silent' })
    const smtp = { host: '127.0.0.1', port: mail.port, from_addr: 'a@acme.example', starttls: true }
    await expectOk(tenant.call('PUT', '/v1/tenant/settings/smtp', smtp))
    for (const of of [tenant, silent]) {
      await seedAgent(of, 'desk', { tools: [] })
      await expectOk(of.call('PUT', '/v1/agents/desk/alias', { alias: 'front-desk' }))
    }
    const credentials = { client_id: 'a', client_secret: 'b' }
    await expectOk(tenant.call('PUT', '/v1/tenant/oauth/github', credentials))
  })
  afterAll(async () => {
    await browser.close()
    await parley.close()
    await mail.close()
  })

  const nextEmail = () => `p${++people}@people.example`
  async function visit(rest = '', options = {}) {
    const watched = await openPage(browser, origin, options)
    await watched.page.goto(`${origin}/login/${tenant.alias}${rest}`)
    await watched.page.waitForSelector('h1')
    return watched
  }
  async function fill(page: Page, fields: Record<string, string>) {
    for (const [id, value] of Object.entries(fields)) await page.fill(`#${id}`, value)
    await page.click('button[type=submit]')
  }
  const focusedId = (page: Page) => page.evaluate(() => document.activeElement?.id)
  async function link(email: string, purpose: string): Promise<string> {
    const { DB } = (await parley.worker.getEnv()) as unknown as { DB: Database }
    const { token, hash } = await mintOneTimeToken()
    const body = { tenant_id: tenant.id, email, password: PASSWORD }
    const { json } = await expectOk(parley.call('POST', '/auth/login', { body }))
    const now = Date.now()
    await DB.prepare(
      'INSERT INTO one_time_tokens (id, hash, tenant_id, purpose, user_id, expires_at, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)',
    )
      .bind(crypto.randomUUID(), hash, tenant.id, purpose, json.user_id, now + 60_000, now)
      .run()
    return token
  }

  it('makes an account, signs out, in again, and says what is wrong in general words', async () => {
    const { page, faults, strangers } = await visit()
    const email = nextEmail()
    await page.click('text=Create account')
    await fill(page, { name: 'Ada', email, password: 'short' })
    await page.waitForSelector('#password-error')
    await expect.poll(() => page.getAttribute('#password', 'aria-invalid')).toBe('true')
    await expect.poll(() => page.getAttribute('#password', 'autocomplete')).toBe('new-password')
    await fill(page, { password: PASSWORD })
    await page.waitForSelector('text=You are signed in.')
    await page.reload()
    await page.click('text=Sign out')
    await fill(page, { email, password: 'not the password' })
    await page.waitForSelector('text=E-mail or password is wrong.')
    await fill(page, { email: nextEmail(), password: 'not the password' })
    await page.waitForSelector('text=E-mail or password is wrong.')
    await fill(page, { email: 'nobody', password: 'not the password' })
    await page.waitForSelector('#email-error')
    await expect.poll(() => page.getByText('E-mail or password is wrong.').count()).toBe(0)
    await expect.poll(() => page.getAttribute('#password', 'type')).toBe('password')
    await page.click('text=Show password')
    await expect.poll(() => page.getAttribute('#password', 'type')).toBe('text')
    await fill(page, { email, password: PASSWORD })
    await page.waitForSelector('text=You are signed in.')
    expect([faults, strangers]).toEqual([[], []])
  })

  it.each(LANGUAGES)(
    'says what a form lacks in its own words, at the field: %s (#14.4)',
    async (lang) => {
      const path = `../../src/web/login/locales/${lang}.json`
      const words = (await import(path, { with: { type: 'json' } })).default
      const { page, faults } = await visit(`?lang=${lang}`)
      const button = page.locator('button[type=submit]')
      const said = (id: string) => page.locator(`#${id}-error`).textContent()
      await page.locator('.aside .link').click()
      await button.click()
      await expect.poll(() => said('email')).toBe(words.required)
      await expect.poll(() => said('password')).toBe(words.required)
      await expect.poll(() => focusedId(page)).toBe('email')
      await fill(page, { email: 'nobody', password: 'short' })
      await expect.poll(() => said('email')).toBe(words.badEmail)
      await expect.poll(() => said('password')).toBe(words.badPassword)
      await fill(page, { email: nextEmail() })
      await expect.poll(() => page.locator('#email-error').count()).toBe(0)
      await expect.poll(() => focusedId(page)).toBe('password')
      await expect.poll(() => page.getAttribute('#password', 'aria-invalid')).toBe('true')
      const described = page.getAttribute('#password', 'aria-describedby')
      expect(await described).toBe('password-hint password-error')
      expect(faults).toEqual([])
    },
  )

  it('brings along what was remembered of this browser’s visitor', async () => {
    const { page, faults } = await visit()
    const email = nextEmail()
    await page.click('text=Create account')
    await fill(page, { email, password: PASSWORD })
    await page.waitForSelector('text=You are signed in.')
    await page.click('text=Sign out')
    await page.evaluate(async (id) => {
      const response = await fetch('/auth/anonymous', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ tenant_id: id }),
      })
      const { access_token: token } = await response.json()
      const stored = { token, expiresAt: Date.now() + 60_000 }
      localStorage.setItem(`parley:${id}:visitor`, JSON.stringify(stored))
    }, tenant.id)
    await page.reload()
    const carried = page.waitForResponse((response) =>
      response.url().endsWith('/me/remembered/carry'),
    )
    await fill(page, { email, password: PASSWORD })
    expect((await carried).status()).toBe(204)
    await page.waitForSelector('text=You are signed in.')
    expect(faults).toEqual([])
  })

  /** A visitor who asked something on the page of the agent, and then makes an account from its menu. */
  async function askAndRegister(of: SeededTenant, lang: string, email: string) {
    const watched = await openPage(browser, origin)
    const { page } = watched
    await page.goto(`${origin}/a/${of.alias}/front-desk?lang=${lang}`)
    await ask(page, 'Hello from before')
    await openMenu(page)
    await page.click('a[href^="/login/"]')
    await page.click('.aside .link')
    await fill(page, { email, password: PASSWORD })
    await page.waitForURL(`${origin}/a/${of.alias}/front-desk*`)
    return watched
  }

  it.each([
    ['en', 'tenant', 'Please confirm your e-mail address: we have sent you a link.'],
    ['en', 'silent', 'Your e-mail address stays unconfirmed, because this site sends no e-mail.'],
    [
      'ar',
      'silent',
      'سيبقى عنوان بريدك الإلكتروني غير مؤكد لأن هذا الموقع لا يرسل بريدًا إلكترونيًا.',
    ],
  ])(
    'goes back at once after registering, and says quietly what became of the confirmation: %s, %s (#8.21)',
    async (lang, which, words) => {
      const of = which === 'tenant' ? tenant : silent
      const email = nextEmail()
      const { page, faults } = await askAndRegister(of, lang, email)
      const banner = page.locator('.banner', { hasText: words })
      await banner.waitFor()
      await noViolations(page)
      const log = page.locator('.log')
      await log.getByText('Hello from before').first().waitFor()
      const notes = () => page.locator('li.note').allTextContents()
      const signedIn =
        lang === 'ar'
          ? 'لقد سجّلت الدخول. يبقى ما ورد أعلاه على هذا الجهاز، وتبدأ هنا محادثة جديدة.'
          : 'You are signed in now. What was said above stays on this device; a new chat begins here.'
      await expect.poll(notes).toEqual([signedIn])
      await takePicture(page, `registered-${which}-${lang}`)

      // The account begins a session of its own; nothing is said to have expired.
      await ask(page, 'Hello from after')
      await expect.poll(notes).toEqual([signedIn])
      await page.reload()
      await log.getByText('Hello from after').first().waitFor()
      await banner.waitFor()
      await banner.locator('button').click()

      // Both chats are in the list, also after a reload; the earlier one opens to be read and goes on as a new one.
      await page.reload()
      await log.getByText('Hello from after').first().waitFor()
      await expect.poll(() => banner.count()).toBe(0)
      await openMenu(page)
      await page.click('.popover [aria-expanded]')
      const listed = page.locator('.history li button')
      await listed.filter({ hasText: 'Hello from before' }).waitFor()
      await expect.poll(() => listed.count()).toBe(2)
      await listed.filter({ hasText: 'Hello from before' }).click()
      await page.waitForFunction(() => document.querySelectorAll('.reply').length === 1)
      await expect.poll(notes).toEqual([signedIn])
      expect(faults).toEqual([])
      await page.context().close()

      // At the next sign-in, unconfirmed as before, the way back is as short.
      const again = await openPage(browser, origin)
      await again.page.goto(
        `${origin}/login/${of.alias}?return=${encodeURIComponent(`/a/${of.alias}/front-desk`)}`,
      )
      await fill(again.page, { email, password: PASSWORD })
      await again.page.waitForURL(`${origin}/a/${of.alias}/front-desk`)
      await again.page.locator('.banner.banner', { hasText: /e-mail/ }).waitFor()
      await again.page.context().close()
    },
  )

  it('lists what each open tab said before the sign-in in one of them, and a sign-out empties them all (#8.21)', {
    timeout: 90_000,
  }, async () => {
    const { page: first } = await openPage(browser, origin)
    const address = `${origin}/a/${tenant.alias}/front-desk?lang=en`
    const notes = (page: Page) => page.locator('li.note').allTextContents()
    const signedIn =
      'You are signed in now. What was said above stays on this device; a new chat begins here.'
    await first.goto(address)
    await ask(first, 'Hello from the first')
    await openMenu(first)
    await first.click('a[href^="/login/"]')
    await first.click('.aside .link')

    const second = await first.context().newPage()
    await second.goto(address)
    await second.locator('.log').getByText('Hello from the first').first().waitFor()
    await second.click('text=New chat')
    await ask(second, 'Hello from the second')
    const third = await first.context().newPage()
    await third.goto(address)
    await third.locator('.log').getByText('Hello from the second').first().waitFor()
    await fill(first, { email: nextEmail(), password: PASSWORD })
    await first.waitForURL(address)

    // Each tab keeps what it shows, and nothing is said to have expired.
    for (const [page, said] of [
      [first, 'Hello from the first'],
      [second, 'Hello from the second'],
    ] as const) {
      await page.locator('li.note').waitFor()
      await expect.poll(() => page.locator('.log').textContent()).toContain(said)
      await expect.poll(() => notes(page)).toEqual([signedIn])
    }
    const list = async (page: Page, count: number) => {
      if (!(await page.isVisible('.popover'))) await openMenu(page)
      const entry = page.locator('.popover [aria-expanded]').first()
      if ((await entry.getAttribute('aria-expanded')) === 'true') await entry.click()
      await entry.click()
      await page.locator('.history').waitFor()
      const titles = await page.locator('.history li span').allTextContents()
      return titles.length === count ? titles.sort() : null
    }
    const visits = ['Hello from the first', 'Hello from the second']
    expect(await waitFor(() => list(second, 2))).toEqual(visits)
    await second.keyboard.press('Escape')
    await ask(second, 'Hello from the account')
    await expect.poll(() => notes(second)).toEqual([signedIn])

    // A chat of the account is no visitor's, in whichever tab it is opened.
    expect(await waitFor(() => list(first, 3))).toEqual(expect.arrayContaining(visits))
    await first.locator('.history li button', { hasNotText: /first|second/ }).click()
    await first.locator('.log').getByText('Hello from the account').first().waitFor()
    await first.reload()
    await first.locator('.log').getByText('Hello from the account').first().waitFor()
    await expect.poll(() => notes(first)).toEqual([])
    expect(await waitFor(() => list(first, 3))).toEqual(expect.arrayContaining(visits))
    await first.click('text=Sign out')
    for (const page of [second, third])
      await page.locator('.log').getByText('Hello from').first().waitFor({ state: 'detached' })
    await second.close()
    await third.reload()
    await third.waitForSelector('.composer textarea')
    await expect.poll(() => third.locator('.log').textContent()).not.toContain('Hello from')
  })

  it('shows who is signed in already the way on, and never leads elsewhere (#8.21)', async () => {
    const path = `/a/${tenant.alias}/front-desk`
    const { page } = await askAndRegister(tenant, 'en', nextEmail())
    await page.goto(`${origin}/login/${tenant.alias}?return=${encodeURIComponent(path)}`)
    await expect.poll(() => page.getAttribute('a.primary', 'href')).toBe(path)
    await page.click('text=Continue')
    await page.waitForURL(`${origin}${path}`)
    for (const wanted of ['https://evil.example/', '//evil.example/', '/.//evil.example/']) {
      await page.goto(`${origin}/login/${tenant.alias}?return=${encodeURIComponent(wanted)}`)
      await page.waitForSelector('text=You are signed in.')
      await expect.poll(() => page.locator('a.primary').count()).toBe(0)
    }
  })

  it('takes the keyboard along from view to view, each with its own title', async () => {
    const { page } = await openPage(browser, origin)
    await page.goto(`${origin}/login/${silent.alias}`)
    const place = () =>
      page.evaluate(() => [document.activeElement?.tagName, document.activeElement?.textContent])
    await page.getByRole('button', { name: 'Create account' }).press('Enter')
    await expect.poll(place).toEqual(['H1', 'Create account'])
    await expect.poll(() => page.title()).toBe('Create account · Silent')
    await page.getByRole('button', { name: 'Sign in' }).press('Enter')
    await expect.poll(place).toEqual(['H1', 'Sign in'])
    await page.getByRole('button', { name: 'Forgot password?' }).press('Enter')
    await expect.poll(place).toEqual(['H1', 'Forgot password?'])
  })

  it('promises no mail where none is sent (#8.21)', async () => {
    const { page } = await openPage(browser, origin)
    await page.goto(`${origin}/login/${silent.alias}`)
    await page.click('text=Forgot password?')
    await page.waitForSelector('text=Please ask Silent.')
    await expect.poll(() => page.locator('form').count()).toBe(0)
    await page.click('text=Back to sign in')
    await page.click('text=Create account')
    await fill(page, { email: nextEmail(), password: PASSWORD })
    await page.waitForSelector('text=No confirmation was sent, because this site sends no e-mail.')
    await expect.poll(() => page.locator('text=Send the confirmation again').count()).toBe(0)
    await takePicture(page, 'login-silent-en')
  })

  it('takes a link out of the address at once, and uses it only on a click', async () => {
    const { page } = await visit()
    const email = nextEmail()
    await page.click('text=Create account')
    await fill(page, { email, password: PASSWORD })
    await page.waitForSelector('text=You are signed in.')
    const verify = await link(email, 'verify')
    await page.goto('about:blank')
    await page.goto(`${origin}/login/${tenant.alias}#verify=${verify}`)
    await page.waitForSelector('button[type=submit]')
    await expect.poll(() => page.url()).not.toContain(verify)
    await page.click('button[type=submit]')
    await page.waitForSelector('text=Your e-mail address is confirmed.')
    const reset = await link(email, 'reset')
    await page.goto('about:blank')
    await page.goto(`${origin}/login/${tenant.alias}#reset=${reset}`)
    await fill(page, { password: 'another long password' })
    await page.waitForSelector('text=Your password has been set.')
    await fill(page, { email, password: 'another long password' })
    await page.waitForSelector('text=You are signed in.')
    await page.goto('about:blank')
    await page.goto(`${origin}/login/${tenant.alias}#reset=${reset}`)
    await fill(page, { password: 'another long password' })
    await page.waitForSelector('text=This link is no longer valid.')
  })

  it('answers a forgotten password alike for everybody, and takes no token that it did not ask for', async () => {
    const { page } = await visit('#access_token=forged.token.here&expires_in=3600')
    await expect.poll(() => page.textContent('h1')).toBe('Sign in')
    await expect.poll(() => page.evaluate(() => Object.keys(localStorage).length)).toBe(0)
    await page.click('text=Forgot password?')
    await fill(page, { email: nextEmail() })
    await page.waitForSelector('text=If there is an account with this address')
    await page.click('text=Back to sign in')
    await expect
      .poll(() => page.getAttribute('a.provider', 'href'))
      .toMatch(/^\/auth\/oauth\/github\/start\?tenant_id=[0-9a-f-]{36}&redirect=%2Flogin%2F/)
  })

  it.each(['en', 'ar', 'zh', 'ru'] as const)(
    'is accessible in each of its views, and fits every width: %s (#14)',
    { timeout: 90_000 },
    async (lang) => {
      const { page, faults } = await visit(`?lang=${lang}`)
      const address = page.url()
      await expect.poll(() => page.getAttribute('html', 'dir')).toBe(lang === 'ar' ? 'rtl' : 'ltr')
      const look = async (view: string) => {
        await page.setViewportSize({ width: 320, height: 640 })
        if (lang === 'en' || lang === 'ar') await noViolations(page)
        // 640 × 430: a window of 1280 × 860 at 200 %. What has room on the narrowest has room on the others too.
        const isMain = view === 'sign-in' || view === 'register'
        for (const width of isMain ? [320, 640, 768, 1280] : [320]) {
          await page.setViewportSize({ width, height: width === 640 ? 430 : 860 })
          await expect.poll(() => horizontalOverflow(page)).toBe(0)
          await expect.poll(() => cutWords(page)).toEqual([])
          if (!isMain) continue
          for (const colorScheme of ['light', 'dark'] as const) {
            await page.emulateMedia({ colorScheme })
            await takePicture(page, `login-${view}-${lang}-${colorScheme}-${width}`, {
              fullPage: true,
            })
          }
        }
        await page.emulateMedia({ colorScheme: 'light' })
      }
      /** The page as a link in a mail opens it. */
      const come = async (fragment: string) => {
        await page.goto('about:blank')
        await page.goto(address + fragment)
        await page.locator('button[type=submit]').waitFor()
      }
      const shown = (what: 'note' | 'error') => page.locator(`.login > .${what}`).waitFor()

      await page.locator('a.provider').waitFor()
      await look('sign-in')
      await fill(page, { email: nextEmail(), password: 'not the password' })
      await shown('error')
      await look('wrong password')
      await page.locator('form + .link').click()
      await look('forgotten')
      await fill(page, { email: nextEmail() })
      await shown('note')
      await look('mail sent')
      for (const fragment of ['#reset=none', '#verify=none']) {
        await come(fragment)
        await look(fragment)
        if (fragment === '#reset=none') await page.fill('#password', PASSWORD)
        await page.click('button[type=submit]')
        await shown('error')
        await look(`${fragment}, which is not good`)
      }
      await come('')
      await page.locator('.aside .link').click()
      await page.fill('#password', 'short')
      await page.click('button[type=submit]')
      await page.locator('#email-error').waitFor()
      await look('register')
      await fill(page, { email: nextEmail(), password: PASSWORD })
      await page.locator('form').waitFor({ state: 'detached' })
      await look('signed in')
      expect(faults).toEqual([])
    },
  )

  it('shows the tenant’s logo, however large, within 240 × 64, and its name to whoever cannot see it', async () => {
    const branded = await seedTenant(parley, { name: 'Branded' })
    const form = new FormData()
    form.set('file', new File([makePng(1200, 900)], 'logo.png', { type: 'image/png' }))
    await expectOk(branded.call('POST', '/v1/tenant/settings/logo', form))
    const { page, faults } = await openPage(browser, origin, {})
    await page.goto(`${origin}/login/${branded.id}`)
    const logo = page.locator('.who img')
    const box = () =>
      logo.evaluate((image: HTMLImageElement) => ({
        width: image.width,
        height: image.height,
        drawn: image.naturalWidth,
        name: image.parentElement?.textContent,
      }))
    // 64 high, and as wide as its shape asks.
    await expect.poll(box).toEqual({ width: 85, height: 64, drawn: 1200, name: 'Branded' })
    expect(faults).toEqual([])
  })

  describe('what the tenant asks of new people', () => {
    const agreed = { en: 'We keep what you write.', ar: 'نحتفظ بما تكتبه.' }
    let asking: SeededTenant
    beforeAll(async () => {
      asking = await seedTenant(parley, { name: 'Asking' })
      const onboarding_config = {
        welcome: 'Glad that you are here.',
        required_fields: ['phone', 'city'],
        consent_text: agreed,
      }
      await expectOk(asking.call('PATCH', '/v1/tenant/settings', { onboarding_config }))
    })

    it.each(['en', 'ar'] as const)('is shown, asked and needed (%s)', async (lang) => {
      const { page, faults, strangers } = await openPage(browser, origin, {
        viewport: { width: 320, height: 700 },
      })
      await page.goto(`${origin}/login/${asking.alias}?lang=${lang}`)
      await page.locator('.aside .link').click()
      await page.waitForSelector('.welcome:has-text("Glad that you are here.")')
      await page.waitForSelector(`.terms:has-text("${agreed[lang]}")`)
      await noViolations(page)
      await expect.poll(() => horizontalOverflow(page)).toBe(0)
      await takePicture(page, `onboarding-${lang}`, { fullPage: true })
      const email = nextEmail()
      await fill(page, { email, password: PASSWORD, phone: '0151', city: 'Lima' })
      const consent = page.locator('input[type=checkbox]')
      await expect.poll(() => consent.getAttribute('aria-describedby')).toContain('consent-error')
      await expect.poll(() => focusedId(page)).toBe('consent')
      await consent.check()
      await page.click('button[type=submit]')
      await page.waitForSelector('#phone-error')
      await fill(page, { phone: '+49 151 123456-78' })
      const known = async () => {
        const { json } = await asking.call('GET', '/v1/manage/users?limit=1')
        return json.items[0] === undefined
          ? null
          : (await asking.call('GET', `/v1/manage/users/${json.items[0].id}`)).json
      }
      await expect
        .poll(known)
        .toMatchObject({ email, contact_phone: '+4915112345678', pref_city: 'Lima' })
      expect(faults.filter((fault) => !fault.includes('422'))).toEqual([])
      expect(strangers).toEqual([])
    })

    it('is asked of somebody who comes back from a provider, who is signed in after it', async () => {
      const { DB } = (await parley.worker.getEnv()) as unknown as { DB: Database }
      const account = { tenant_id: asking.id, email: nextEmail(), password: PASSWORD }
      const asked = { contact_phone: '+4915112345678', pref_city: 'Lima', consent: true }
      const made = await expectOk(
        parley.call('POST', '/auth/register', { body: { ...account, ...asked } }),
      )
      const { user_id } = made.json
      await DB.prepare("UPDATE users SET source = 'github' WHERE id = ?").bind(user_id).run()
      await DB.prepare('UPDATE user_profiles SET pref_city = NULL WHERE user_id = ?')
        .bind(user_id)
        .run()
      const { json } = await expectOk(parley.call('POST', '/auth/login', { body: account }))
      const { page } = await openPage(browser, origin)
      await page.addInitScript(() => sessionStorage.setItem('parley:sign-in', '1'))
      const fragment = `#access_token=${json.access_token}&expires_in=3600&onboarding=pref_city`
      await page.goto(`${origin}/login/${asking.alias}${fragment}`)
      await page.waitForSelector('h1:has-text("One more step")')
      await noViolations(page)
      await page.check('input[type=checkbox]')
      await fill(page, { phone: '+4915112345678', city: 'Quito' })
      await page.waitForSelector('text=You are signed in.')
      const { json: user } = await asking.call('GET', `/v1/manage/users/${user_id}`)
      expect(user.pref_city).toBe('Quito')
    })
  })

  it('gives fingers targets of 44 pixels', async () => {
    const { page } = await visit('', TOUCH)
    await expect.poll(() => smallTargets(page, 44)).toEqual([])
    for (const way of ['Create account', 'Sign in', 'Forgot password?']) {
      await page.getByRole('button', { name: way }).last().click()
      await page.getByRole('heading', { name: way }).waitFor()
      await expect.poll(() => smallTargets(page, 44)).toEqual([])
    }
  })

  it('says how long to wait after too many attempts', async () => {
    const { page } = await visit()
    await page.route('**/auth/login', (route) =>
      route.fulfill({ status: 429, headers: { 'Retry-After': '120' }, body: '{}' }),
    )
    await fill(page, { email: nextEmail(), password: PASSWORD })
    await page.getByRole('alert').getByText('Too many attempts. Please wait 2 minutes.').waitFor()
    await noViolations(page)
  })

  it('writes the name of a tenant in its own direction, also within Arabic (#14.8)', async () => {
    const name = 'Acme (UK) Ltd.'
    const proxy = await seedTenant(parley, { name, auth_mode: 'proxy' })
    const { page, faults } = await openPage(browser, origin, { reducedMotion: 'reduce' })
    await page.goto(`${origin}/login/${proxy.id}?lang=ar`)
    await page.locator('html[dir=rtl]').waitFor()
    /** Whether the name's last sign stands right of its first, wherever it is written. */
    const readsOn = () =>
      page.evaluate((wanted) => {
        const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
        const found: boolean[] = []
        for (let node = walker.nextNode(); node; node = walker.nextNode()) {
          const at = node.parentElement?.closest('main')
            ? (node.nodeValue?.indexOf(wanted) ?? -1)
            : -1
          if (at < 0) continue
          const range = document.createRange()
          const left = (offset: number) => {
            range.setStart(node, at + offset)
            range.setEnd(node, at + offset + 1)
            return range.getBoundingClientRect().left
          }
          found.push(left(wanted.length - 1) > left(0) && left(5) < left(8))
        }
        return found
      }, name)
    await expect.poll(readsOn).toEqual([true, true])
    await noViolations(page)
    await takePicture(page, 'login-ar-name')
    expect(faults).toEqual([])
  })

  it('sends the people of a proxy tenant to its own site, and knows no other address', async () => {
    const proxy = await seedTenant(parley, { name: 'Proxy', auth_mode: 'proxy' })
    const { page } = await openPage(browser, origin)
    await page.goto(`${origin}/login/${proxy.id}`)
    await page.waitForSelector('text=Please sign in on the website of Proxy.')
    await noViolations(page)
    await expect.poll(() => page.locator('form').count()).toBe(0)
    const absent = await parley.call('GET', '/login/nobody')
    expect([absent.status, absent.headers.get('content-type')]).toEqual([
      404,
      'text/html; charset=utf-8',
    ])
    const shown = await parley.call('GET', `/login/${tenant.alias}`)
    expect(shown.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(shown.headers.get('referrer-policy')).toBe('no-referrer')
    expect(shown.text).toContain('Acme &lt;b&gt;')
  })
})
