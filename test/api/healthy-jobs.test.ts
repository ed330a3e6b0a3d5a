import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Route } from '../../src/http/route'
import {
  ADMIN_TOKEN,
  type Answer,
  changeVars,
  type Parley,
  vectorsBeside,
} from '../support/harness'
import { rawSend } from '../support/raw-send'
import { bodyOf, exampleOf, keyOf, pathOf, ROUTES } from '../support/route-contract'
import { expectOk, seedAgent, seedBase, seedTenant, waitFor } from '../support/seed'
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver'
import { parley, withModel } from '../support/with-model'
import { startWorld, type WorldServer } from '../support/world-server'

/** Every kind of job that there is, as the consumer knows them. */
const KINDS = [...readFileSync('src/jobs/consume.ts', 'utf8').matchAll(/case '([\w.-]+)':/g)].map(
  ([, kind = '']) => kind,
)
/** Only where there is a trained embedder, and a vector index. */
const EMBEDDED = ['title.index', 'document.embed']
const NIGHTLY = '17 3 * * *'
const CRONS = ['*/5 * * * *', NIGHTLY]

interface LogLine {
  level: string
  component: string
  event: string
  type?: string
}

const linesOf = ({ server }: Parley): LogLine[] =>
  server
    .getLogs()
    .flatMap(({ message }) => (message.startsWith('{"level"') ? [JSON.parse(message)] : []))
const kindsDone = (parley: Parley) =>
  new Set(linesOf(parley).flatMap(({ event, type }) => (event === 'job_done' ? [type] : [])))
/** What went wrong, of jobs, duties, alarms and requests alike. */
const failures = (parley: Parley) =>
  linesOf(parley).filter(({ level, event }) => level === 'error' || event === 'job_given_up')

/** Resolves once jobs of all these kinds were done and no job was for two seconds. */
async function untilDone(parley: Parley, kinds: readonly string[]): Promise<void> {
  const count = () => linesOf(parley).filter(({ event }) => event === 'job_done').length
  let before = -1
  let quietSince = Date.now()
  await waitFor(async () => {
    const now = count()
    if (now !== before) quietSince = Date.now()
    before = now
    const done = kindsDone(parley)
    return kinds.every((kind) => done.has(kind)) && Date.now() - quietSince > 2000 ? true : null
  }).catch(() => null)
  expect(kinds.filter((kind) => !kindsDone(parley).has(kind))).toEqual([])
}

