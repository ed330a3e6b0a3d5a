import { drizzle } from 'drizzle-orm/d1'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { REVIEWS } from '../../src/config/limits'
import { forgetReviewsOf } from '../../src/reviews/forget-user'
import { type Parley, sharedParley } from '../support/harness'
import { countJobs } from '../support/jobs-done'
import {
  expectOk,
  type SeededTenant,
  seedAgent,
  seedBase,
  seedTenant,
  waitFor,
} from '../support/seed'
import { model, parley, withModel } from '../support/with-model'

const GUIDE = {
  Refunds: 'Refunds are paid within five working days to the card that was charged.',
  Kettle:
    'The kettle of the Aurora series boils one litre in three minutes. Its warranty covers the heating plate for four years.',
}
const REPEATS = ['en', 'zh', 'es', 'ru', 'ar'] as const
const ASKED: Record<(typeof REPEATS)[number], [string, string]> = {
  en: ['Do you lend umbrellas to visitors?', 'hello, do you lend a umbrella to visitors please'],
  zh: ['怎么更改送货地址？', '请问如何更改送货地址'],
  es: ['¿Prestan paraguas a los visitantes?', 'hola, prestan paraguas a visitantes por favor'],
  ru: ['Как отменить подписку?', 'подскажите, как можно отменить подписку'],
  ar: ['كيف يمكنني إلغاء الاشتراك؟', 'كيف الغاء الاشتراك'],
}

const pendingOf = async (tenant: SeededTenant) =>
  (await expectOk(tenant.call('GET', '/v1/manage/reviews?status=pending'))).json
const say = async (tenant: SeededTenant, user: string, message: string, agent = 'desk') =>
  (await expectOk(tenant.as(user, 'POST', '/v1/chat', { message, agent }))).json
const auditOf = async (tenant: SeededTenant, id: string) =>
  (await expectOk(tenant.call('GET', '/v1/tenant/audit?entity=review'))).json.items.filter(
    (entry: { entity_id: string }) => entry.entity_id === id,
  )

