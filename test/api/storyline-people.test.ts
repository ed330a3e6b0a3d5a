import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { STORYLINES } from '../../src/config/limits'
import { takeReport } from '../../src/storylines/take-report'
import { type Parley, startParley } from '../support/harness'
import { expectOk, type SeededTenant, seedAgent, seedTenant, waitFor } from '../support/seed'

const ask = (slot: string, to: string, more: Record<string, unknown> = {}) => ({
  type: 'collect',
  slots: [{ slot, ask: `Your ${slot}?` }],
  exits: [{ id: 'go', to }],
  ...more,
})
const END = { type: 'end', outcome: 'done' }
const PROFILE = {
  type: 'object',
  properties: { name: { type: 'string' }, city: { type: 'string' }, size: { type: 'integer' } },
}
const graph = (nodes: Record<string, unknown>, start = 'first') => ({
  schema: 1,
  start,
  nodes: { ...nodes, end: END },
})
const FIRST = graph({ first: ask('name', 'second'), second: ask('city', 'end') })

interface Row {
  id: string
  user_id: string
  current_node_key: string
  status: string
}

describe('people on the way', () => {
  let parley: Parley
  let env: Env
  let tenant: SeededTenant
  beforeAll(async () => {
    parley = await startParley()
    env = (await parley.worker.getEnv()) as unknown as Env
    tenant = await seedTenant(parley)
  })
  afterAll(() => parley.close())

  /** A live storyline of an agent of its own, which everybody is in from the first message on. */
  async function start(name: string, first: unknown = FIRST, more: Record<string, unknown> = {}) {
    await seedAgent(tenant, name, { model: 'offline' })
    const body = {
      agent_name: name,
      key: 'tour',
      graph: first,
      profile_schema: PROFILE,
      entry: 'auto',
      enroll_trigger: 'first_contact',
      ...more,
    }
    const { json } = await expectOk(tenant.call('POST', '/v1/storylines', body))
    const at = `/v1/storylines/${json.id}`
    await expectOk(tenant.call('POST', `${at}/publish`))
    return {
      at,
      id: json.id as string,
      say: (who: string, message: string, session_id?: string) =>
        expectOk(tenant.as(who, 'POST', '/v1/chat', { message, agent: name, session_id })),
      publish: async (next: unknown, more: Record<string, unknown> = {}) => {
        await expectOk(tenant.call('PUT', at, { ...body, graph: next, ...more }))
        return (await expectOk(tenant.call('POST', `${at}/publish`))).json
      },
      migrate: (order: Record<string, unknown>, query = '') =>
        tenant.call('POST', `${at}/enrollments/migrate${query}`, order),
      /** Once so many stand at the node, as the directory has it. */
      people: (n: number, node: string): Promise<Row[]> =>
        waitFor(async () => {
          const { json: rows } = await expectOk(
            tenant.call('GET', `${at}/enrollments?node=${node}&limit=100`),
          )
          return rows.length === n ? rows : null
        }),
    }
  }

  it('are counted before they are moved, and moved to what is live', async () => {
    const tour = await start('upgraded')
    for (const who of ['ada', 'bob', 'eve']) {
      const { json } = await tour.say(who, 'Hello')
      if (who !== 'eve') await tour.say(who, 'Ann Miller', json.session_id)
    }
    const second = await tour.people(2, 'second')
    const [eve] = await tour.people(1, 'first')
    const unchanged = await expectOk(tour.migrate({ action: 'upgrade' }, '?dry_run=true'))
    expect(unchanged.json).toMatchObject({ action: 'upgrade', matched: 3, changed: 0 })
    expect(unchanged.json.skipped).toHaveLength(3)

    const next = graph({ first: ask('name', 'third'), third: ask('size', 'end') })
    const live = await tour.publish(next)
    const missing = second.map(({ id }) => ({ id, reason: 'node_missing' }))
    const dry = await expectOk(tour.migrate({ action: 'upgrade' }, '?dry_run=true'))
    expect(dry.json).toEqual({
      action: 'upgrade',
      matched: 3,
      changed: 1,
      skipped: missing.toSorted((a, b) => a.id.localeCompare(b.id)),
      revision_id: live.published_revision_id,
    })
    const order = { action: 'upgrade', to_node: 'third' }
    const { json: moved } = await expectOk(tour.migrate(order))
    expect(moved).toMatchObject({ matched: 3, changed: 3, skipped: [] })
    await tour.people(2, 'third')
    expect((await tour.people(1, 'first'))[0]?.id).toBe(eve?.id)
    const again = await expectOk(tour.migrate(order))
    expect(again.json).toMatchObject({ matched: 3, changed: 0 })

    const { json: trail } = await expectOk(
      tenant.call('GET', '/v1/tenant/audit?entity=storyline_enrollments'),
    )
    expect(trail.items.map(({ after }: { after: { changed: number } }) => after.changed)).toEqual([
      0, 3,
    ])
  })

  it('are ended where the tenant says so, and counted there', async () => {
    const tour = await start('ended')
    for (const who of ['ada', 'bob']) await tour.say(who, 'Hello')
    await tour.people(2, 'first')
    await expectOk(tour.migrate({ action: 'exit', from_node: 'first' }))
    const nodes = await waitFor(async () => {
      const { json } = await expectOk(tenant.call('GET', `${tour.at}/funnel`))
      return json.nodes.first.exited === 2 ? json.nodes : null
    })
    expect(nodes.first).toMatchObject({ entered: 2, active: 0, exits: { migrate: 2 } })
    const { json } = await expectOk(tour.migrate({ action: 'complete' }))
    expect(json).toMatchObject({ matched: 0, changed: 0, skipped: [] })
  })

  it('stand where an order put them as soon as it is answered', async () => {
    const tour = await start('at-once')
    for (const who of ['ada', 'bob']) await tour.say(who, 'Hello')
    await tour.people(2, 'first')
    const standing = async () => {
      const { json } = await expectOk(tenant.call('GET', `${tour.at}/enrollments`))
      return json.map((row: Row) => [row.current_node_key, row.status])
    }
    const move = { action: 'move', from_node: 'first', to_node: 'second' }
    const { json: moved } = await expectOk(tour.migrate(move))
    expect(await standing()).toEqual([
      ['second', 'active'],
      ['second', 'active'],
    ])
    await expectOk(tenant.call('POST', `${tour.at}/enrollments/migrate/${moved.job_id}/undo`))
    const ended = await expectOk(tour.migrate({ action: 'exit', from_node: 'first' }))
    expect(ended.json).toMatchObject({ matched: 2, changed: 2 })
    const { json: funnel } = await expectOk(tenant.call('GET', `${tour.at}/funnel`))
    expect(funnel.nodes.first).toMatchObject({ entered: 2, active: 0, exited: 2 })
  })

  it('are moved nowhere that is not there', async () => {
    const tour = await start('refused')
    const cases: [Record<string, unknown>, unknown[]][] = [
      [{ action: 'dance' }, ['body', 'action']],
      [{ action: 'upgrade', to_node: 'nowhere' }, ['body', 'to_node']],
      [{ action: 'exit', from_node: 'nowhere' }, ['body', 'from_node']],
      [{ action: 'move', to_node: 'second' }, ['body', 'from_node']],
      [{ action: 'move', from_node: 'first' }, ['body', 'to_node']],
      [{ action: 'map' }, ['body', 'nodes']],
      [{ action: 'map', nodes: { first: 'nowhere' } }, ['body', 'nodes', 'first']],
      [{ action: 'map', nodes: { nowhere: 'first' } }, ['body', 'nodes', 'nowhere']],
    ]
    for (const [order, loc] of cases) {
      const { status, json } = await tour.migrate(order)
      expect([order, status, json.detail[0].loc]).toEqual([order, 422, loc])
    }
    await expectOk(tenant.call('POST', `${tour.at}/unpublish`))
    const { status, json } = await tour.migrate({ action: 'upgrade' })
    expect([status, json.code]).toEqual([409, 'not_published'])
  })

  it('are mapped to where the live revision has their node now, and put back while they stand there', async () => {
    const tour = await start('mapped')
    const sessions = new Map<string, string>()
    for (const who of ['ada', 'bob']) {
      const { json } = await tour.say(who, 'Hello')
      sessions.set(who, json.session_id)
      await tour.say(who, 'Ann Miller', json.session_id)
    }
    const before = await tour.people(2, 'second')
    // Renamed, with the same neighbours; nobody stands where nothing is alike.
    const renamed = { first: ask('name', 'town'), town: ask('city', 'end') }
    const { published_revision_id } = await tour.publish(graph(renamed))
    const proposal = await expectOk(tenant.call('GET', `${tour.at}/enrollments/migrate/proposal`))
    expect(proposal.json).toEqual({
      revision_id: published_revision_id,
      nodes: { second: 'town' },
      proposals: [{ from: 'second', to: 'town', by: 'neighbours', people: 2 }],
    })
    const order = { action: 'map', nodes: proposal.json.nodes }
    const dry = await expectOk(tour.migrate(order, '?dry_run=true'))
    expect(dry.json).toMatchObject({ matched: 2, changed: 2, skipped: [] })
    const { json: moved } = await expectOk(tour.migrate(order))
    expect(moved).toMatchObject({ action: 'map', matched: 2, changed: 2, skipped: [] })
    await tour.people(2, 'town')

    // Bob goes on; Ada stands as the order left her.
    await tour.say('bob', 'Lisbon', sessions.get('bob'))
    const undo = () => tenant.call('POST', `${tour.at}/enrollments/migrate/${moved.job_id}/undo`)
    const { json: undone } = await expectOk(undo())
    expect(undone).toMatchObject({ action: 'undo', matched: 2, changed: 1 })
    expect(undone.skipped).toEqual([{ id: expect.any(String), reason: 'moved' }])
    const [ada] = await tour.people(1, 'second')
    expect(before.map(({ id }) => id)).toContain(ada?.id)
    const { json: nodes } = await expectOk(tenant.call('GET', `${tour.at}/funnel`))
    expect(nodes.nodes.second).toMatchObject({ entered: 2, active: 1 })
    // What she noted is still there: the next answer goes on from where she was.
    const { json: last } = await tour.say('ada', 'Porto', sessions.get('ada'))
    expect(last.storyline.status).toBe('completed')

    const again = await undo()
    expect([again.status, again.json.code]).toEqual([409, 'migration_undone'])
    const state = await expectOk(
      tenant.call('GET', `${tour.at}/enrollments/migrate/${moved.job_id}`),
    )
    expect(state.json).toMatchObject({ status: 'undone', changed: 2 })
  })

  it('stay where an order of half an hour ago put them', async () => {
    const tour = await start('late')
    await tour.say('ada', 'Hello')
    await tour.people(1, 'first')
    const { json: moved } = await expectOk(tour.migrate({ action: 'exit' }))
    await env.DB.prepare(
      'UPDATE storyline_migrations SET updated_at = updated_at - ?1 WHERE id = ?2',
    )
      .bind(30 * 60_000 + 1000, moved.job_id)
      .run()
    const path = `${tour.at}/enrollments/migrate/${moved.job_id}`
    const late = await tenant.call('POST', `${path}/undo`)
    expect([late.status, late.json.code]).toEqual([410, 'undo_expired'])
    await env.DB.prepare("UPDATE storyline_migrations SET status = 'running' WHERE id = ?1")
      .bind(moved.job_id)
      .run()
    const running = await tenant.call('POST', `${path}/undo`)
    expect([running.status, running.json.code]).toEqual([409, 'migration_running'])
  })

  /** A storyline of the same agent that only another one leads to. */
  async function follower(agent_name: string): Promise<string> {
    const body = { agent_name, key: 'after', name: 'After', profile_schema: PROFILE }
    const follows = graph({ town: ask('city', 'size'), size: ask('size', 'end') }, 'town')
    const made = { ...body, graph: follows, entry: 'closed' }
    const { json } = await expectOk(tenant.call('POST', '/v1/storylines', made))
    await expectOk(tenant.call('POST', `/v1/storylines/${json.id}/publish`))
    return json.id
  }
  const standing = (storyline: string, status: string): Promise<Row[]> =>
    waitFor(async () => {
      const { json } = await expectOk(
        tenant.call('GET', `/v1/storylines/${storyline}/enrollments?status=${status}`),
      )
      return json.length > 0 ? json : null
    })

  it('go on in the next storyline when an order completes theirs, and come back when that is undone', async () => {
    const tour = await start('chained')
    const next_storyline_id = await follower('chained')
    await tour.publish(FIRST, { on_complete: 'next', next_storyline_id })
    const { json: ada } = await tour.say('ada', 'Hello')
    const { json: bob } = await tour.say('bob', 'Hello')
    await tour.people(2, 'first')
    const complete = () => expectOk(tour.migrate({ action: 'complete' }))
    const { json: moved } = await complete()
    expect(moved).toMatchObject({ changed: 2 })
    await waitFor(async () =>
      (await standing(next_storyline_id, 'active')).length === 2 ? 1 : null,
    )
    // What the next one asks is asked with the next message.
    expect((await tour.say('ada', 'Hello again', ada.session_id)).json.reply).toBe('Your city?')
    await standing(next_storyline_id, 'active')

    const undo = `${tour.at}/enrollments/migrate/${moved.job_id}/undo`
    const { json: undone } = await expectOk(tenant.call('POST', undo))
    expect(undone).toMatchObject({ matched: 2, changed: 1 })
    expect(undone.skipped).toMatchObject([{ reason: 'moved' }])
    const [left] = await standing(next_storyline_id, 'exited')
    expect(left?.user_id).toBe((await expectOk(tenant.as('bob', 'GET', '/me'))).json.user_id)
    expect((await tour.say('bob', 'Bob Miller', bob.session_id)).json.reply).toBe('Your city?')
    const { json: last } = await tour.say('bob', 'Lisbon', bob.session_id)
    expect(last.reply).toMatch(/Your size\?$/)
    const funnel = await waitFor(async () => {
      const { json } = await expectOk(
        tenant.call('GET', `/v1/storylines/${next_storyline_id}/funnel`),
      )
      return json.nodes.size.entered === 1 ? json.nodes : null
    })
    // Ada, and Bob once he came there by himself: what was undone is not counted.
    expect(funnel.town.entered).toBe(2)
  })

  it('are moved in the background when they are many, one order at a time', async () => {
    const tour = await start('many')
    const { json: storyline } = await expectOk(tenant.call('GET', tour.at))
    const { json: me } = await expectOk(tenant.as('ada', 'GET', '/me'))
    const many = 60
    for (let n = 0; n < many; n++) {
      const at = Date.now()
      await takeReport(env.DB, {
        tenantId: tenant.id,
        id: `01890a5d-ac96-774b-bcce-${String(n).padStart(12, '0')}`,
        storylineId: tour.id,
        revisionId: storyline.published_revision_id,
        userId: me.user_id,
        spaceId: me.space_id,
        node: 'first',
        status: 'active',
        enteredNodeAt: at,
        lastTurnAt: at,
        createdAt: at,
        updatedAt: at,
        n: 1,
        counts: [],
      })
    }
    const answers = await Promise.all([1, 2].map(() => tour.migrate({ action: 'restart' })))
    const begun = answers.filter(({ status }) => status === 202)
    for (const { status, json } of answers)
      expect([status, json.code ?? 'begun']).toEqual(
        status === 202 ? [202, 'begun'] : [409, 'migration_running'],
      )
    const done = await Promise.all(
      begun.map(({ json: { job_id } }) =>
        waitFor(async () => {
          const { json } = await expectOk(
            tenant.call('GET', `${tour.at}/enrollments/migrate/${job_id}`),
          )
          return json.status === 'done' ? json : null
        }),
      ),
    )
    // The directory says that they are there; ada's object knows none of them.
    for (const one of done) {
      expect(one).toMatchObject({ action: 'restart', changed: 0 })
      expect(one.skipped).toHaveLength(one.matched)
      expect(one.skipped[0].reason).toBe('gone')
    }
    expect(done.length).toBeGreaterThan(0)
  })

  it('are put back in the background when they are many', async () => {
    const tour = await start('crowd')
    const many = 52
    const crowd = Array.from({ length: many }, (_, n) => `crowd-${n}`)
    for (let at = 0; at < many; at += 13)
      await Promise.all(crowd.slice(at, at + 13).map((who) => tour.say(who, 'Hello')))
    await tour.people(many, 'first')
    const worked = async (answer: Awaited<ReturnType<typeof tour.migrate>>, status: string) => {
      expect([answer.status, answer.text]).toEqual([202, expect.any(String)])
      return waitFor(async () => {
        const path = `${tour.at}/enrollments/migrate/${answer.json.job_id}`
        const { json } = await expectOk(tenant.call('GET', path))
        return json.status === status ? json : null
      })
    }
    const order = { action: 'move', from_node: 'first', to_node: 'second' }
    const moved = await worked(await tour.migrate(order), 'done')
    expect(moved).toMatchObject({ matched: many, changed: many, skipped: [] })
    await tour.people(many, 'second')
    const path = `${tour.at}/enrollments/migrate/${moved.job_id}`
    const undone = await worked(await tenant.call('POST', `${path}/undo`), 'done')
    expect(undone).toMatchObject({ action: 'undo', matched: many, changed: many, skipped: [] })
    await tour.people(many, 'first')
    expect((await expectOk(tenant.call('GET', path))).json.status).toBe('undone')
  }, 60_000)

  it('of an order whose job was lost are moved by the cron', async () => {
    const tour = await start('lost')
    await tour.say('ada', 'Hello')
    await tour.people(1, 'first')
    const { json: storyline } = await expectOk(tenant.call('GET', tour.at))
    const id = crypto.randomUUID()
    const wanted = {
      id,
      action: 'exit',
      revisionId: storyline.published_revision_id,
      fromNode: null,
      toNode: null,
    }
    const now = Date.now()
    await env.DB.prepare(
      `INSERT INTO storyline_migrations (id, tenant_id, storyline_id, wanted, status, at, matched, changed, slots_dropped,
         skipped, created_at, updated_at) VALUES (?1, ?2, ?3, ?4, 'running', '', 1, 0, 0, '[]', ?5, ?5)`,
    )
      .bind(id, tenant.id, tour.id, JSON.stringify(wanted), now)
      .run()
    const look = (aheadMs: number) =>
      parley.worker.scheduled({ cron: '*/5 * * * *', scheduledTime: new Date(now + aheadMs) })
    const state = async () =>
      (await expectOk(tenant.call('GET', `${tour.at}/enrollments/migrate/${id}`))).json
    await look(STORYLINES.stallMs - 1000)
    expect((await state()).status).toBe('running')
    await look(STORYLINES.stallMs + 1000)
    const done = await waitFor(async () => {
      const json = await state()
      return json.status === 'done' ? json : null
    })
    expect(done).toMatchObject({ matched: 1, changed: 1 })
  })

  it('go with the space that they were in', async () => {
    const tour = await start('left')
    await tour.say('ada', 'Hello')
    await tour.people(1, 'first')
    const { json: me } = await expectOk(tenant.as('ada', 'GET', '/me'))
    const spaces = `/v1/manage/users/${me.user_id}/spaces`
    const { json: space } = await expectOk(tenant.call('POST', spaces, { name: 'Work' }))
    const path = `/v1/manage/spaces/${space.id}`
    await expectOk(tenant.call('POST', `${path}/agents`, { name: 'left' }))
    const message = { message: 'Hello', agent: 'left' }
    await expectOk(tenant.as('ada', 'POST', '/v1/chat', message, { 'x-space-id': space.id }))
    const [late] = await tour.people(2, 'first')
    expect((await tenant.call('DELETE', path)).status).toBe(204)
    const [home] = await tour.people(1, 'first')
    expect(home?.id).not.toBe(late?.id)
    const { json } = await expectOk(tour.migrate({ action: 'exit' }))
    expect(json).toMatchObject({ matched: 1, changed: 1 })
  })

  it('go with their storyline: nothing of it stays with anybody', async () => {
    const tour = await start('deleted')
    await tour.say('ada', 'Hello')
    await tour.people(1, 'first')
    const { json: me } = await expectOk(tenant.as('ada', 'GET', '/me'))
    const name = `${tenant.id}/${me.user_id}/${me.space_id}`
    const object = env.USER_SPACE.get(env.USER_SPACE.idFromName(name))
    const held = async () => (await object.work('space', 'countRows', [])) as Record<string, number>
    const before = (await held()).enrollments ?? 0
    expect(before).toBeGreaterThan(0)
    expect((await tenant.call('DELETE', tour.at)).status).toBe(204)
    await waitFor(async () => ((await held()).enrollments === before - 1 ? true : null))
    const left = await waitFor(async () => {
      const row = await env.DB.prepare(
        `SELECT (SELECT count(*) FROM storyline_enrollments WHERE storyline_id = ?1)
           + (SELECT count(*) FROM storyline_counts WHERE storyline_id = ?1)
           + (SELECT count(*) FROM storyline_revisions WHERE storyline_id = ?1) AS n`,
      )
        .bind(tour.id)
        .first<{ n: number }>()
      return row?.n === 0 ? 'nothing' : null
    })
    expect(left).toBe('nothing')
  })
})
