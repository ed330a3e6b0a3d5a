/** Storylines: checking a graph of 500 nodes, a turn in one beside a plain one, long lists of people, and moving many. */
import { inParallel, productTalker, quantile, run, send, sendOk } from './load.mjs'
import { pause } from './measure.mjs'

const NODES = 500
const CHECKS = 20
const PEOPLE = 100_000
const ROWS_AT_ONCE = 50_000
const PAGE = 50
const WALK = 200
const FAR_PAGE = 500
const READS = 40
const TALKERS = 8
const POLL_MS = 250
const TELL_EVERY = 250
/** A machine that is shared stands still for many seconds at times, and what takes a quarter of an hour meets such times. */
const STALLED_MS = 300_000
const TRIES = 5
const SETTLED_MS = 1500

const TALK = {
  schema: 1,
  start: 'talk',
  nodes: {
    talk: {
      type: 'converse',
      goal: 'Answer what the visitor asks about the parcels.',
      exits: [{ id: 'over', to: 'bye', when: 'turn.count > 100000' }],
    },
    bye: { type: 'end', outcome: 'over' },
  },
}

/** Asks for one thing, so that who is only to be moved costs no answer of a model. */
const ASK = {
  schema: 1,
  start: 'ask',
  nodes: {
    ask: {
      type: 'collect',
      slots: [{ slot: 'size', ask: 'How large is the parcel?' }],
      exits: [{ id: 'go', to: 'bye' }],
    },
    bye: { type: 'end', outcome: 'over' },
  },
}

/** @param restart another runtime on the same stored data */
export async function measureStorylines({ world, plan, say }, restart) {
  const size = Math.min(...plan.bases)
  const headers = { 'x-api-key': world.key }
  let server = await restart({ consumers: true })
  const call = (method, path, body) => sendOk(server.port, method, path, body, headers)
  const agent = await call('GET', `/v1/agents/${world.bases[size].agentName}`)
  const { knowledge_bases, grounding_required } = agent
  const make = async (name, graph, more = {}) => {
    await call('PUT', `/v1/agents/${name}`, {
      published: true,
      knowledge_bases,
      grounding_required,
    })
    const body = { agent_name: name, key: 'bench', graph, ...more }
    return (await call('POST', '/v1/storylines', body)).id
  }

  say('storylines: a graph of 500 nodes')
  const sizes = { type: 'object', properties: { size: { type: 'integer' } } }
  const wide = await make('story-wide', chain(NODES), { profile_schema: sizes })
  const check = async () => call('POST', `/v1/storylines/${wide}/validate`)
  const { ok } = await check()
  const cpu = server.cpuMs()
  for (let n = 0; n < CHECKS; n++) await check()
  const validate = { nodes: NODES, ok, cpuMs: (server.cpuMs() - cpu) / CHECKS }
  say(`storylines: ${validate.cpuMs.toFixed(1)} ms of CPU a check`)

  say('storylines: turns')
  const auto = { entry: 'auto', enroll_trigger: 'first_contact' }
  const talk = await make('story-talk', TALK, auto)
  await call('POST', `/v1/storylines/${talk}/publish`)
  const agents = { plain: world.bases[size].agentName, storyline: 'story-talk' }
  const talkers = (kind) =>
    Array.from({ length: TALKERS }, (_, n) =>
      productTalker({
        port: server.port,
        key: world.key,
        agentName: agents[kind],
        stream: true,
        n,
        user: `${kind}-${n}`,
      }),
    )
  const turns = await compareTurns(
    server,
    { plain: talkers('plain'), storyline: talkers('storyline') },
    plan,
  )
  say(`storylines: a turn costs ${turns.ratio.toFixed(2)} times a plain one`)

  const many = await fillPeople(server, world, await make('story-many', TALK), say)
  const pages = await comparePages(server, headers, many)
  const funnel = []
  for (let n = 0; n < READS; n++)
    funnel.push(
      (await send(server.port, 'GET', `/v1/storylines/${many}/funnel`, undefined, headers)).ms,
    )

  say(`storylines: pages ${pages.first.toFixed(1)} and ${pages.far.toFixed(1)} ms`)
  say(`storylines: ${plan.moved} people to be moved`)
  const asked = await make('story-ask', ASK, { ...auto, profile_schema: sizes })
  await call('POST', `/v1/storylines/${asked}/publish`)
  const moved = await measureMoves({ server, world, plan, say, call }, asked)

  say('storylines: the bill')
  server = await restart({ bundle: 'counted', consumers: true })
  const bill = {}
  for (const [kind, [talker]] of Object.entries({
    plain: talkers('plain'),
    storyline: talkers('storyline'),
  })) {
    await talker.turn()
    await pause(SETTLED_MS)
    await readBill(server)
    await talker.turn()
    bill[kind] = await readBill(server)
    await pause(SETTLED_MS)
    bill[`jobs of ${kind}`] = await readBill(server)
  }
  return { validate, turns, pages, funnelMs: quantile(funnel, 0.5), moved, bill }
}

