/**
 * The floors that our turn is measured against, in a Worker beside it: `/pass` hands a message to the model and its
 * stream back, and `/turn` does what any turn with a knowledge base has to do, without a single rule of the product: key
 * lookup and agent in one D1 read, history from one Durable Object, one embedding, one search, the model through the AI
 * SDK, one sealed write. `/turn/plain` is the same turn with the model called by fetch.
 */
import { type Context, Hono } from 'hono'
import type { KnowledgeBase } from '../durable-objects/knowledge-base/knowledge-base'
import type { CarriedMemory } from '../durable-objects/user-space/memories/carrying'
import type { UserSpace } from '../durable-objects/user-space/user-space'
import type { SpaceCaller } from '../src/spaces/caller'
import type { FloorBase } from './floor-base'
import { type FloorModel, plainModel, sdkModel } from './floor-model'
import type { FloorSpace } from './floor-space'
import { CHAT_MODEL, EMBEDDER, HISTORY_MESSAGES, PASSAGES } from './workload'

export { FloorBase } from './floor-base'
export { FloorSpace } from './floor-space'

interface FloorEnv {
  DB: D1Database
  SPACE: DurableObjectNamespace<FloorSpace>
  BASE: DurableObjectNamespace<FloorBase>
  /** The product's own objects, to fill them and to time their search. */
  KNOWLEDGE_BASE: DurableObjectNamespace<KnowledgeBase>
  USER_SPACE: DurableObjectNamespace<UserSpace>
  MODEL_URL: string
}

interface TurnBody {
  message: string
  session_id: string
  base: string
}

const app = new Hono<{ Bindings: FloorEnv }>()

app.post('/pass', async (c) => {
  const { message } = await c.req.json<TurnBody>()
  const answer = await fetch(`${c.env.MODEL_URL}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      model: CHAT_MODEL,
      stream: true,
      messages: [{ role: 'user', content: message }],
    }),
  })
  return new Response(answer.body, { headers: { 'content-type': 'text/event-stream' } })
})

/** Memories for the map: a conversation of a thousand facts takes too long. */
app.post('/remember', async (c) => {
  const { caller, memories } = await c.req.json<{
    caller: SpaceCaller
    memories: CarriedMemory[]
  }>()
  const { tenantId, userId, spaceId } = caller.address
  const name = c.env.USER_SPACE.idFromName(`${tenantId}/${userId}/${spaceId}`)
  const taken = await c.env.USER_SPACE.get(name).ask(caller, 'carrying', 'importAll', [memories])
  return c.json(taken, taken.ok ? 200 : 500)
})

app.post('/turn', async (c) => answer(c, sdkModel(c.env.MODEL_URL)))
app.post('/turn/plain', async (c) => answer(c, plainModel(c.env.MODEL_URL)))

async function answer(c: Context<{ Bindings: FloorEnv }>, model: FloorModel): Promise<Response> {
  const body = await c.req.json<TurnBody>()
  const { texts, save } = await prepare(c.env, model, c.req.header('x-api-key') ?? '', body)
  let reply = ''
  for await (const text of texts) reply += text
  await save(reply)
  return c.json({ session_id: body.session_id, reply, finish_reason: 'stop' })
}

app.post('/turn/stream', async (c) => {
  const body = await c.req.json<TurnBody>()
  const model = sdkModel(c.env.MODEL_URL)
  const turn = await prepare(c.env, model, c.req.header('x-api-key') ?? '', body)
  const { readable, writable } = new TransformStream<Uint8Array>()
  c.executionCtx.waitUntil(write(turn, writable.getWriter()))
  return c.body(readable, 200, { 'content-type': 'text/event-stream' })
})

type Turn = Awaited<ReturnType<typeof prepare>>

async function write({ texts, save }: Turn, writer: WritableStreamDefaultWriter<Uint8Array>) {
  const encoder = new TextEncoder()
  const frame = (event: string, data: unknown) =>
    writer.write(encoder.encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`))
  let reply = ''
  for await (const text of texts) {
    reply += text
    await frame('token', { text })
  }
  await save(reply)
  await frame('done', { reply, finish_reason: 'stop' })
  await writer.close()
}

