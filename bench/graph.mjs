/** The map of what is known of a user with 2,000 items: 1,000 memories, and 1,000 passages of documents of the user's own. */
import { makeCorpus } from './corpus.mjs'
import { send, sendOk } from './load.mjs'

const MEMORIES = 1000
const PASSAGES = 1000
const DOCUMENTS = 2
/** Longer than two that would share a passage. */
const PASSAGE_CHARS = 1300
const MEMORY_CHARS = 80
const ROUNDS = 5
const WAIT_MS = 60_000
const STEP_MS = 500

export async function measureGraph({ server, world }) {
  const { port, runtime } = server
  const headers = { 'x-api-key': world.key }
  const user = { ...headers, 'x-end-user': 'mapped' }
  const me = await sendOk(port, 'GET', '/me', undefined, user)
  const { texts } = makeCorpus(MEMORIES + 2 * PASSAGES)
  await remember({ runtime, world, me }, texts.slice(0, MEMORIES))
  const sections = Array.from({ length: PASSAGES }, (_, n) => {
    const two = texts.slice(MEMORIES + 2 * n, MEMORIES + 2 * n + 2).join(' ')
    return `# Section ${n}\n\n${two.slice(0, PASSAGE_CHARS)}`
  })
  for (let n = 0; n < DOCUMENTS; n++) {
    const part = sections.slice((n * PASSAGES) / DOCUMENTS, ((n + 1) * PASSAGES) / DOCUMENTS)
    const document = { title: `Notes ${n}`, text: part.join('\n\n') }
    await sendOk(port, 'POST', `/me/spaces/${me.space_id}/documents`, document, user)
  }

  const path = (query) =>
    `/v1/manage/users/${me.user_id}/knowledge-graph?limit=2000${query === '' ? '' : `&${query}`}`
  const draw = async (query) => {
    const answer = await send(port, 'GET', path(query), undefined, headers)
    if (answer.status !== 200) throw new Error(`The map answered ${answer.status}: ${answer.text}`)
    return answer
  }
  const items = await settled(draw)
  const kinds = {
    'computed anew': 'refresh=true',
    'known already': '',
    'with a query': 'q=knowledge',
    'memories alone': 'source=memory&refresh=true',
  }
  const rows = []
  const seen = new Set()
  for (const [name, query] of Object.entries(kinds)) {
    const taken = []
    for (let round = 0; round < ROUNDS; round++) {
      const before = server.cpuMs()
      const { ms, text } = await draw(query)
      taken.push({ ms, cpuMs: server.cpuMs() - before, kb: Math.round(text.length / 1024) })
      if (name === 'computed anew') seen.add(JSON.stringify(JSON.parse(text).nodes))
    }
    const middle = (key) => taken.map((one) => one[key]).toSorted((a, b) => a - b)[ROUNDS >> 1]
    rows.push({ name, ms: middle('ms'), cpuMs: middle('cpuMs'), kb: middle('kb') })
  }
  const [nodes] = [...seen].map((text) => JSON.parse(text).length)
  return { items, nodes, isSame: seen.size === 1, rows }
}

/** Memories for the map: a conversation of a thousand facts takes too long. */
async function remember({ runtime, world, me }, texts) {
  const db = await runtime.getD1Database('DB', 'parley')
  const row = await db
    .prepare(
      'SELECT s.tag, t.wrapped_key FROM spaces s JOIN tenants t ON t.id = s.tenant_id WHERE s.id = ?',
    )
    .bind(me.space_id)
    .first()
  const caller = {
    address: { tenantId: world.tenantId, userId: me.user_id, spaceId: me.space_id },
    tag: row.tag,
    wrappedTenantKey: row.wrapped_key,
    tokenVersion: null,
    privacy: false,
  }
  const now = Date.now()
  const memories = texts.map((text, n) => ({
    id: crypto.randomUUID(),
    draft: {
      kind: 'fact',
      topic: `topic ${n % 40}`,
      importance: 1 + (n % 10),
      content: `${n}: ${text.slice(0, MEMORY_CHARS)}`,
      slot: null,
    },
    agentName: 'agent-10',
    madeBy: 'rules',
    createdAt: now,
    updatedAt: now - n,
  }))
  const spaces = await runtime.getDurableObjectNamespace('USER_SPACE', 'parley')
  const name = `${world.tenantId}/${me.user_id}/${me.space_id}`
  const space = spaces.get(spaces.idFromName(name))
  const taken = await space.ask(caller, 'carrying', 'importAll', [memories])
  if (!taken.ok) throw new Error('The memories were not taken')
}

/** @returns how many items there are once the documents are read. */
async function settled(draw) {
  let last = 0
  for (let waited = 0; waited < WAIT_MS; waited += STEP_MS) {
    const { total } = JSON.parse((await draw('')).text)
    if (total >= MEMORIES + PASSAGES) return total
    last = total
    await new Promise((done) => setTimeout(done, STEP_MS))
  }
  throw new Error(`The documents of the map were not read: ${last} items`)
}