/** Conditions at every node, and a way back to the middle. */
function chain(count) {
  const nodes = { end: { type: 'end', outcome: 'over' } }
  for (let n = 0; n < count - 1; n++) {
    const next = n + 2 < count ? `n${n + 1}` : 'end'
    nodes[`n${n}`] = {
      type: 'collect',
      slots: [{ slot: 'size', ask: `Question ${n}?` }],
      exits: [
        { id: 'large', to: next, on: 'done', when: `profile.size > ${n} && node.visits < 3` },
        { id: 'rest', to: next },
      ],
    }
  }
  return { schema: 1, start: 'n0', nodes }
}

/** In windows turn about, so that both see the same disturbances. */
async function compareTurns(server, kinds, plan) {
  const count = plan.turns.burst[8]
  for (const talkers of Object.values(kinds)) await run(talkers, TALKERS * 3, server.cpuMs)
  const windows = []
  for (let round = 0; round < plan.rounds; round++) {
    const names = round % 2 === 0 ? Object.keys(kinds) : Object.keys(kinds).toReversed()
    const pair = {}
    for (const name of names) {
      const { cpuMs, wrong } = await run(kinds[name], count, server.cpuMs)
      pair[name] = { cpuMs: cpuMs / count, wrong: wrong.length }
    }
    windows.push(pair)
  }
  const middle = (read) => quantile(windows.map(read), 0.5)
  return {
    plain: middle(({ plain }) => plain.cpuMs),
    storyline: middle(({ storyline }) => storyline.cpuMs),
    ratio: middle(({ plain, storyline }) => storyline.cpuMs / plain.cpuMs),
    wrong: windows.reduce((sum, { plain, storyline }) => sum + plain.wrong + storyline.wrong, 0),
  }
}

/** Where people stand as the directory has it: their objects are not asked for a list. */
async function fillPeople({ runtime, port }, world, storylineId, say) {
  say(`storylines: ${PEOPLE} enrollments`)
  const db = await runtime.getD1Database('DB', 'parley')
  const me = await sendOk(port, 'GET', '/me', undefined, {
    'x-api-key': world.key,
    'x-end-user': 'everybody',
  })
  for (let from = 1; from <= PEOPLE; from += ROWS_AT_ONCE) {
    const to = Math.min(PEOPLE, from + ROWS_AT_ONCE - 1)
    await db
      .prepare(
        `WITH RECURSIVE rows (n) AS (SELECT ${from} UNION ALL SELECT n + 1 FROM rows WHERE n < ${to})
         INSERT INTO storyline_enrollments (id, tenant_id, storyline_id, revision_id, user_id, space_id, node_key, status,
           reports, entered_node_at, last_turn_at, created_at, updated_at)
         SELECT printf('0198b000-%04x-7%03x-8000-%012x', n >> 12, n & 4095, n), ?1, ?2, ?2, ?3, ?4, 'talk',
           CASE n % 5 WHEN 0 THEN 'completed' ELSE 'active' END, 1, ?5 - n, ?5 - n, ?5 - n, ?5 - n FROM rows`,
      )
      .bind(world.tenantId, storylineId, me.user_id, me.space_id, Date.now())
      .run()
  }
  return storylineId
}