async function prepare(env: FloorEnv, model: FloorModel, key: string, body: TurnBody) {
  const agent = await env.DB.prepare(
    'SELECT agents.instructions FROM api_keys JOIN agents ON agents.tenant_id = api_keys.tenant_id WHERE api_keys.hash = ?',
  )
    .bind(await hash(key))
    .first<{ instructions: string }>()
  if (!agent) throw new Error('There is no such key')
  const space = env.SPACE.get(env.SPACE.idFromName(body.session_id))
  const [history, vector] = await Promise.all([
    space.history(body.session_id, HISTORY_MESSAGES),
    model.embed(body.message),
  ])
  const base = env.BASE.get(env.BASE.idFromName(body.base))
  const passages = await base.search(body.message, vector, PASSAGES)
  const sources = passages.map(({ title, text }, i) => `[${i + 1}] ${title}\n${text}`).join('\n\n')
  const question = { role: 'user' as const, content: `Sources:\n${sources}\n\n${body.message}` }
  return {
    texts: model.answer(agent.instructions, [...history, question]),
    save: (reply: string) => space.append(body.session_id, body.message, reply),
  }
}

async function hash(key: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(key))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Makes the floor's tables with one key and agent. */
app.post('/setup', async (c) => {
  const { key, instructions } = await c.req.json<{ key: string; instructions: string }>()
  const { DB } = c.env
  await DB.batch([
    DB.prepare('CREATE TABLE api_keys (hash TEXT PRIMARY KEY, tenant_id TEXT NOT NULL)'),
    DB.prepare('CREATE TABLE agents (tenant_id TEXT PRIMARY KEY, instructions TEXT NOT NULL)'),
    DB.prepare("INSERT INTO api_keys VALUES (?, 'tenant')").bind(await hash(key)),
    DB.prepare("INSERT INTO agents VALUES ('tenant', ?)").bind(instructions),
  ])
  return c.json({})
})

interface FillBody {
  tenantId: string
  baseId: string
  base: string
  documentId: string
  title: string
  texts: string[]
  vectors: number[][]
}

/** One document with the same passages and vectors for the product's base and the floor's. */
app.post('/fill', async (c) => {
  const { tenantId, baseId, base, documentId, title, texts, vectors } = await c.req.json<FillBody>()
  const document = { tenantId, documentId, version: 'v1', title }
  let start = 0
  const chunks = texts.map((text, n) => {
    const chunk = { n, text, heading: null, page: null, start, end: start + text.length }
    start = chunk.end + 2
    return chunk
  })
  const object = c.env.KNOWLEDGE_BASE.get(c.env.KNOWLEDGE_BASE.idFromName(`${tenantId}/${baseId}`))
  await object.stageChunks({ ...document, baseId, from: 0, chunks })
  await object.putVectors({
    ...document,
    embedder: EMBEDDER,
    items: vectors.map((vector, n) => ({ n, vector })),
  })
  await object.commitDocument({ ...document, name: title, url: null, total: texts.length })
  await c.env.BASE.get(c.env.BASE.idFromName(base)).add(title, chunks, vectors)
  return c.json({})
})

app.post('/optimize', async (c) => {
  const { base } = await c.req.json<{ base: string }>()
  await c.env.BASE.get(c.env.BASE.idFromName(base)).optimize()
  return c.json({})
})

/** Pieces of the indexes of a product's base: two once its upkeep has run. */
app.post('/segments', async (c) => {
  const { tenantId, baseId } = await c.req.json<{ tenantId: string; baseId: string }>()
  const { KNOWLEDGE_BASE } = c.env
  const object = KNOWLEDGE_BASE.get(KNOWLEDGE_BASE.idFromName(`${tenantId}/${baseId}`))
  const { segments } = await object.stats({ tenantId })
  return c.json({ segments })
})

interface SearchBody {
  kind: 'product' | 'bare'
  tenantId: string
  baseId: string
  base: string
  questions: string[]
  vectors: number[][] | null
}

/** Searches one after another: the product's search, or the recipe's two statements with the same MATCH strings. */
app.post('/search', async (c) => {
  const body = await c.req.json<SearchBody>()
  const { KNOWLEDGE_BASE, BASE } = c.env
  const product = KNOWLEDGE_BASE.get(KNOWLEDGE_BASE.idFromName(`${body.tenantId}/${body.baseId}`))
  const bare = BASE.get(BASE.idFromName(body.base))
  const found: number[] = []
  for (const [i, query] of body.questions.entries()) {
    const values = body.vectors?.[i]
    if (body.kind === 'bare') found.push(await bare.bareSearch(query, values ?? null))
    else {
      const vector = values ? { vector: { embedder: EMBEDDER, values } } : {}
      const { hits } = await product.search({
        tenantId: body.tenantId,
        query,
        k: PASSAGES,
        ...vector,
      })
      found.push(hits.length)
    }
  }
  return c.json({ found })
})

export default app
