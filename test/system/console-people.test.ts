import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  expectOk,
  type SeededTenant,
  seedAgent,
  seedBase,
  seedTenant,
  waitFor,
} from '../support/seed'
import { horizontalOverflow, noViolations, openPage, pressComposing, takePicture } from './browser'
import { holdAnswer } from './hold-answer'
import { browser, origin, parley, withSite } from './with-site'

let tenant: SeededTenant

withSite()
beforeAll(async () => {
  tenant = await seedTenant(parley, { name: 'Harbour Tools' })
  await seedBase(tenant, 'guide', {
    'Refund policy': 'Refunds are paid within five working days.',
    'Opening hours': 'The office opens at nine in the morning.',
  })
  await seedBase(tenant, 'answers', {})
  await seedAgent(tenant, 'front-desk', {
    knowledge_bases: ['answers', 'guide'],
    grounding_required: true,
    tools: ['handoff'],
    model: 'offline',
  })
})

const ask = async (user: string, message: string, session?: string) =>
  (
    await expectOk(
      tenant.as(user, 'POST', '/v1/chat', {
        message,
        agent: 'front-desk',
        ...(session ? { session_id: session } : {}),
      }),
    )
  ).json

async function userId(name: string): Promise<string> {
  const { json } = await expectOk(tenant.call('GET', `/v1/manage/users?q=${name}`))
  return json.items[0].id
}

/** Another place of the console, where its reader is signed in already. */
const goTo = (page: Page, path: string) =>
  page.evaluate((hash) => {
    location.hash = hash
  }, path)

/** What every screen must be: free of known faults, and no wider than a small phone. */
async function look(page: Page, name: string): Promise<void> {
  await noViolations(page)
  await takePicture(page, `people-${name}`, { fullPage: true })
  await page.setViewportSize({ width: 320, height: 700 })
  await expect.poll(() => horizontalOverflow(page)).toBe(0)
  await takePicture(page, `people-${name}-narrow`, { fullPage: true })
  await page.setViewportSize({ width: 1280, height: 860 })
}

async function open(
  path: string,
  lang = 'en',
  before: () => void = () => undefined,
  { key } = tenant,
) {
  const watched = await openPage(browser, origin, { viewport: { width: 1280, height: 860 } })
  await watched.page.addInitScript(before)
  await watched.page.goto(`${origin}/console?lang=${lang}#${path}`)
  await watched.page.locator('input').first().fill(key)
  await watched.page.keyboard.press('Enter')
  await watched.page.locator('#main h1').waitFor()
  return watched
}

