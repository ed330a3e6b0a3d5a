import { strToU8, zipSync } from 'fflate'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Parley } from '../support/harness'
import { type HostileMcp, startHostileMcp, toolOf } from '../support/hostile-mcp'
import { type Loopback, startLoopback } from '../support/loopback'
import { expectOk, type SeededTenant, seedAgent, seedBase, seedTenant } from '../support/seed'
import { horizontalOverflow, launchBrowser, noViolations, openPage, takePicture } from './browser'
import { enterConsole } from './console'
import { startSite } from './site'

const FEES =
  '# Fees\n\nA parking permit costs twelve euros a year.\n\n# Hours\n\nThe office opens at nine.'
const SECRET = 'Bearer sk-never-shown-again'

describe('skills, knowledge and MCP servers in the console', () => {
  let browser: Browser
  let parley: Parley
  let pages: Loopback
  let tools: HostileMcp
  let tenant: SeededTenant
  let origin: string

  beforeAll(async () => {
    browser = await launchBrowser()
    pages = await startLoopback((request, response) => {
      if (request.url === '/robots.txt') return response.writeHead(404).end()
      response
        .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
        .end('<title>Visitors</title><h1>Parking</h1><p>Visitors park in hall seven.</p>')
    })
    tools = await startHostileMcp(pages.origin)
    tools.tools = [toolOf('find_permit'), toolOf('cancel_permit')]
    parley = await startSite({ EGRESS_ALLOW: [pages.pair, tools.pair].join() })
    origin = parley.url.origin
    tenant = await seedTenant(parley, { name: 'Acme' })
    await seedAgent(tenant, 'desk')
  })
  afterAll(async () => {
    await browser.close()
    await parley.close()
    await pages.close()
    await tools.close()
  })

  const read = async (path: string) => (await expectOk(tenant.call('GET', path))).json
  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
  const go = (page: Page, path: string) =>
    page.evaluate((hash) => {
      location.hash = hash
    }, path)
  const narrow = async (page: Page, picture: string) => {
    await page.setViewportSize({ width: 320, height: 800 })
    await expect.poll(() => horizontalOverflow(page)).toBe(0)
    await takePicture(page, picture, { fullPage: true })
    await page.setViewportSize({ width: 1280, height: 900 })
  }

  it('makes a base, fills it from files, a site and a text, and shows what a question finds', async () => {
    const { page, faults, strangers } = await openPage(browser, origin, {
      viewport: { width: 1280, height: 900 },
    })
    await enterConsole(page, origin, tenant.key, '/knowledge')
    await page.getByText('No knowledge bases yet').waitFor()
    await takePicture(page, 'console-knowledge-empty')
    await button(page, 'New knowledge base').first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Town hall')
    await dialog.getByLabel('Instructions').fill('Rules of the town.')
    await dialog.getByLabel('Fetch addresses again').selectOption('weekly')
    await dialog.getByLabel('Let a model put').check()
    await takePicture(page, 'console-knowledge-new')
    await button(page, 'Create').click()
    await page.getByRole('heading', { level: 1, name: 'Town hall' }).waitFor()
    const base = '/v1/knowledge-bases/Town%20hall'
    await go(page, '/knowledge')
    await page.getByRole('row', { name: /Town hall Empty/ }).waitFor()
    await takePicture(page, 'console-knowledge')
    await page.getByRole('link', { name: 'Town hall' }).click()
    const made = { instructions: 'Rules of the town.', refresh: 'weekly', rerank: true }
    expect(await read(base)).toMatchObject({ ...made, downloads: false })

    const zip = zipSync({ 'rules/dogs.md': strToU8('# Dogs\n\nDogs are led on a leash.') })
    await page.locator('input[type=file]').setInputFiles([
      { name: 'fees.md', mimeType: 'text/markdown', buffer: Buffer.from(FEES) },
      { name: 'town.zip', mimeType: 'application/zip', buffer: Buffer.from(zip) },
      { name: 'film.mov', mimeType: 'video/quicktime', buffer: Buffer.from([0, 1, 2, 3]) },
    ])
    const outcomes = page.getByRole('table', { name: 'What came of each' })
    await outcomes.getByText('rules/dogs.md').waitFor()
    await outcomes.getByRole('row', { name: /film\.mov Not added/ }).waitFor()
    const documents = page.getByRole('table', { name: 'Documents' })
    await documents.getByRole('row', { name: /fees\.md Ready/ }).waitFor()
    await takePicture(page, 'console-knowledge-documents', { fullPage: true })

    await page.getByText('Whole site', { exact: true }).click()
    await page.getByLabel('Address of a page').fill(`${pages.origin}/visitors`)
    await page.getByLabel('Pages at most').fill('1')
    await button(page, 'Begin import').click()
    await page.getByText('1 added, 0 unchanged').waitFor()
    await page.locator('.segmented').getByText('Text').click()
    await page.getByLabel('Title').fill('Pool')
    await page.getByLabel('Text', { exact: true }).last().fill('The pool is closed in May.')
    await page.getByLabel('Source address').fill('no address')
    await button(page, 'Add text').click()
    await page.getByText('an absolute http or https address').waitFor()
    await page.getByLabel('Source address').fill('https://town.example/pool')
    await button(page, 'Add text').click()
    await documents.getByRole('row', { name: /Pool\.txt.*Ready/ }).waitFor()
    await narrow(page, 'console-knowledge-narrow')

    await page.getByLabel('Search by name or address').fill('pool')
    await expect.poll(() => documents.getByRole('row').count()).toBe(2)
    await page.getByLabel('Select Pool.txt').check()
    await button(page, 'Delete').last().click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No document fits these filters.').waitFor()
    expect((await read(`${base}/documents?q=pool`)).items).toEqual([])
    await page.getByLabel('Search by name or address').fill('')
    await documents.getByRole('link', { name: 'fees.md' }).click()
    await page.getByText('A parking permit costs twelve euros').waitFor()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      button(page, 'Download').click(),
    ])
    expect(file.suggestedFilename()).toBe('fees.md')
    await takePicture(page, 'console-knowledge-document')
    await narrow(page, 'console-document-narrow')

    await go(page, '/knowledge/Town%20hall/verify')
    await page.getByLabel('Question').fill('What does a parking permit cost?')
    await page.keyboard.press('Enter')
    await page.getByText('An agent would answer from these passages.').first().waitFor()
    await page.getByText('A parking permit costs twelve euros').first().waitFor()
    await noViolations(page)
    await takePicture(page, 'console-knowledge-verify', { fullPage: true })
    await narrow(page, 'console-verify-narrow')
    await page.getByLabel('Question').fill('Who is the emperor of Brazil?')
    await button(page, 'Ask').click()
    await page.getByText('An agent would say that it has no source for this.').first().waitFor()

    await page.getByRole('link', { name: 'Settings' }).last().click()
    await page.getByLabel('Readers may have the files').check()
    await page.getByLabel('Name', { exact: true }).fill('City hall')
    await takePicture(page, 'console-knowledge-settings', { fullPage: true })
    await narrow(page, 'console-knowledge-settings-narrow')
    await button(page, 'Save').click()
    await page.getByRole('heading', { level: 1, name: 'City hall' }).waitFor()
    expect(await read('/v1/knowledge-bases/City%20hall')).toMatchObject({
      ...made,
      downloads: true,
    })
    await button(page, 'Delete the knowledge base').click()
    await page.getByLabel('Type “City hall” to go on').fill('City hall')
    await takePicture(page, 'console-knowledge-delete')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No knowledge bases yet').waitFor()
    expect(await read('/v1/knowledge-bases')).toEqual([])
    expect(faults).toEqual([])
    expect(strangers).toEqual([])
  })

  it('makes a skill of every field, restores a former state, and deletes it', async () => {
    await expectOk(tenant.call('POST', '/v1/knowledge-bases', { name: 'rules' }))
    const { page, faults } = await openPage(browser, origin, {
      viewport: { width: 1280, height: 900 },
    })
    await enterConsole(page, origin, tenant.key, '/skills/new')
    await page.getByLabel('Name').fill('permits')
    await page.getByLabel('Description').fill('When somebody asks for a parking permit')
    await page.getByLabel('Instructions').fill('Ask for the number plate first.')
    await page.getByText('31 / 20,000').waitFor()
    await page.getByLabel('Search again').check()
    await page.getByLabel('rules').check()
    await page.getByLabel('Label').fill('Get a permit')
    await page.getByLabel('Message').fill('I need a permit')
    await page.getByLabel('Words').fill('permit, parking')
    await page.getByLabel('Model while').fill('no-such-model')
    await button(page, 'Create skill').click()
    await page
      .getByText(/Unknown model; known are/)
      .first()
      .waitFor()
    await page.getByLabel('Model while').fill('offline')
    await takePicture(page, 'console-skill-new', { fullPage: true })
    await button(page, 'Create skill').click()
    await page.getByText('No agent has this skill.').waitFor()
    const stored = {
      name: 'permits',
      description: 'When somebody asks for a parking permit',
      instructions: 'Ask for the number plate first.',
      tools: ['search_knowledge'],
      knowledge_bases: ['rules'],
      model: 'offline',
      menu_label: 'Get a permit',
      menu_prompt: 'I need a permit',
      menu_anchors: 'permit, parking',
    }
    expect(await read('/v1/skills/permits')).toMatchObject(stored)
    await page.getByLabel('Instructions').fill('Ask for the name first.\nThen for the plate.')
    await button(page, 'Save').click()
    await page.getByText(/Saved/).waitFor()
    await button(page, 'Choose agents').click()
    await page.getByRole('dialog').getByLabel('desk').check()
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByText('They choose it when its description fits.').waitFor()
    expect((await read('/v1/agents/desk')).skills).toEqual(['permits'])
    await narrow(page, 'console-skill-narrow')

    await page.getByRole('link', { name: 'History' }).click()
    await page.getByText('Then for the plate.').waitFor()
    await page.locator('.diff dt', { hasText: /^Instructions$/ }).waitFor()
    await takePicture(page, 'console-skill-history')
    await narrow(page, 'console-skill-history-narrow')
    await page.getByRole('navigation', { name: 'History' }).getByRole('button').last().click()
    await button(page, 'Restore').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click()
    await expect
      .poll(async () => (await read('/v1/skills/permits')).instructions)
      .toBe(stored.instructions)
    await noViolations(page)
    await go(page, '/skills')
    await page.getByRole('row', { name: /permits.*desk/ }).waitFor()
    await takePicture(page, 'console-skills')
    await page.getByRole('link', { name: 'permits' }).click()
    await button(page, 'Actions').click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByText('the skill of this agent: desk').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No skills yet').waitFor()
    expect((await read('/v1/agents/desk')).skills).toEqual([])
    expect(faults).toEqual([])
  })

  it('show both versions of a skill that two people change, and say what is not there', async () => {
    await expectOk(
      tenant.call('POST', '/v1/skills/shared', { description: 'Old.', instructions: 'Old.' }),
    )
    const { page, faults } = await openPage(browser, origin)
    await enterConsole(page, origin, tenant.key, '/skills/shared')
    await page.getByLabel('Instructions').fill('Mine.')
    const theirs = { description: 'Theirs.', instructions: 'Theirs.' }
    await expectOk(tenant.call('PATCH', '/v1/skills/shared', theirs))
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Somebody else saved this meanwhile').waitFor()
    await page.locator('.diff dt', { hasText: 'Instructions' }).waitFor()
    await page.getByRole('button', { name: 'Overwrite with mine' }).click()
    await page.locator('.save-bar .state', { hasText: /^\s*Saved/ }).waitFor()
    expect(await read('/v1/skills/shared')).toMatchObject({
      description: 'Theirs.',
      instructions: 'Mine.',
    })
    await go(page, '/skills/shared/history')
    await page.getByRole('navigation', { name: 'History' }).getByRole('button').last().click()
    await page.getByText('The first state.').waitFor()
    const filled = () => page.locator('.diff dt').allTextContents()
    await expect.poll(filled).toEqual(['Description', 'Instructions'])
    const areas = ['/skills', '/knowledge', '/mcp', '/storylines', '/users']
    for (const path of [...areas.map((area) => `${area}/cut`), '/users/cut?tab=chats']) {
      await go(page, path)
      await page.getByText('This is not there').waitFor()
      await expect.poll(() => page.getByRole('heading', { level: 1 }).count()).toBe(1)
      await expect.poll(() => page.locator('.tabs, .actions').count()).toBe(0)
    }
    expect(faults).toEqual([])
    await expectOk(tenant.call('DELETE', '/v1/skills/shared'))
  })

  it('adds a server, accepts what it changed, and gives its tools to an agent', async () => {
    const { page, faults } = await openPage(browser, origin, {
      viewport: { width: 1280, height: 900 },
    })
    await enterConsole(page, origin, tenant.key, '/mcp/new')
    await page.getByLabel('Name', { exact: true }).fill('permits')
    await page.getByLabel('Address').fill(tools.urlOf('/tools'))
    await button(page, 'Add header').click()
    await page.getByLabel('Header', { exact: true }).fill('Authorization')
    await page.getByLabel('Value').fill(SECRET)
    await takePicture(page, 'console-mcp-new')
    await button(page, 'Add server').click()
    await page.getByRole('row', { name: /find_permit/ }).waitFor()
    await expect.poll(() => page.content()).not.toContain(SECRET)
    expect(tools.calls.at(-1)?.headers.authorization).toBe(SECRET)
    const [{ id }] = await read('/v1/mcp-servers')

    await page.getByLabel('For some tools').check()
    await page.getByLabel('cancel_permit asks first').check()
    await button(page, 'Save').click()
    await expect
      .poll(async () => (await read(`/v1/mcp-servers/${id}`)).confirm)
      .toEqual(['cancel_permit'])
    tools.tools = [toolOf('find_permit', { description: 'Finds more.' }), toolOf('cancel_permit')]
    await button(page, 'Check now').click()
    await button(page, 'Accept this tool').waitFor()
    await noViolations(page)
    await takePicture(page, 'console-mcp-server', { fullPage: true })
    await button(page, 'Accept this tool').click()
    await page.getByRole('row', { name: /find_permit Finds more/ }).waitFor()

    await button(page, 'Choose tools for desk').click()
    await page.getByLabel('Chosen tools').check()
    await page.getByRole('dialog').getByLabel('find_permit').check()
    await takePicture(page, 'console-mcp-attach')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await expect
      .poll(async () => (await read('/v1/agents/desk')).tools)
      .toContain('mcp:permits/find_permit')
    await narrow(page, 'console-mcp-narrow')

    await page.getByRole('link', { name: 'Settings' }).last().click()
    await page.getByLabel('Name', { exact: true }).fill('permit office')
    await button(page, 'Add header').click()
    await page.getByLabel('Header', { exact: true }).last().fill('Host')
    await page.getByLabel('Value').last().fill('x')
    await button(page, 'Save').click()
    await page.getByText('this header is set by the protocol').first().waitFor()
    await page.getByLabel('Header', { exact: true }).last().fill('X-Town')
    await button(page, 'Remove: Authorization').click()
    await takePicture(page, 'console-mcp-settings', { fullPage: true })
    await button(page, 'Save').click()
    await page.getByRole('heading', { level: 1, name: 'permit office' }).waitFor()
    expect((await read(`/v1/mcp-servers/${id}`)).config.headers).toEqual(['X-Town'])
    expect((await read('/v1/agents/desk')).tools).toContain('mcp:permit office/find_permit')
    await page.getByRole('link', { name: 'MCP servers' }).last().click()
    await page.getByRole('row', { name: /permit office/ }).waitFor()
    await takePicture(page, 'console-mcp-list')
    await page.getByRole('link', { name: 'permit office' }).click()
    await button(page, 'Actions').click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByText('its tools of desk').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No servers yet').waitFor()
    expect(faults).toEqual([])
  })

  it('reads from right to left on a narrow page, with a document that could not be read', async () => {
    const own = await seedTenant(parley)
    await seedBase(own, 'المدينة', { Pool: 'The pool is closed in May.' })
    const base = '/v1/knowledge-bases/%D8%A7%D9%84%D9%85%D8%AF%D9%8A%D9%86%D8%A9'
    const form = new FormData()
    form.set('file', new File(['%PDF-1.7\nnothing'], 'broken.pdf'))
    await expectOk(own.call('POST', `${base}/documents/upload`, form))
    await expectOk(own.call('PUT', '/v1/skills/permits', { menu_prompt: 'Hello' }))
    const server = {
      name: 'desk',
      transport: 'sse',
      enabled: false,
      config: { url: tools.urlOf('/tools'), headers: { 'X-Town': 'one' } },
    }
    const { json } = await expectOk(own.call('POST', '/v1/mcp-servers', server))
    const { page, faults } = await openPage(browser, origin, {
      viewport: { width: 320, height: 800 },
    })
    await page.goto(`${origin}/console?lang=ar#/knowledge/المدينة?status=failed`)
    await page.locator('.sign-in input.mono').fill(own.key)
    await page.keyboard.press('Enter')
    await page.getByText('broken.pdf').first().waitFor()
    for (const [picture, path] of [
      ['console-ar-documents', ''],
      ['console-ar-skill', '/skills/permits'],
      ['console-ar-mcp', `/mcp/${json.id}/settings`],
    ] as const) {
      if (path) await go(page, path)
      await page.locator('.save-bar, .table').first().waitFor()
      await noViolations(page)
      await expect.poll(() => horizontalOverflow(page)).toBe(0)
      await takePicture(page, picture, { fullPage: true })
    }
    expect(faults).toEqual([])
  })
})