describe('reviews without a language model', () => {
  let parley: Parley
  let tenant: SeededTenant
  let db: D1Database

  beforeAll(async () => {
    parley = await sharedParley()
    db = (await parley.worker.getEnv()).DB as D1Database
    tenant = await seedTenant(parley)
    await seedBase(tenant, 'guide', GUIDE)
    await seedAgent(tenant, 'desk', { knowledge_bases: ['guide'], grounding_required: true })
  })
  afterAll(() => parley.close())

  const reviewOf = (wanted: string) =>
    waitFor(async () => {
      const found = (await pendingOf(tenant)).find(
        (review: { question: string }) => review.question === wanted,
      )
      return found ?? null
    })

  it('closes the loop: a question without an answer becomes a review, is approved, and is answered with its source', async () => {
    const question = 'Which countries can the Aurora series be shipped to?'
    const before = await say(tenant, 'ada', question)
    expect(before.finish_reason).toBe('no_match')

    const review = await reviewOf(question)
    expect(review).toMatchObject({
      answer: before.reply,
      reasons: ['no_match'],
      unsourced: [],
      agent_name: 'desk',
      kb_name: 'guide',
      status: 'pending',
      count: 1,
      verified: null,
      document_id: null,
    })
    const drafted = await expectOk(
      tenant.call('POST', `/v1/manage/reviews/${review.id}/draft?lang=en`),
    )
    expect(drafted.json).toEqual({ text: null, reason: 'no_evidence', sources: [] })

    const approved = await expectOk(
      tenant.call('POST', `/v1/manage/reviews/${review.id}/approve`, {
        kb_name: 'guide',
        text: 'The Aurora series can be shipped to Norway, Sweden and Iceland.',
      }),
    )
    expect(approved.json).toMatchObject({ status: 'approved', verified: true, kb_name: 'guide' })
    const after = await say(tenant, 'bob', question)
    expect(after.finish_reason).toBe('stop')
    expect(after.reply).toContain('Norway')
    expect(after.sources[0]).toMatchObject({
      document_id: approved.json.document_id,
      title: question,
    })

    const document = await expectOk(
      tenant.call('GET', `/v1/knowledge-bases/guide/documents/${approved.json.document_id}`),
    )
    expect(document.json).toMatchObject({ status: 'ready', path: `reviews/${review.id}.md` })
    expect(await auditOf(tenant, review.id)).toMatchObject([
      { action: 'approve', after: { status: 'approved', kb_name: 'guide' } },
    ])
    expect(JSON.stringify(await auditOf(tenant, review.id))).not.toContain('Aurora')
    const again = await tenant.call('POST', `/v1/manage/reviews/${review.id}/approve`, {
      kb_name: 'guide',
      text: 'Something else.',
    })
    expect([again.status, again.json]).toEqual([
      409,
      { detail: 'Review already decided', code: 'review_decided' },
    ])
    expect((await tenant.call('POST', `/v1/manage/reviews/${review.id}/reject`)).status).toBe(409)
    expect((await tenant.call('POST', `/v1/manage/reviews/${review.id}/draft`)).status).toBe(409)
  })

  it('keeps as many as the cap says: those asked least and longest ago go', async () => {
    const full = await seedTenant(parley)
    await seedBase(full, 'guide', GUIDE)
    await seedAgent(full, 'desk', { knowledge_bases: ['guide'], grounding_required: true })
    await db
      .prepare(
        `WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ?2)
         INSERT INTO reviews (id, tenant_id, agent_id, agent_name, reasons, count, first_message_id, last_message_id, created_at, last_seen_at)
         SELECT ?1 || ':' || n, ?1, 'a', 'desk', '["no_match"]', CASE n WHEN 7 THEN 1 ELSE 2 END, 'm' || n, 'm' || n, n, n FROM n`,
      )
      .bind(full.id, REVIEWS.pending)
      .run()
    await say(full, 'ada', 'Which countries can the Aurora series be shipped to?')
    const left = () =>
      db
        .prepare('SELECT id FROM reviews WHERE tenant_id = ? ORDER BY count, seq LIMIT 1')
        .bind(full.id)
        .first<{ id: string }>()
    // The new one was asked once too, but later.
    await waitFor(async () => ((await left())?.id === `${full.id}:7` ? null : true))
    const count = 'SELECT count(*) AS n FROM reviews WHERE tenant_id = ?'
    expect(await db.prepare(count).bind(full.id).first('n')).toBe(REVIEWS.pending)
  })

  it('has nothing to draft once the bases have come to answer', async () => {
    const question = 'Which colours does the Vesta lamp come in?'
    expect((await say(tenant, 'ada', question)).finish_reason).toBe('no_match')
    const review = await reviewOf(question)
    const { json } = await expectOk(tenant.call('POST', `/v1/manage/reviews/${review.id}/draft`))
    expect(json).toEqual({ text: null, reason: 'no_evidence', sources: [] })
    await expectOk(
      tenant.call('POST', '/v1/knowledge-bases/guide/documents/text', {
        title: 'Lamp',
        text: 'The Vesta lamp comes in the colours red and green.',
      }),
    )
    const covered = await waitFor(async () => {
      const answer = await expectOk(tenant.call('POST', `/v1/manage/reviews/${review.id}/draft`))
      return answer.json.reason === 'already_covered' ? answer.json : null
    })
    expect(covered).toEqual({ text: null, reason: 'already_covered', sources: [] })
  })

  it('merges near-duplicates in every language, of any number of users, and counts them', async () => {
    for (const lang of REPEATS) {
      const [first, second] = ASKED[lang]
      await say(tenant, 'ada', first)
      await reviewOf(first)
      await say(tenant, 'bob', second)
      const merged = await waitFor(async () => {
        const review = await reviewOf(first)
        return review.count === 2 ? review : null
      })
      expect(merged.question).toBe(first)
      expect(Date.parse(merged.last_seen_at)).toBeGreaterThanOrEqual(Date.parse(merged.created_at))
    }
    const questions = (await pendingOf(tenant)).map((one: { question: string }) => one.question)
    for (const lang of REPEATS) expect(questions).not.toContain(ASKED[lang][1])
  })

  it('takes a thumb down with its comment, once per message', async () => {
    const turn = await say(tenant, 'ada', 'When are refunds paid?')
    expect(turn.finish_reason).toBe('stop')
    const path = `/v1/messages/${turn.message_id}/feedback`
    const rate = { value: 'down', comment: 'I pay by invoice, not by card.' }
    await expectOk(tenant.as('ada', 'POST', path, rate))
    const review = await reviewOf('When are refunds paid?')
    expect(review).toMatchObject({
      reasons: ['feedback'],
      comment: rate.comment,
      source_title: 'Refunds',
      count: 1,
    })
    expect(review.source_text).toContain('five working days')
    await expectOk(tenant.as('ada', 'POST', path, { ...rate, comment: 'Changed my mind.' }))
    const changed = await waitFor(async () => {
      const now = await reviewOf('When are refunds paid?')
      return now.comment === 'Changed my mind.' ? now : null
    })
    expect(changed.count).toBe(1)

    const { json } = await expectOk(tenant.call('POST', `/v1/manage/reviews/${review.id}/draft`))
    expect(json).toMatchObject({ text: GUIDE.Refunds, reason: null })
    expect(json.sources).toMatchObject([{ title: 'Refunds', quote: GUIDE.Refunds }])
    await expectOk(tenant.call('POST', `/v1/manage/reviews/${review.id}/reject`))
    expect(await auditOf(tenant, review.id)).toMatchObject([{ action: 'reject' }])
    const looked = countJobs(parley, 'message.review')
    await expectOk(tenant.as('ada', 'POST', path, rate))
    await looked()
    const all = (await expectOk(tenant.call('GET', '/v1/manage/reviews?q=refunds paid'))).json
    expect(all.map((one: { status: string }) => one.status)).toEqual(['rejected'])
  })

  it('filters by status, agent, base and text, newest first', async () => {
    await seedAgent(tenant, 'second', { knowledge_bases: [], grounding_required: true })
    await say(tenant, 'ada', 'Is there a museum of lamps?', 'second')
    const review = await reviewOf('Is there a museum of lamps?')
    const list = async (query: string) =>
      (await expectOk(tenant.call('GET', `/v1/manage/reviews?${query}`))).json.map(
        (one: { id: string }) => one.id,
      )
    expect((await list('limit=1'))[0]).toBe(review.id)
    expect(await list('agent=second')).toEqual([review.id])
    expect(await list('agent=desk')).not.toContain(review.id)
    expect(await list('kb=guide')).not.toContain(review.id)
    expect(await list('q=MUSEUM of')).toEqual([review.id])
    expect(await list('q=no such words')).toEqual([])
    expect(await list('status=rejected&agent=second')).toEqual([])
    expect((await tenant.call('GET', '/v1/manage/reviews?limit=201')).status).toBe(422)
    expect((await tenant.call('GET', '/v1/manage/reviews?status=open')).status).toBe(422)
    expect(
      (await tenant.call('POST', `/v1/manage/reviews/${review.id}/draft?lang=not a tag`)).status,
    ).toBe(422)
  })

  it('leads from page to page by the Link header, with and without a search', async () => {
    for (const query of ['status=pending&q=', 'status=pending&q=o']) {
      const whole = await expectOk(tenant.call('GET', `/v1/manage/reviews?${query}&limit=200`))
      expect(whole.headers.get('link')).toBeNull()
      expect(whole.json.length).toBeGreaterThan(2)
      const seen: string[] = []
      let next: string | undefined = `/v1/manage/reviews?${query}&limit=2`
      while (next !== undefined) {
        const page = await expectOk(tenant.call('GET', next))
        seen.push(...page.json.map((one: { id: string }) => one.id))
        next = /^<(.+)>; rel="next"$/.exec(page.headers.get('link') ?? '')?.[1]
      }
      expect(seen).toEqual(whole.json.map((one: { id: string }) => one.id))
    }
    const first = await expectOk(tenant.call('GET', '/v1/manage/reviews?limit=1'))
    const cursor = /cursor=([^&>]+)/.exec(first.headers.get('link') ?? '')?.[1]
    for (const query of ['cursor=x', `status=pending&cursor=${cursor}`]) {
      const refused = await tenant.call('GET', `/v1/manage/reviews?${query}`)
      expect([refused.status, refused.json.detail[0].loc]).toEqual([422, ['query', 'cursor']])
    }
  })

  it('asks for a text where nothing was drafted, and for a base that is the tenant’s', async () => {
    const question = 'Who painted the ceiling of the lobby?'
    await say(tenant, 'ada', question)
    const review = await reviewOf(question)
    const approve = (body: object) =>
      tenant.call('POST', `/v1/manage/reviews/${review.id}/approve`, body)
    const bare = await approve({ kb_name: 'guide' })
    expect([bare.status, bare.json.detail[0].loc]).toEqual([422, ['body', 'text']])
    const elsewhere = await approve({ kb_name: 'no-such-base', text: 'Nobody.' })
    expect([elsewhere.status, elsewhere.json]).toEqual([
      404,
      { detail: 'Knowledge base not found' },
    ])
    const other = await seedTenant(parley)
    expect((await other.call('POST', `/v1/manage/reviews/${review.id}/reject`)).status).toBe(404)
    expect((await other.call('GET', '/v1/manage/reviews')).json).toEqual([])
  })

  it('says so when the approved text is not what the agent finds', async () => {
    await expectOk(tenant.call('POST', '/v1/knowledge-bases', { name: 'apart' }))
    const review = await reviewOf('Who painted the ceiling of the lobby?')
    const { json } = await expectOk(
      tenant.call('POST', `/v1/manage/reviews/${review.id}/approve`, {
        kb_name: 'apart',
        title: 'The lobby',
        text: 'The ceiling of the lobby was painted by Ines Duarte.',
      }),
    )
    expect(json).toMatchObject({ status: 'approved', verified: false, kb_name: 'apart' })
  })

  it('keeps no word in the clear, and nothing of a secret', async () => {
    await say(tenant, 'ada', 'My password is hunter2-Zebra, what about dragons?')
    await say(tenant, 'ada', 'Where do unicorns graze in summertime?')
    await reviewOf('Where do unicorns graze in summertime?')
    const { results } = await db
      .prepare(
        'SELECT * FROM reviews r JOIN review_origins o ON o.review_id = r.id WHERE r.tenant_id = ?',
      )
      .bind(tenant.id)
      .all()
    expect(results.length).toBeGreaterThan(0)
    expect(JSON.stringify(results)).not.toMatch(/unicorn|lobby|hunter2|送货|подписк/)
    expect(
      (await pendingOf(tenant)).map((one: { question: string }) => one.question),
    ).not.toContain('My password is hunter2-Zebra, what about dragons?')
  })

  it('forgets a user’s words: what others asked too stays in theirs', async () => {
    const [alone, shared, also] = [
      'Which opera has the longest overture?',
      'Where can I park a zeppelin overnight?',
      'hello, where can I park zeppelins overnight please',
    ]
    await say(tenant, 'leaver', alone)
    await say(tenant, 'leaver', shared)
    await reviewOf(shared)
    await say(tenant, 'stayer', also)
    const before = await waitFor(async () => {
      const review = await reviewOf(shared)
      return review.count === 2 ? review : null
    })
    const user = await db
      .prepare("SELECT id FROM users WHERE tenant_id = ? AND external_id = 'leaver'")
      .bind(tenant.id)
      .first<{ id: string }>()
    for (const statement of forgetReviewsOf(drizzle(db), tenant.id, user?.id ?? '')) {
      const { sql, params } = statement.toSQL()
      await db
        .prepare(sql)
        .bind(...params)
        .run()
    }
    const left = await pendingOf(tenant)
    expect(left.find((one: { question: string }) => one.question === alone)).toBeUndefined()
    expect(left.find((one: { id: string }) => one.id === before.id).question).toBe(also)
  })

  it('mines nothing in privacy mode and shows nothing of what was mined before', async () => {
    const quiet = await seedTenant(parley)
    await seedAgent(quiet, 'desk', { grounding_required: true })
    await say(quiet, 'ada', 'Where do unicorns graze?')
    await waitFor(async () => ((await pendingOf(quiet)).length === 1 ? true : null))
    await expectOk(quiet.call('PUT', '/v1/tenant/privacy', { privacy_mode: true }))
    const followed = countJobs(parley, 'turn.after')
    await say(quiet, 'ada', 'Where do dragons sleep at night?')
    await followed()
    const refused = await quiet.call('GET', '/v1/manage/reviews')
    expect([refused.status, refused.json]).toEqual([
      403,
      { detail: 'Privacy mode: reviews cannot be read', code: 'privacy_mode' },
    ])
    const { results } = await db
      .prepare('SELECT id FROM reviews WHERE tenant_id = ?')
      .bind(quiet.id)
      .all()
    expect(results.length).toBe(1)
  })
})