describe('reviews in the console', () => {
  it('are drafted, approved into a base and rejected by keys that leave typing alone', async () => {
    const reviews = () => expectOk(tenant.call('GET', '/v1/manage/reviews'))
    // Jobs of one batch run beside each other: the queue has the order in which they end.
    for (const [n, question] of [
      'Who invented the gyroscope?',
      'What does the harbour crane weigh?',
    ].entries()) {
      await ask('ada', question)
      await waitFor(async () => ((await reviews()).json.length > n ? true : null))
    }
    const { page, faults } = await open('/reviews')
    const heading = page.getByRole('heading', { level: 2 })
    await page.getByRole('heading', { level: 2, name: 'harbour crane' }).waitFor()
    await page.keyboard.press('j')
    await page.getByRole('heading', { level: 2, name: 'gyroscope' }).waitFor()
    await look(page, 'reviews')
    await page.getByRole('button', { name: 'Suggest a text' }).click()
    await page.getByText('hold nothing on this').waitFor()
    const text = page.getByLabel('Text for the knowledge base')
    await text.pressSequentially('jar: Jean Foucault invented the gyroscope.')
    await expect.poll(() => heading.first().textContent()).toContain('gyroscope')
    await text.fill('Jean Foucault invented the gyroscope in 1852.')
    await page.getByLabel('Title (optional)').fill('Gyroscope')
    await heading.first().focus()
    await page.keyboard.press('a')
    await page
      .getByRole('heading', { level: 2, name: 'harbour crane' })
      .waitFor({ timeout: 30_000 })
    await page.keyboard.press('r')
    await page.getByRole('dialog').getByRole('button', { name: 'Reject' }).click()
    await page.getByText('Rejected: the question is answered as before.').waitFor()
    const { json } = await reviews()
    expect(
      json.map((one: Record<string, unknown>) => [one.status, one.kb_name, one.verified]),
    ).toEqual([
      ['rejected', 'answers', null],
      ['approved', 'answers', true],
    ])
    await page.getByText('Approved', { exact: true }).click()
    await page.getByText('Asked again, the question is answered from the new text.').waitFor()
    await expect.poll(() => page.url()).toContain('status=approved')
    expect(faults).toEqual([])
  })

  it('that cannot be read say when to try again, and are there then', async () => {
    const { page, faults } = await open('/users')
    await page.route('**/v1/manage/reviews*', (route) =>
      route.fulfill({
        status: 429,
        headers: { 'Retry-After': '37' },
        json: { detail: 'Too many requests' },
      }),
    )
    await goTo(page, '/reviews')
    await page.getByText('Too many requests. Try again in 37 seconds.').waitFor()
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('Too many requests').waitFor({ state: 'detached' })
    await page.getByRole('heading', { level: 1, name: 'Reviews' }).waitFor()
    expect(faults).toEqual([])
  })

  it('begin with their question, however far down the one before was read', async () => {
    const own = await seedTenant(parley)
    await seedBase(own, 'answers', { Hours: 'The office opens at nine in the morning.' })
    const fields = { knowledge_bases: ['answers'], grounding_required: true, model: 'offline' }
    await seedAgent(own, 'front-desk', fields)
    for (const thing of ['gyroscope', 'harbour crane']) {
      const message = `Who invented the ${thing}? ${`We bought a ${thing} last year. `.repeat(30)}`
      await expectOk(own.as('ada', 'POST', '/v1/chat', { message, agent: 'front-desk' }))
    }
    await waitFor(async () => {
      const { json } = await expectOk(own.call('GET', '/v1/manage/reviews'))
      return json.length === 2 || null
    })
    const { page, faults } = await open('/reviews', 'en', undefined, own)
    const heading = page.locator('.desk-main h2')
    const place = () => heading.evaluate((title) => title.getBoundingClientRect().top)
    const choose = [
      () => page.keyboard.press('j'),
      () => page.locator('.desk-item[aria-current=false]').click(),
    ]
    for (const another of choose) {
      const question = await heading.textContent()
      await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
      await expect.poll(place).toBeLessThan(0)
      await another()
      await expect.poll(() => heading.textContent()).not.toBe(question)
      await expect.poll(place).toBeGreaterThan(0)
    }
    expect(faults).toEqual([])
  })
})

describe('an answer under review', () => {
  it('is shown as its reader saw it, with what no source carries marked in it', async () => {
    const own = await seedTenant(parley, { name: 'Marked Harbour' })
    await seedAgent(own, 'front-desk', { model: 'offline', grounding_required: true })
    const question = { message: 'What does the crane weigh?', agent: 'front-desk' }
    await expectOk(own.as('ada', 'POST', '/v1/chat', question))
    const reviews = () => expectOk(own.call('GET', '/v1/manage/reviews'))
    await waitFor(async () => ((await reviews()).json.length === 1 ? true : null))
    const [review] = (await reviews()).json
    const answer = '## Cranes\n\nIt **weighs** a ton. It is blue.\n\n- It hums.'
    const unsourced = ['It **weighs** a ton.', 'It hums.', 'It sings.']
    const { page, faults } = await open('/', 'en', undefined, own)
    await page.route('**/v1/manage/reviews?**', (route) =>
      route.fulfill({ json: [{ ...review, answer, unsourced }] }),
    )
    await goTo(page, '/reviews')
    await page.getByRole('heading', { name: 'Cranes' }).waitFor()
    await expect
      .poll(() => page.locator('.md mark').allTextContents())
      .toEqual(['It ', 'weighs', ' a ton.', 'It hums.'])
    await page.getByRole('listitem').filter({ hasText: 'It sings.' }).waitFor()
    await look(page, 'review-markdown')
    expect(faults).toEqual([])
  })
})