async function comparePages({ port }, headers, storylineId) {
  const path = `/v1/storylines/${storylineId}/enrollments`
  let far = `${path}?limit=${WALK}`
  for (let left = PAGE * (FAR_PAGE - 1); left > 0; ) {
    const size = Math.min(WALK, left)
    const next = await nextOf(port, far.replace(/limit=\d+/, `limit=${size}`), headers)
    if (next === null) throw new Error('The list ends too early')
    far = next
    left -= size
  }
  far = far.replace(/limit=\d+/, `limit=${PAGE}`)
  const times = { first: [], far: [] }
  for (let n = 0; n < READS; n++)
    for (const [kind, url] of Object.entries({ first: `${path}?limit=${PAGE}`, far }))
      times[kind].push((await send(port, 'GET', url, undefined, headers)).ms)
  return { first: quantile(times.first, 0.5), far: quantile(times.far, 0.5) }
}

async function nextOf(port, path, headers) {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers })
  await answer.arrayBuffer()
  return /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1] ?? null
}

/** Each person is in the storyline by a turn of their own; all are moved by one order, whose progress is asked for. */
async function measureMoves({ server, world, plan, say, call }, storylineId) {
  const path = `/v1/storylines/${storylineId}/enrollments/migrate`
  let again = 0
  for (let begun = 0; begun < plan.moved; begun += TELL_EVERY) {
    const count = Math.min(TELL_EVERY, plan.moved - begun)
    const people = Array.from({ length: count }, (_, n) => `moved-${begun + n}`)
    const cpu = server.cpuMs()
    await inParallel(people, TALKERS, async (user) => {
      again += (await enroll(server.port, { 'x-api-key': world.key, 'x-end-user': user })) - 1
    })
    const each = ((server.cpuMs() - cpu) / count).toFixed(1)
    const repeated = again === 0 ? '' : `, ${again} turns asked again`
    say(`storylines: ${begun + count} people have begun, ${each} ms of CPU each${repeated}`)
  }
  // Where they stand is told in the background.
  let matched = 0
  for (let changedAt = Date.now(); matched < plan.moved; ) {
    await pause(POLL_MS)
    const now = (await call('POST', `${path}?dry_run=true`, { action: 'restart' })).matched
    if (now !== matched) changedAt = Date.now()
    if (Date.now() - changedAt > STALLED_MS) throw new Error('Not all of them have begun')
    matched = now
  }
  const began = performance.now()
  const cpu = server.cpuMs()
  const { job_id } = await call('POST', path, { action: 'restart' })
  let state = await call('GET', `${path}/${job_id}`)
  let told = 0
  for (let changedAt = Date.now(); state.status === 'running'; ) {
    await pause(POLL_MS)
    const next = await call('GET', `${path}/${job_id}`)
    if (next.changed !== state.changed) changedAt = Date.now()
    if (next.changed >= told + TELL_EVERY) {
      told = next.changed
      say(`storylines: ${told} of ${matched} moved`)
    }
    if (Date.now() - changedAt > STALLED_MS) throw new Error('Nobody is moved any more')
    state = next
  }
  const ms = performance.now() - began
  return { matched, changed: state.changed, ms, cpuMs: (server.cpuMs() - cpu) / state.changed }
}

/** Somebody's first turn. One that did not come through is asked again: they are in the storyline once all the same. @returns the tries */
async function enroll(port, headers) {
  const body = { message: 'Where is my parcel?', agent: 'story-ask' }
  for (let tries = 1; ; tries++) {
    const answer = await send(port, 'POST', '/v1/chat', body, headers, STALLED_MS).catch(
      (error) => ({ status: 0, text: error.message }),
    )
    if (answer.status === 200) return tries
    if (tries === TRIES)
      throw new Error(`A first turn failed ${TRIES} times: ${answer.text.slice(0, 300)}`)
  }
}

const readBill = async ({ port }) => (await fetch(`http://127.0.0.1:${port}/__bill`)).json()
