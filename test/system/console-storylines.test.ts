import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { expectOk, type SeededTenant, seedAgent, seedTenant } from '../support/seed'
import { storylineFile } from '../support/storylines'
import {
  horizontalOverflow,
  noViolations,
  noViolationsInBoth,
  openPage,
  TOUCH,
  takePicture,
} from './browser'
import { enterConsole } from './console'
import { browser, origin, parley, withSite } from './with-site'

describe('storylines in the console', () => {
  let tenant: SeededTenant

  withSite()
  beforeAll(async () => {
    tenant = await seedTenant(parley)
    await seedAgent(tenant, 'front-desk', { tools: ['handoff'] })
  })

  const call = async (method: 'GET' | 'PATCH' | 'POST' | 'PUT', path: string, body?: object) =>
    (await expectOk(tenant.call(method, path, body))).json
  const imported = (key: string) =>
    call('POST', '/v1/storylines/import', {
      ...storylineFile('customer-intake'),
      key,
      agent_name: 'front-desk',
    })
  const node = (page: Page, name: string) =>
    page.locator('.outline-row.node').filter({ has: page.getByText(name, { exact: true }) })

  it('builds and publishes a storyline of three steps by keyboard alone', async () => {
    const { page, faults, strangers } = await openPage(browser, origin)
    await enterConsole(page, origin, tenant.key, '/storylines')
    await page.getByText('No storylines yet').waitFor()
    await page.getByRole('button', { name: 'New storyline' }).first().press('Enter')
    await page.getByLabel('Name').fill('Welcome tour')
    const create = page.getByRole('button', { name: 'Create' })
    await expect.poll(() => create.isEnabled()).toBe(true)
    const key = page.getByLabel('Key', { exact: true })
    await key.fill('9')
    await create.press('Enter')
    await page.getByText('a key has a-z, 0-9, _ and -, and begins with a letter').waitFor()
    await expect.poll(() => page.getByRole('dialog').getByRole('alert').count()).toBe(0)
    await key.fill('welcome_tour')
    await create.press('Enter')

    await node(page, 'message').press('Enter')
    await page.getByLabel('Say', { exact: true }).fill('Hello!')
    const add = page.getByRole('combobox', { name: 'Add step' })
    await add.selectOption('collect')
    await page.getByLabel('Ask for').selectOption('+')
    await page.getByLabel('Question').fill('What is your name?')
    await add.selectOption('end')
    await node(page, 'collect').press('c')
    await page.getByRole('dialog').getByLabel('Leads to').selectOption('end')
    await page.getByRole('dialog').getByRole('button', { name: 'Connect' }).press('Enter')
    await page.getByRole('tab', { name: 'Problems' }).press('Enter')
    await page.getByText('The draft can be published.').waitFor()
    await noViolations(page)
    await takePicture(page, 'console-storyline-built')

    await page.getByRole('button', { name: 'Publish', exact: true }).press('Enter')
    await page.getByText('New people get it from now on.').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).press('Enter')
    await page.getByText('Published', { exact: true }).first().waitFor()
    const [made] = await call('GET', '/v1/storylines')
    expect(made).toMatchObject({ key: 'welcome_tour', status: 'published' })
    expect(made.graph).toEqual({
      schema: 1,
      start: 'message',
      nodes: {
        message: { type: 'message', say: 'Hello!', exits: [{ id: 'next', to: 'collect' }] },
        collect: {
          type: 'collect',
          slots: [{ slot: 'slot', ask: 'What is your name?' }],
          exits: expect.any(Array),
        },
        end: { type: 'end', outcome: 'done' },
      },
    })
    expect(faults).toEqual([])
    expect(strangers).toEqual([])
  })

  it('edits, takes back, leads to a problem, rehearses, and shows what somebody else saved', async () => {
    const { id } = await imported('intake')
    const read = () => call('GET', `/v1/storylines/${id}`)
    const { page, faults } = await openPage(browser, origin, {
      viewport: { width: 1400, height: 950 },
    })
    await enterConsole(page, origin, tenant.key, `/storylines/${id}`)
    await page.locator('.outline-row.exit').filter({ hasText: 'sales' }).click()
    await page.getByLabel('Value 1').selectOption('other')
    const condition = async () => (await read()).graph.nodes.need.exits[0].when
    await expect.poll(condition).toBe('profile.need == "other"')
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(condition).toBe('profile.need == "sales"')

    await page.getByText('Canvas', { exact: true }).click()
    const box = (key: string) => page.locator(`[data-node="${key}"]`)
    await box('helped').click()
    await page.getByLabel('Type').selectOption('tool')
    await page.getByLabel('Name').fill('weathr')
    await page.getByRole('tab', { name: 'Problems' }).click()
    await page
      .getByRole('button', { name: 'there is no', exact: false })
      .or(page.getByText('has no tool weathr'))
      .click()
    await expect
      .poll(() =>
        page.evaluate(() =>
          document.activeElement?.closest('[data-path]')?.getAttribute('data-path'),
        ),
      )
      .toBe('/graph/nodes/helped/tool')
    await takePicture(page, 'console-storyline-canvas')
    await noViolationsInBoth(page)

    // A way by dragging from the handle.
    await box('helped').hover()
    const [from, to] = [
      await box('helped').locator('.wire-handle').boundingBox(),
      await box('left').boundingBox(),
    ]
    await page.mouse.move((from?.x ?? 0) + 12, (from?.y ?? 0) + 12)
    await page.mouse.down()
    await page.mouse.move((to?.x ?? 0) + 40, (to?.y ?? 0) + 20, { steps: 4 })
    await page.mouse.up()
    await expect
      .poll(async () => (await read()).graph.nodes.helped.exits)
      .toEqual([{ id: 'done', on: 'done', to: 'left' }])

    await call('PUT', `/v1/storylines/${id}`, {
      ...(await read()),
      description: 'Theirs.',
      expected_version: null,
    })
    await page.getByRole('tab', { name: 'Settings' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Mine')
    await page.getByText('Somebody else saved this meanwhile').waitFor()
    await page.getByRole('button', { name: 'Overwrite with mine' }).click()
    await expect.poll(read).toMatchObject({
      name: 'Mine',
      description: 'Qualifies a new enquiry and books a call back.',
    })

    await page.getByLabel('Start', { exact: true }).selectOption('offer')
    await page.getByLabel('Considered').selectOption('intent')
    await page.getByLabel('Messages that mean it').fill('call me\n\nring me')
    await page.getByLabel('Place').fill('3')
    await page.getByLabel('What people see').selectOption('progress')
    await page.getByLabel('People may leave').uncheck()
    await page.getByLabel('Beside others').selectOption('parallel')
    await page.getByLabel('Other questions').selectOption('steer')
    await page.getByLabel('Stalled after').fill('7')
    await page.getByLabel('Afterwards').selectOption('hold')
    await page.getByRole('tab', { name: 'Slots' }).click()
    await page.getByRole('button', { name: 'New slot' }).click()
    await page.getByLabel('Title', { exact: true }).fill('Floors')
    await page.getByLabel('Type').selectOption('integer')
    await page.getByLabel('At most').fill('9')
    await page.getByLabel('Choices').fill('1 = One\n2 = Two')
    await page.getByLabel('Sensitive').check()
    await page.getByLabel('Key').fill('floors')
    await page.getByRole('button', { name: 'Apply' }).click()
    await expect.poll(read).toMatchObject({
      entry: 'offer',
      enroll_trigger: 'intent',
      position: 3,
      user_visibility: 'progress',
      allow_exit: false,
      concurrency: 'parallel',
      on_complete: 'hold',
      graph: {
        trigger: { examples: ['call me', 'ring me'] },
        settings: { digression: 'steer', stall_days: 7 },
      },
      profile_schema: {
        properties: {
          floors: {
            type: 'integer',
            title: 'Floors',
            maximum: 9,
            oneOf: [
              { const: 1, title: 'One' },
              { const: 2, title: 'Two' },
            ],
            'x-sensitive': true,
          },
        },
      },
    })

    await page.getByRole('tab', { name: 'Try' }).click()
    await page.getByLabel('First message').fill('Getting started')
    await page.getByRole('button', { name: 'Say', exact: true }).click()
    await page.getByRole('button', { name: 'Buy or upgrade' }).click()
    await page.getByText('Roughly how many people work at your company?').waitFor()
    await page.getByRole('button', { name: 'Keep as scenario' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('buys')
    await noViolations(page)
    await takePicture(page, 'console-storyline-scenario')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    const { expect: expected } = await (async () => {
      await page.getByText('The scenario is saved.').waitFor()
      return call('GET', `/v1/storylines/${id}/scenarios/buys`)
    })()
    expect(expected[1]).toMatchObject({ turn: 2, node: 'size', slots: { need: 'sales' } })
    await page.setViewportSize({ width: 320, height: 700 })
    await expect.poll(() => horizontalOverflow(page)).toBe(0)
    await takePicture(page, 'console-storyline-narrow', { fullPage: true })
    expect(faults).toEqual([])
  })

  it('leaves a storyline with its agent when that is renamed while it is edited', async () => {
    await call('PUT', '/v1/agents/porter', {})
    const { id } = await call('POST', '/v1/storylines', { agent_name: 'porter', key: 'stays' })
    const { page, faults } = await openPage(browser, origin)
    await enterConsole(page, origin, tenant.key, `/storylines/${id}`)
    await page.getByRole('tab', { name: 'Settings' }).click()
    const name = page.getByLabel('Name', { exact: true })
    await name.waitFor()
    await call('PATCH', '/v1/agents/porter', { name: 'doorman' })
    await name.fill('Mine')
    await page.getByRole('button', { name: 'Overwrite with mine' }).click()
    await expect
      .poll(() => call('GET', `/v1/storylines/${id}`))
      .toMatchObject({ name: 'Mine', agent_name: 'doorman' })
    expect(faults).toEqual([])
  })

  it('publishes over people who are on the way, moves them, and counts them', async () => {
    await seedAgent(tenant, 'lobby', { model: 'offline', tools: ['handoff'] })
    const file = { ...storylineFile('customer-intake'), agent_name: 'lobby', key: 'lobby' }
    const { id } = await call('POST', '/v1/storylines/import', file)
    const path = `/v1/storylines/${id}`
    await call('POST', `${path}/publish`)
    await expectOk(tenant.as('ann', 'POST', '/v1/chat', { message: 'Hello there', agent: 'lobby' }))
    const people = () => call('GET', `${path}/enrollments`)
    await expect.poll(people).toMatchObject([{ current_node_key: 'need' }])

    const { page, faults } = await openPage(browser, origin)
    await enterConsole(page, origin, tenant.key, `/storylines/${id}`)
    await node(page, 'Need').press('Delete')
    await page.getByText('Unpublished changes').waitFor()
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    await page.getByText('People stand on steps that this draft does not have').waitFor()
    await takePicture(page, 'console-storyline-publish')
    await noViolations(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click()
    await page.getByLabel('They come along').check()
    await page.getByLabel('whose step is gone').selectOption('contact')
    await page.getByRole('button', { name: 'Move them' }).click()
    await expect.poll(people).toMatchObject([{ current_node_key: 'contact' }])

    // A step under another key is known by its title: the proposal stands in the form.
    const { graph } = await call('GET', path)
    const renamed = JSON.parse(
      JSON.stringify(graph)
        .replace('"contact":{"type', '"reach":{"type')
        .replaceAll('"to":"contact"', '"to":"reach"'),
    )
    await call('PUT', path, { agent_name: 'lobby', key: 'lobby', graph: renamed })
    await page.reload()
    await enterConsole(page, origin, tenant.key)
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click()
    await page.getByLabel('They come along').check()
    const target = page.getByLabel('Contact: 1 person whose step is gone')
    await expect.poll(() => target.inputValue()).toBe('reach')
    await noViolations(page)
    await takePicture(page, 'console-storyline-proposal')
    await page.getByRole('button', { name: 'Move them' }).click()
    await expect.poll(people).toMatchObject([{ current_node_key: 'reach' }])

    await page.getByRole('link', { name: 'People' }).click()
    await page.getByRole('cell', { name: 'Contact' }).waitFor()
    await noViolations(page)
    await page.getByRole('button', { name: 'Move people' }).click()
    await page.getByLabel('Begin again').check()
    await page.getByRole('button', { name: 'Count first' }).click()
    await page.getByText('1 person would be moved.').waitFor()
    await takePicture(page, 'console-storyline-migrate')
    await page.getByRole('button', { name: 'Move them' }).click()
    const dialog = page.getByRole('dialog', { name: 'Move people' })
    await dialog.getByText('1 person was moved.').waitFor()
    await page.getByRole('button', { name: 'Take back' }).click()
    await dialog.getByText('1 person is back.').waitFor()
    await expect.poll(people).toMatchObject([{ current_node_key: 'reach' }])
    await page.keyboard.press('Escape')

    await page.getByRole('link', { name: 'Funnel' }).click()
    await page.getByText('By milestone').waitFor()
    await takePicture(page, 'console-storyline-funnel')
    await noViolationsInBoth(page)
    await page.setViewportSize({ width: 320, height: 700 })
    await page.getByText('Table', { exact: true }).click()
    await page.getByRole('table').waitFor()
    await expect.poll(() => horizontalOverflow(page)).toBe(0)
    expect(faults).toEqual([])
  })

  it('shows where an exit leads beside its arrow, however long the name', async () => {
    const { id } = await call('POST', '/v1/storylines', {
      agent_name: 'front-desk',
      key: 'long-names',
      graph: {
        schema: 1,
        start: 'ask',
        nodes: {
          ask: { type: 'message', text: 'Hello.', exits: [{ id: 'go', to: 'bye' }] },
          bye: {
            type: 'end',
            outcome: 'done',
            title: 'The end of everything that we do '.repeat(2),
          },
        },
      },
    })
    const { page, faults } = await openPage(browser, origin, TOUCH)
    await enterConsole(page, origin, tenant.key, `/storylines/${id}`)
    const exit = page.locator('.outline-row.exit').first()
    await exit.waitFor()
    const [arrow, target] = await exit.locator('.arrow, .target').evaluateAll((parts) =>
      parts.map((part) => {
        const { top, bottom } = part.getBoundingClientRect()
        return { top, bottom }
      }),
    )
    expect(target?.top).toBeLessThan(arrow?.bottom ?? 0)
    expect(faults).toEqual([])
  })

  it('orders, exports, imports and deletes, and opens what has no graph or another shape', async () => {
    await seedAgent(tenant, 'desk', {})
    const file = (name: string) => ({ ...storylineFile(name), agent_name: 'desk' })
    for (const name of ['customer-intake', 'spanish-cafe'])
      await call('POST', '/v1/storylines/import', file(name))
    const keys = async () =>
      (await call('GET', '/v1/storylines?agent=desk')).map((one: { key: string }) => one.key)
    const { page, faults } = await openPage(browser, origin)
    await enterConsole(page, origin, tenant.key, '/storylines?agent=desk')
    await page.getByRole('button', { name: 'Move up: Spanish' }).click()
    await expect.poll(keys).toEqual(['spanish_cafe', 'customer_intake'])
    const choose = async (item: string) => {
      await page.getByRole('button', { name: 'Actions: Spanish' }).click()
      await page.getByRole('menuitem', { name: item }).click()
    }
    const download = page.waitForEvent('download')
    await choose('Export')
    const exported = await (await download).path()
    await choose('Delete')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await expect.poll(keys).toEqual(['customer_intake'])
    await page.getByRole('button', { name: 'Import' }).click()
    const input = page.locator('dialog input[type=file]')
    const ofAgent = JSON.stringify({ kind: 'agent', schema_version: 1, name: 'desk' })
    const other = { name: 'desk.json', mimeType: 'application/json' }
    await input.setInputFiles({ ...other, buffer: Buffer.from(ofAgent) })
    await page.getByText('This file is not an exported storyline.').waitFor()
    const go = page.getByRole('dialog').getByRole('button', { name: 'Import' })
    await expect.poll(() => go.isDisabled()).toBe(true)
    await input.setInputFiles(exported)
    await go.click()
    await node(page, 'Placement').waitFor()
    await expect
      .poll(async () => (await keys()).sort())
      .toEqual(['customer_intake', 'spanish_cafe'])

    const graph = { nodes: [{ id: 'a', type: 'question', text: 'Hi?' }] }
    const made = { agent_name: 'desk', key: 'other', graph }
    const { id: odd } = await call('POST', '/v1/storylines', made)
    const { id: blank } = await call('POST', '/v1/storylines', { ...made, key: 'blank', graph: {} })
    await page.goto(`${origin}/console#/storylines/${odd}?panel=json`)
    await page.getByRole('button', { name: 'Begin anew' }).click()
    await node(page, 'message').waitFor()
    // What is not stored yet is stored on leaving.
    await page.goto(`${origin}/console#/storylines/${blank}`)
    await page.getByRole('button', { name: 'Add the first step' }).click()
    await node(page, 'message').waitFor()
    await expect
      .poll(async () => (await call('GET', `/v1/storylines/${odd}`)).graph.start)
      .toBe('message')
    expect(faults).toEqual([])
  })

  it('asks for the figures of those storylines that are looked at, once each', async () => {
    await seedAgent(tenant, 'crowd', {})
    for (let n = 10; n < 50; n++)
      await call('POST', '/v1/storylines', {
        agent_name: 'crowd',
        key: `tour-${n}`,
        name: `Tour ${n}`,
      })
    const { page, faults } = await openPage(browser, origin)
    const asked: string[] = []
    page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (pathname.endsWith('/funnel')) asked.push(pathname)
    })
    await enterConsole(page, origin, tenant.key, '/storylines?agent=crowd')
    const figures = (n: number) =>
      page
        .getByRole('row')
        .filter({ hasText: `Tour ${n}` })
        .locator('td.numeric')
        .first()
    await expect.poll(() => figures(10).textContent()).toBe('0')
    expect(asked.length).toBeLessThan(30)
    await figures(49).scrollIntoViewIfNeeded()
    await expect.poll(() => figures(49).textContent()).toBe('0')
    expect(asked.length).toBe(new Set(asked).size)
    expect(faults).toEqual([])
  })
})