describe('users in the console', () => {
  it('are found, looked at, given a space and erased by their name', async () => {
    const { session_id: session } = await ask('grace', 'When are refunds paid?')
    const uid = await userId('grace')
    const { page, faults } = await open('/users')
    await look(page, 'users')
    await page.getByRole('searchbox').fill('grac')
    await page.getByRole('link', { name: 'grace' }).click()
    await page.getByRole('heading', { level: 1, name: 'grace' }).waitFor()
    await page.getByRole('button', { name: 'Create space' }).click()
    const named = page.getByRole('dialog').getByLabel('Name of the space')
    await named.fill('Holi')
    await pressComposing(named, 'Enter')
    await named.fill('Holidays')
    await page.getByRole('dialog').getByRole('button', { name: 'Create space' }).click()
    await page.getByRole('link', { name: 'Holidays' }).waitFor()
    await look(page, 'user')

    await page.getByRole('link', { name: 'Holidays' }).click()
    await page.getByLabel('Name of the space').fill('Travel')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Travel' }).waitFor()
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('button', { name: 'Remove: front-desk' }).waitFor()
    await look(page, 'space')
    const { json: user } = await expectOk(tenant.call('GET', `/v1/manage/users/${uid}`))
    const travel = user.spaces.find((space: { name: string }) => space.name === 'Travel')
    const offered = await expectOk(tenant.call('GET', `/v1/manage/spaces/${travel.id}/agents`))
    expect(offered.json).toEqual(['front-desk'])
    await page.getByRole('button', { name: 'Actions' }).click()
    await page.getByRole('menuitem', { name: 'Delete space' }).click()
    const dialog = page.getByRole('dialog')
    await expect
      .poll(() => dialog.getByRole('button', { name: 'Delete space' }).isDisabled())
      .toBe(true)
    await dialog.getByRole('textbox').fill('Travel')
    await dialog.getByRole('button', { name: 'Delete space' }).click()
    await page.getByRole('heading', { level: 1, name: 'grace' }).waitFor()

    await page.getByRole('link', { name: 'Chats' }).click()
    await page.getByRole('cell', { name: 'front-desk' }).waitFor()
    await page.getByRole('link', { name: 'Usage' }).last().click()
    await page.getByText('tokens in all').waitFor()
    await expect.poll(() => page.locator('figure canvas').count()).toBe(1)
    await goTo(page, `/sessions/${session}`)
    await page.getByRole('button', { name: 'Show content' }).click()
    await page.getByText('Refunds are paid within five working days.').first().waitFor()
    await look(page, 'session')

    await goTo(page, `/users/${uid}`)
    await page.getByRole('button', { name: 'Actions' }).click()
    await page.getByRole('menuitem', { name: 'Erase user' }).click()
    await dialog.getByRole('textbox').fill('grace')
    await takePicture(page, 'people-erase')
    await dialog.getByRole('button', { name: 'Erase user' }).click()
    await page.getByRole('heading', { level: 1, name: 'Users' }).waitFor()
    expect((await tenant.call('GET', `/v1/manage/users/${uid}`)).status).toBe(404)
    expect(faults).toEqual([])
  })

  it('have a space that is called so by nobody, and are refused a name, in the reader’s language', async () => {
    await ask('ines', 'When are refunds paid?')
    const { page, faults } = await open(`/users/${await userId('ines')}`, 'es')
    await page.getByRole('link', { name: 'Espacio predeterminado' }).waitFor()
    await page.getByRole('button', { name: 'Crear espacio' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox').fill('\u200b')
    await dialog.getByRole('button', { name: 'Crear espacio' }).click()
    await dialog.getByText('Una línea de texto visible, sin caracteres de control.').waitFor()
    await expect.poll(() => dialog.getByRole('textbox').inputValue()).toBe('\u200b')
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'Espacio predeterminado' }).click()
    await page.getByRole('heading', { level: 1, name: 'Espacio predeterminado' }).waitFor()
    expect(faults).toEqual([])
  })
})

describe('handoffs in the console', () => {
  it('are answered and given back', async () => {
    const { session_id: session } = await ask('lin', 'Can I talk to a human?')
    const { page, faults } = await open('/handoffs')
    await page.getByLabel('Your reply').fill('Hello, this is Kim. How can I help?')
    await look(page, 'handoffs')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByRole('listitem').filter({ hasText: 'Staff' }).getByText('this is Kim').waitFor()
    await page.getByRole('button', { name: 'Give back to the agent' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Give back' }).click()
    await page.getByText('The agent answers again. You can write').waitFor()
    const { json } = await expectOk(tenant.call('GET', '/v1/manage/handoffs'))
    expect(json.items[0]).toMatchObject({ session_id: session, status: 'closed' })
    expect(faults).toEqual([])
  })

  it('show what was sent also where an earlier look comes back after it', async () => {
    await ask('mia', 'Can I talk to a human?')
    const { page, faults } = await open('/handoffs')
    await page.getByLabel('Your reply').fill('Hello, this is Lee.')
    const first = await holdAnswer(page, '**/messages?**')
    // As who comes back to the tab.
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    await first.answered
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByRole('listitem').filter({ hasText: 'Staff' }).getByText('this is Lee').waitFor()
    const shown = await first.letGo('#main')
    expect(shown).toContain('this is Lee')
    expect(faults).toEqual([])
  })
})

/** The map leaves WebGL alone where no graphics card is; here it is drawn by it all the same. */
function drawByWebGl(): void {
  const { getContext } = HTMLCanvasElement.prototype
  HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, kind: string) {
    return getContext.call(this, kind as 'webgl2')
  } as typeof getContext
}

/** Null where nothing is drawn by WebGL. */
const webGlError = (page: Page) =>
  page.evaluate(() => document.querySelector('canvas')?.getContext('webgl2')?.getError() ?? null)

/** Whether the plain canvas shows something. */
const isPaintedFlat = (page: Page) =>
  page.evaluate(() => {
    const canvas = document.querySelector('canvas')
    const context = canvas?.getContext('2d')
    if (!canvas || !context) return false
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height)
    return data.some((value) => value !== 0)
  })