describe('reviews with a language model', () => {
  let tenant: SeededTenant

  withModel({ OPENAI_API_KEY: 'sk-test', EMBEDDING_MODEL: 'test-embedder' })
  beforeAll(async () => {
    tenant = await seedTenant(parley)
    await seedBase(tenant, 'guide', GUIDE)
    await seedAgent(tenant, 'desk', { knowledge_bases: ['guide'], grounding_required: true })
  })

  it('mines sentences without a source, drafts only what the sources say, books it as draft', async () => {
    const lie = 'Gift cards are always refunded in cash at any airport.'
    const truth =
      'Refunds are paid within five working days [1|Refunds are paid within five working days].'
    model.script = () => ({ text: `${truth} ${lie}` })
    const turn = await say(tenant, 'ada', 'When are refunds paid to the card?')
    expect(turn.reply).not.toContain('airport')
    const review = await waitFor(async () => (await pendingOf(tenant))[0] ?? null)
    expect(review).toMatchObject({
      reasons: ['unsourced'],
      unsourced: [lie],
      source_title: 'Refunds',
      question: 'When are refunds paid to the card?',
    })

    model.calls.length = 0
    model.script = () => ({
      text: `Los reembolsos se pagan en cinco días laborables [1|paid within five working days]. ${lie}`,
    })
    const { json } = await expectOk(
      tenant.call('POST', `/v1/manage/reviews/${review.id}/draft?lang=es`),
    )
    expect(json).toMatchObject({
      text: 'Los reembolsos se pagan en cinco días laborables.',
      reason: null,
      sources: [{ title: 'Refunds' }],
    })
    const prompts = model.calls.map(({ messages }) => JSON.stringify(messages))
    const prompt = prompts.find((text) => text.includes('tag es'))
    expect(prompt).toMatch(/<<DATA \w+ question>>/)
    const { rows } = (await expectOk(tenant.call('GET', '/v1/manage/usage?group=kind'))).json
    expect(rows.find((row: { key: string }) => row.key === 'draft')?.requests).toBe(1)

    model.script = () => ({ text: 'The sources do not say.' })
    const none = await expectOk(tenant.call('POST', `/v1/manage/reviews/${review.id}/draft`))
    expect(none.json).toEqual({ text: null, reason: 'no_evidence', sources: [] })
    model.script = () => ({ status: 500 })
    expect((await tenant.call('POST', `/v1/manage/reviews/${review.id}/draft`)).status).toBe(502)

    model.script = (call) => {
      const said = JSON.stringify(call.messages)
      const n = /\[(\d)\] Gift cards/.exec(said)?.[1] ?? '1'
      return {
        text: `Gift cards are refunded as credit when refunds are paid to the card [${n}|refunded as credit when refunds are paid].`,
      }
    }
    const approved = await expectOk(
      tenant.call('POST', `/v1/manage/reviews/${review.id}/approve`, {
        kb_name: 'guide',
        title: 'Gift cards: when are refunds paid to the card?',
        text: 'Gift cards are refunded as credit when refunds are paid to the card.',
      }),
    )
    expect(approved.json).toMatchObject({ status: 'approved', verified: true })
  })

  it('never mines what a model thought, in its text or beside it (#8.17)', async () => {
    const thinker = await seedTenant(parley)
    await seedBase(thinker, 'guide', GUIDE)
    await seedAgent(thinker, 'desk', {
      knowledge_bases: ['guide'],
      grounding_required: true,
      reasoning: true,
    })
    const thought = 'Every airport pays its refunds in chocolate coins on Mondays.'
    const lie = 'Gift cards are always refunded in cash at any airport.'
    const truth =
      'Refunds are paid within five working days [1|Refunds are paid within five working days].'
    model.script = () => ({
      reasoning: thought,
      text: `<think>${thought}</think>\n\n${truth} ${lie}`,
    })
    const turn = await say(thinker, 'ada', 'When are refunds paid to the card?')
    expect(turn.reply).not.toContain('chocolate')
    const review = await waitFor(async () => (await pendingOf(thinker))[0] ?? null)
    expect(review).toMatchObject({ reasons: ['unsourced'], unsourced: [lie] })
    expect(JSON.stringify(review)).not.toContain('chocolate')
  })

  it('refuses a draft without quota', async () => {
    const poor = await seedTenant(parley, { monthly_token_ceiling: 100_000 })
    await seedBase(poor, 'guide', GUIDE)
    await seedAgent(poor, 'desk', {
      knowledge_bases: ['guide'],
      grounding_required: true,
      max_output_tokens: 64,
    })
    model.script = () => ({ text: 'Everything is free of charge on Mondays at noon.' })
    await say(poor, 'ada', 'When are refunds paid to the card?')
    const review = await waitFor(async () => (await pendingOf(poor))[0] ?? null)
    await expectOk(
      parley.admin('PATCH', `/v1/admin/tenants/${poor.id}`, { monthly_token_ceiling: 10 }),
    )
    const refused = await poor.call('POST', `/v1/manage/reviews/${review.id}/draft`)
    expect([refused.status, refused.json]).toEqual([
      429,
      { detail: 'Monthly token quota exceeded' },
    ])
  })
})