/** A healthy system does all its background work at the first try. */
describe('background jobs', { timeout: 240_000 }, () => {
  let server: WorldServer
  let receiver: WebhookReceiver

  beforeAll(async () => {
    receiver = await startWebhookReceiver()
    server = await startWorld({ LIMITS_REMINDER_LEAD_S: '0' }, [receiver.pair])
  })
  afterAll(async () => {
    await server.close()
    await receiver.close()
  })

  function headersFor({ layer }: Route): Record<string, string> {
    const { key } = server.world.own.tenant
    if (layer === 'operator') return { 'x-admin-token': ADMIN_TOKEN }
    if (layer === 'public') return {}
    return layer === 'tenant' ? { 'x-api-key': key } : { 'x-api-key': key, 'x-end-user': 'ada' }
  }
  async function call(route: Route): Promise<Answer> {
    const filled = await exampleOf(route).fill(server.world, server.world.own.ada)
    return rawSend(server.parley.url, route.method, pathOf(route.path, filled), {
      headers: headersFor(route),
      untilFirst: exampleOf(route).endless === true,
      ...bodyOf(filled),
    })
  }

  /** What starts the jobs that no single call of a route does. */
  async function followUp(): Promise<void> {
    const { own, foreign, telegram, db } = server.world
    const as = (method: string, path: string, body?: unknown) =>
      expectOk(own.tenant.as('eve', method, path, body))
    const said = await as('POST', '/v1/chat', {
      message: 'When are refunds paid?',
      agent: own.agent,
    })
    const { session_id, message_id } = said.json
    await as('POST', `/v1/messages/${message_id}/feedback`, { value: 'down' })
    const messages = (await as('GET', `/me/sessions/${session_id}/messages`)).json
    const mine = messages.find(({ role }: { role: string }) => role === 'user').id
    const edited = { content: 'When are refunds paid? I live in Lisbon.' }
    await as('PATCH', `/me/sessions/${session_id}/messages/${mine}`, edited)
    await as('POST', '/me/reminders', { text: 'Call Ada', due_at: 'PT1S' })

    const bot = telegram.addBot()
    await expectOk(own.tenant.call('PUT', '/v1/tenant/channels/telegram', { token: bot.token }))
    const { code } = (await as('POST', `/me/chatapp/bind-code?agent=${own.agent}`)).json
    await telegram.say(bot, 4711, { text: `/start ${code}` })
    await telegram.say(bot, 4711, { text: 'When are refunds paid?' })

    const config = { url: `${server.world.page}/mcp` }
    const tools = { name: 'tools', transport: 'streamable_http', enabled: true, config }
    await expectOk(foreign.tenant.call('POST', '/v1/mcp-servers', tools))
    await expectOk(foreign.tenant.call('PUT', '/v1/tenant/privacy', { privacy_mode: true }))
    const name = { name: `${foreign.agent}-renamed` }
    await expectOk(foreign.tenant.call('PATCH', `/v1/agents/${foreign.agent}`, name))
    await expectOk(
      own.tenant.call('PATCH', `/v1/knowledge-bases/${own.base}`, { refresh: 'daily' }),
    )
    // Two small texts of one upload are read together.
    const pair = new FormData()
    for (const name of ['first.md', 'second.md']) pair.append('file', new File([`# ${name}`], name))
    await expectOk(
      own.tenant.call('POST', `/v1/knowledge-bases/${own.base}/documents/upload`, pair),
    )
    await db.prepare('UPDATE documents SET fetched_at = 1 WHERE fetched_at > 1').run()
    // A visitor of long ago, who said nothing.
    const body = { tenant_id: own.tenant.id }
    const { json: silent } = await expectOk(server.parley.call('POST', '/auth/anonymous', { body }))
    await db
      .prepare('UPDATE users SET created_at = 1, last_active_at = 1 WHERE id = ?')
      .bind(silent.user_id)
      .run()
    // As when the process dies between the write and telling the objects: the cron finds it.
    const untold = 'UPDATE users SET token_version = token_version + 1 WHERE id = ?'
    await db
      .prepare(untold)
      .bind((await as('GET', '/me')).json.user_id)
      .run()
  }

  /** One person comes into a storyline, and so many more stand there that moving them takes a job. */
  async function leadPeople(): Promise<void> {
    const { own, db } = server.world
    const node = { type: 'collect', slots: [{ slot: 'name' }], exits: [{ id: 'go', to: 'bye' }] }
    const { json } = await expectOk(
      own.tenant.call('POST', '/v1/storylines', {
        agent_name: own.agent,
        key: 'welcome',
        graph: {
          schema: 1,
          start: 'ask',
          nodes: { ask: node, bye: { type: 'end', outcome: 'done' } },
        },
        profile_schema: { type: 'object', properties: { name: { type: 'string' } } },
        entry: 'auto',
        enroll_trigger: 'first_contact',
      }),
    )
    const at = `/v1/storylines/${json.id}`
    await expectOk(own.tenant.call('POST', `${at}/publish`))
    await expectOk(own.tenant.as('zoe', 'POST', '/v1/chat', { message: 'Hello', agent: own.agent }))
    await waitFor(async () => {
      const { json: people } = await own.tenant.call('GET', `${at}/enrollments`)
      return people.length === 1 ? true : null
    })
    await db
      .prepare(
        `INSERT INTO storyline_enrollments (id, tenant_id, storyline_id, revision_id, user_id, space_id, node_key, status,
           reports, entered_node_at, last_turn_at, created_at, updated_at)
         WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 60)
         SELECT id || '-' || n, tenant_id, storyline_id, revision_id, user_id, space_id, node_key, status, reports,
           entered_node_at, last_turn_at, created_at, updated_at
         FROM storyline_enrollments, numbers WHERE storyline_id = ?`,
      )
      .bind(json.id)
      .run()
    await expectOk(own.tenant.call('POST', `${at}/unpublish`))
    await expectOk(own.tenant.call('POST', `${at}/publish`))
    const moved = await own.tenant.call('POST', `${at}/enrollments/migrate`, { action: 'restart' })
    expect(moved.status).toBe(202)
  }

  it('of every kind succeed at the first try while every route is used', async () => {
    const { parley, world } = server
    const hook = { url: receiver.url('/hook'), events: ['turn.completed', 'review.created'] }
    await expectOk(world.own.tenant.call('POST', '/v1/tenant/webhooks', hook))
    const refused: string[] = []
    for (const route of ROUTES) {
      const { status, text } = await call(route)
      if (status >= 400 && !exampleOf(route).unmet)
        refused.push(`${keyOf(route)} ${status} ${text}`)
    }
    expect(refused).toEqual([])
    await followUp()
    await leadPeople()
    for (const cron of CRONS) {
      // MCP servers are asked again when a day has passed.
      const scheduledTime = new Date(Date.now() + (cron === NIGHTLY ? 24 * 3_600_000 : 0))
      await parley.worker.scheduled({ cron, scheduledTime })
    }
    await untilDone(
      parley,
      KINDS.filter((kind) => !EMBEDDED.includes(kind)),
    )
    expect(failures(parley)).toEqual([])
    expect(KINDS.length).toBeGreaterThan(20)
  })
})

describe('background jobs with trained models', { timeout: 120_000 }, () => {
  withModel({ OPENAI_API_KEY: 'sk-test', EMBEDDING_MODEL: 'test-embedder' }, vectorsBeside(64))

  it('succeed at the first try', async () => {
    const tenant = await seedTenant(parley)
    await seedBase(tenant, 'guide', { Refunds: 'Refunds take five working days.' })
    await seedAgent(tenant, 'desk', { knowledge_bases: ['guide'] })
    const said = await expectOk(
      tenant.as('ada', 'POST', '/v1/chat', { message: 'When are refunds paid?', agent: 'desk' }),
    )
    await expectOk(
      tenant.as('ada', 'PATCH', `/me/sessions/${said.json.session_id}`, { title: 'Refunds' }),
    )
    await untilDone(parley, ['document.ingest', 'turn.after', 'title.index'])
    await changeVars(parley, { EMBEDDING_MODEL: 'another-embedder' })
    // The pause that an embedding under way is given has passed.
    const scheduledTime = new Date(Date.now() + 11 * 60_000)
    for (const cron of CRONS) await parley.worker.scheduled({ cron, scheduledTime })
    await untilDone(parley, EMBEDDED)
    expect(failures(parley)).toEqual([])
  })
})