describe('the knowledge map in the console', () => {
  it('shows the same as a picture and as a table, in both directions of writing', async () => {
    await ask('mara', 'I live in Lima.')
    await ask('mara', 'I like black tea and I work as a carpenter.')
    const space = (await expectOk(tenant.as('mara', 'GET', '/me'))).json.space_id
    const documents = `/me/spaces/${space}/documents`
    await expectOk(
      tenant.as('mara', 'POST', documents, {
        title: 'Trip',
        text: '# Trip\n\nThe ferry to Lima leaves on Monday.\n\n# Hotel\n\nThe hotel is at the harbour.',
      }),
    )
    const uid = await userId('mara')
    const graph = `/v1/manage/users/${uid}/knowledge-graph`
    await waitFor(async () => {
      const { json } = await expectOk(tenant.call('GET', graph))
      return json.nodes.some((node: { source: string }) => node.source === 'knowledge') &&
        json.nodes.some((node: { source: string }) => node.source === 'memory')
        ? true
        : null
    })
    const { page, faults } = await open(`/users/${uid}/map`)
    const canvas = page.getByRole('application')
    await canvas.focus()
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('PageDown')
    await page.keyboard.press('Enter')
    await page.getByRole('complementary', { name: 'Item' }).getByRole('link').waitFor()
    await look(page, 'map')
    await page.getByRole('searchbox').fill('Lima')
    await page.getByText('Table', { exact: true }).click()
    await page.getByRole('row').filter({ hasText: 'I live in Lima.' }).getByText('Found').waitFor()
    await takePicture(page, 'people-map-table')
    expect(faults).toEqual([])
    const arabic = await open(`/users/${uid}/map?view=2d`, 'ar', drawByWebGl)
    await arabic.page.getByRole('application').waitFor()
    await expect.poll(() => webGlError(arabic.page)).toBe(0)
    await look(arabic.page, 'map-ar')
    await arabic.page.evaluate(() =>
      document
        .querySelector('canvas')
        ?.getContext('webgl2')
        ?.getExtension('WEBGL_lose_context')
        ?.loseContext(),
    )
    await expect.poll(() => isPaintedFlat(arabic.page)).toBe(true)
    expect(arabic.faults).toEqual([])
  })
})

describe('privacy mode in the console', () => {
  it('is said to be the reason why nothing can be read', async () => {
    const own = await seedTenant(parley, { name: 'Quiet Harbour' })
    await seedAgent(own, 'front-desk', { model: 'offline' })
    const chat = { message: 'I live in Lima.', agent: 'front-desk' }
    const { json } = await expectOk(own.as('zoe', 'POST', '/v1/chat', chat))
    const { user_id, space_id } = (await expectOk(own.as('zoe', 'GET', '/me'))).json
    const note = { title: 'Lima', text: 'The house is blue.' }
    await own.as('zoe', 'POST', `/me/spaces/${space_id}/documents`, note)
    await expectOk(own.call('PUT', '/v1/tenant/privacy', { privacy_mode: true }))
    const { page, faults } = await open(`/sessions/${json.session_id}`, 'en', undefined, own)
    await page.getByRole('button', { name: 'Show content' }).click()
    await page.getByText('Messages cannot be read in privacy mode').waitFor()
    await goTo(page, '/handoffs')
    await page.getByText('Messages cannot be read in privacy mode').waitFor()
    await goTo(page, '/reviews')
    await page.getByText('Reviews are off in privacy mode').waitFor()
    await goTo(page, `/users/${user_id}?tab=documents`)
    await page.getByRole('table').getByText('Untitled document').waitFor()
    expect(faults).toEqual([])
  })

  it('is not named for another refusal', async () => {
    const { page } = await open('/')
    await page.route(/\/v1\/manage\/(?:reviews|handoffs)\?/, (route) =>
      route.fulfill({ status: 403, json: { detail: 'Tenant is not active' } }),
    )
    for (const path of ['/reviews', '/handoffs']) {
      await goTo(page, path)
      await page.getByRole('alert').filter({ hasText: 'Tenant is not active' }).waitFor()
    }
  })
})
