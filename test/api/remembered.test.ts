import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Parley } from '../support/harness'
import { countJobs } from '../support/jobs-done'
import { type Killable, startKillable } from '../support/killable'
import { expectOk, type SeededTenant, seedAgent, seedTenant, waitFor } from '../support/seed'

describe('what is remembered without a model', () => {
  let server: Killable
  let tenant: SeededTenant
  beforeAll(async () => {
    server = await startKillable()
    tenant = await seedTenant(server.parley as Parley)
    await seedAgent(tenant, 'desk')
    await seedAgent(tenant, 'second')
  }, 90_000)
  afterAll(() => server.dispose())

  const say = async (user: string, message: string, agent = 'desk') =>
    (await expectOk(tenant.as(user, 'POST', '/v1/chat', { message, agent }))).json
  const remembered = async (user: string) =>
    (await expectOk(tenant.as(user, 'GET', '/me/remembered'))).json
  const until = (user: string, points: string[]) =>
    waitFor(async () => {
      const found = (await remembered(user)).flatMap((view: { points: string[] }) => view.points)
      return JSON.stringify(found.sort()) === JSON.stringify([...points].sort()) ? found : null
    })

  it.each([
    ['en', 'My name is Ada.', 'I live in Lima.'],
    ['es', 'Me llamo Lucía.', 'Vivo en Sevilla.'],
    ['fr', 'Je m’appelle Chloé.', 'J’habite à Lyon.'],
    ['ru', 'Меня зовут Анна.', 'Я живу в Казани.'],
    ['zh', '我叫李明。', '我住在上海。'],
    ['zh-TW', '我叫王小明。', '我對花生過敏。'],
    ['ar', 'اسمي ليلى.', 'أعيش في القاهرة.'],
  ])('learns by rules in %s', async (lang, first, second) => {
    await say(`user-${lang}`, `${first} ${second}`)
    await until(`user-${lang}`, [first, second])
    const [view] = await remembered(`user-${lang}`)
    expect(view).toMatchObject({ agent_name: 'desk', from_anonymous: false })
    expect(view.content).toContain(first)
    expect(view.updated_at).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/)
  })

  it('lets the newer win, and does not keep twice what is said twice', async () => {
    await say('nora', 'I live in Lima. I like tea.')
    await until('nora', ['I live in Lima.', 'I like tea.'])
    await say('nora', 'I moved to Quito! I like TEA')
    await until('nora', ['I moved to Quito!', 'I like tea.'])
    await say('nora', 'I do not like tea.')
    await until('nora', ['I moved to Quito!', 'I do not like tea.'])
  })

  it('forgets one agent’s profile and keeps sessions and the other agent’s', async () => {
    const { session_id } = await say('omar', 'My name is Omar.')
    await say('omar', 'I live in Cairo.', 'second')
    await until('omar', ['My name is Omar.', 'I live in Cairo.'])
    expect((await tenant.as('omar', 'DELETE', '/me/remembered/desk')).status).toBe(204)
    await until('omar', ['I live in Cairo.'])
    expect(
      (await tenant.as('omar', 'GET', `/me/sessions/${session_id}/messages`)).json,
    ).toHaveLength(2)
    // Nothing is stored: done already, for any agent that there is.
    expect((await tenant.as('omar', 'DELETE', '/v1/me/remembered/desk')).status).toBe(204)
    expect((await tenant.as('paul', 'DELETE', '/me/remembered/second')).status).toBe(204)
    expect((await tenant.as('paul', 'DELETE', '/me/remembered/nobody')).json).toEqual({
      detail: 'Agent not found',
    })
    expect((await remembered('omar'))[0].agent_name).toBe('second')
    expect((await tenant.as('omar', 'DELETE', `/me/remembered/${'x'.repeat(65)}`)).status).toBe(422)
  })

  it('carries over what was remembered of a visitor to the account that the visitor makes', async () => {
    const visitor = (
      await server.parley.call('POST', '/auth/anonymous', { body: { tenant_id: tenant.id } })
    ).json
    const asVisitor = { authorization: `Bearer ${visitor.access_token}` }
    const chat = (message: string, headers: Record<string, string>) =>
      expectOk(server.parley.call('POST', '/chat', { body: { message, agent: 'desk' }, headers }))
    const pointsOf = async (headers: Record<string, string>) =>
      (await expectOk(server.parley.call('GET', '/me/remembered', { headers }))).json
    await chat('My name is Rosa. I live in Lima.', asVisitor)
    await waitFor(async () => ((await pointsOf(asVisitor))[0]?.points.length === 2 ? true : null))
    const account = await server.parley.call('POST', '/auth/register', {
      body: {
        tenant_id: tenant.id,
        email: 'rosa@example.com',
        password: 'correct horse battery',
        anonymous_token: visitor.access_token,
      },
    })
    expect(account.status).toBe(200)
    const asUser = { authorization: `Bearer ${account.json.access_token}` }
    const views = await waitFor(async () => {
      const found = await pointsOf(asUser)
      return found[0]?.points.length === 2 ? found : null
    })
    expect(views[0]).toMatchObject({ agent_name: 'desk', from_anonymous: true })
    expect(views[0].points.sort()).toEqual(['I live in Lima.', 'My name is Rosa.'])
    await waitFor(async () => ((await pointsOf(asVisitor)).length === 0 ? true : null))
    await chat('I moved to Quito.', asUser)
    await waitFor(async () => {
      const { points } = (await pointsOf(asUser))[0]
      return points.includes('I moved to Quito.') && !points.includes('I live in Lima.')
        ? true
        : null
    })
  })

  it('needs a user', async () => {
    expect((await tenant.call('GET', '/me/remembered')).status).toBe(401)
    expect((await server.parley.call('GET', '/me/remembered')).status).toBe(401)
  })

  it('has no word of it on disk, never a secret, and reads it again after a kill', async () => {
    const followed = countJobs(server, 'turn.after')
    await say('quin', 'My name is Quinoline Zephyrhills. I like gooseberry marmalade.')
    await say('quin', 'I live in Vladivostok. My password is xylophone-quagmire.')
    const points = [
      'My name is Quinoline Zephyrhills.',
      'I like gooseberry marmalade.',
      'I live in Vladivostok.',
    ]
    await until('quin', points)
    await followed(2)
    await server.kill()
    const stored = server.stored()
    expect(stored.length).toBeGreaterThan(10_000)
    expect(stored.includes('turn')).toBe(true)
    for (const word of ['Zephyrhills', 'gooseberry', 'marmalade', 'Vladivostok', 'quagmire'])
      expect(stored.includes(word)).toBe(false)
    await server.start()
    await until('quin', points)
    expect(JSON.stringify(await remembered('quin'))).not.toContain('quagmire')
  }, 60_000)
})
