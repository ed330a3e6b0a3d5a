import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Parley } from '../support/harness'
import { type Killable, startKillable } from '../support/killable'
import { type OpenAiServer, startOpenAi } from '../support/openai-server'
import { type SeededTenant, seedAgent, seedTenant, waitFor } from '../support/seed'
import { parseSse, readSse } from '../support/sse-reader'

const STALLED_MS = 11 * 60_000
const REPLY = 'The answer has several words and takes its time. '.repeat(6)

interface Stored {
  facts: Record<string, unknown>
  messages: number
}

describe('kill -9', { timeout: 180_000 }, () => {
  let server: Killable
  let model: OpenAiServer
  let tenant: SeededTenant

  beforeAll(async () => {
    model = await startOpenAi()
    server = await startKillable(model.vars)
    tenant = await seedTenant(server.parley as Parley)
    await seedAgent(tenant, 'desk')
  }, 90_000)
  afterAll(async () => {
    await server.dispose()
    await model.close()
  })

  const ask = (message: string, sessionId: string | undefined, endUser: string) =>
    fetch(new URL('/v1/chat/stream', server.parley.url), {
      method: 'POST',
      headers: {
        'x-api-key': tenant.key,
        'x-end-user': endUser,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ message, session_id: sessionId }),
    })

  it.each([5, 40, 90, 160, 260, 400])(
    'in a turn, %i ms after its first frame: it ends as failed or complete, never half, and can be repeated',
    async (delayMs) => {
      const user = `user-${delayMs}`
      model.script = () => ({ text: REPLY, pieceDelayMs: 8, pieceChars: 9 })
      const first = await tenant.as(user, 'POST', '/v1/chat', { message: 'Hello' })
      const session: string = first.json.session_id
      const response = await ask('The message that is cut off', session, user)
      const heard = readSse(response).catch(() => [])
      await new Promise((resolve) => setTimeout(resolve, delayMs))
      await server.kill()
      await heard
      await server.start()

      const again = await tenant.as(user, 'POST', '/v1/chat', {
        message: 'Do you still know me?',
        session_id: session,
      })
      expect(again.status).toBe(200)
      const prompt = JSON.stringify(model.calls.filter((call) => call.stream).at(-1)?.messages)
      expect(prompt).toContain('Hello')
      // The history holds the cut-off exchange whole, or not at all.
      const asked = (prompt.match(/The message that is cut off/g) ?? []).length
      const answered = (prompt.match(/"role":"assistant"/g) ?? []).length
      expect([
        [0, 1],
        [1, 2],
      ]).toContainEqual([asked, answered])
      expect((await tenant.call('GET', '/v1/tenant/quota')).json.used).toBeGreaterThanOrEqual(240)
    },
  )

  it.each([5, 160])(
    'while an answer is made anew, %i ms after its first frame: the conversation keeps one of the two, whole',
    async (delayMs) => {
      const user = `again-${delayMs}`
      model.script = () => ({ text: 'The first answer.' })
      const first = await tenant.as(user, 'POST', '/v1/chat', { message: 'Hello' })
      const { session_id, message_id } = first.json
      model.script = () => ({ text: REPLY, pieceDelayMs: 8, pieceChars: 9 })
      const response = await fetch(new URL('/v1/chat/stream', server.parley.url), {
        method: 'POST',
        headers: {
          'x-api-key': tenant.key,
          'x-end-user': user,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ session_id, replaces: message_id }),
      })
      const heard = readSse(response).catch(() => [])
      await new Promise((resolve) => setTimeout(resolve, delayMs))
      await server.kill()
      await heard
      await server.start()

      const { json } = await tenant.as(user, 'GET', `/me/sessions/${session_id}/messages`)
      expect(json.map(({ content }: { content: string }) => content)).toEqual([
        'Hello',
        expect.stringMatching(/^(?:The first answer|The answer has several words.*time)\.\s?$/u),
      ])
      const again = await tenant.as(user, 'POST', '/v1/chat', { session_id, replaces: json[1].id })
      expect(again.status).toBe(200)
    },
  )

  it('in an answer that streams: whoever goes on with it is told that it was cut off', async () => {
    model.script = ({ stream }) =>
      stream
        ? { text: 'word '.repeat(20), until: new Promise(() => undefined) }
        : { text: 'A title' }
    const response = await ask('Hello', undefined, 'ann')
    let text = ''
    const decoder = new TextDecoder()
    try {
      for await (const piece of response.body as ReadableStream<Uint8Array>) {
        text += decoder.decode(piece, { stream: true })
        if (text.includes('word')) await server.kill()
      }
    } catch {
      // The connection broke, as it should.
    }
    await server.start()
    const [session] = parseSse(text)
    const path = `/v1/chat/stream/${session?.data.message_id}`
    const again = await tenant.as('ann', 'GET', path, undefined, { 'last-event-id': '1' })
    expect(
      parseSse(again.text).map(({ event, data }) => [event, data.code, data.retryable]),
    ).toEqual([['error', 'interrupted', true]])
  })

  const GUIDE = Array.from(
    { length: 400 },
    (_, i) =>
      `# Section ${i}\n\nParagraph ${i} tells about topic ${i * 7} in some detail. ${'More words follow here. '.repeat(12)}`,
  ).join('\n\n')
  const uploadGuide = async (base: string): Promise<string> => {
    await tenant.call('POST', '/v1/knowledge-bases', { name: base })
    const form = new FormData()
    form.set('file', new File([GUIDE], 'guide.md', { type: 'text/markdown' }))
    const path = `/v1/knowledge-bases/${base}/documents/upload`
    const { status, json } = await tenant.call('POST', path, form)
    expect(status).toBe(200)
    return json.documents[0].id
  }
  let clean: unknown
  /** The chunks of an ingestion that nothing cut off, read once for all. */
  const cleanChunks = async () => {
    if (clean === undefined) {
      const id = await uploadGuide('clean')
      await readyDocument('clean', id)
      clean = await chunksOf('clean', id)
    }
    return clean
  }

  it.each([0, 30, 80, 150, 300, 600])(
    'in an ingestion, %i ms after the upload: the same chunks as a clean run',
    async (delayMs) => {
      const expected = await cleanChunks()
      const cut = `cut-${delayMs}`
      const id = await uploadGuide(cut)
      await new Promise((resolve) => setTimeout(resolve, delayMs))
      await server.kill()
      await server.start()
      await server.watch(STALLED_MS)
      await readyDocument(cut, id)
      expect(await chunksOf(cut, id)).toEqual(expected)
      const { json: found } = await tenant.call('POST', `/v1/knowledge-bases/${cut}/search`, {
        query: 'Which paragraph tells about topic 2100?',
        k: 3,
      })
      expect(found.hits.length).toBe(3)
    },
  )

  it.each([0, 40, 120, 300])(
    'while small texts are read together, %i ms after the upload: each has the chunks of a clean run, once',
    async (delayMs) => {
      const form = () => {
        const made = new FormData()
        for (let i = 0; i < 30; i++) {
          const text = `# Note ${i}\n\n${`Drawer ${i} holds the papers of ${1900 + i}. `.repeat(40)}`
          made.append('file', new File([text], `note-${i}.md`, { type: 'text/markdown' }))
        }
        return made
      }
      const bases = [`whole-${delayMs}`, `killed-${delayMs}`] as const
      const ids: string[][] = []
      for (const name of bases) {
        await tenant.call('POST', '/v1/knowledge-bases', { name })
        const path = `/v1/knowledge-bases/${name}/documents/upload`
        const { status, json } = await tenant.call('POST', path, form())
        expect(status).toBe(200)
        const named = json.documents as { id: string; path: string }[]
        ids.push(named.toSorted((a, b) => a.path.localeCompare(b.path)).map(({ id }) => id))
        if (name === bases[0]) for (const id of ids[0] ?? []) await readyDocument(name, id)
      }
      await new Promise((resolve) => setTimeout(resolve, delayMs))
      await server.kill()
      await server.start()
      await server.watch(STALLED_MS)
      for (const [i, id] of (ids[1] ?? []).entries()) {
        await readyDocument(bases[1], id)
        expect(await chunksOf(bases[1], id)).toEqual(await chunksOf(bases[0], ids[0]?.[i] ?? ''))
      }
      const { json } = await tenant.call('GET', `/v1/knowledge-bases/${bases[1]}`)
      const { json: clean } = await tenant.call('GET', `/v1/knowledge-bases/${bases[0]}`)
      expect(json.chunk_count).toBe(clean.chunk_count)
    },
  )

  async function readyDocument(base: string, id: string): Promise<void> {
    const document = await waitFor(async () => {
      const { json } = await tenant.call('GET', `/v1/knowledge-bases/${base}/documents/${id}`)
      return json.status === 'ready' || json.status === 'failed' ? json : null
    })
    expect(document).toMatchObject({ status: 'ready', error: null, progress: 100 })
  }

  async function chunksOf(base: string, id: string): Promise<unknown[]> {
    const chunks: unknown[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const { json } = await tenant.call(
        'GET',
        `/v1/knowledge-bases/${base}/documents/${id}/chunks?limit=200${cursor && `&cursor=${cursor}`}`,
      )
      chunks.push(...json.items.map(({ id: _id, ...chunk }: { id: string }) => chunk))
      cursor = json.next_cursor
    }
    return chunks
  }

  /** What the objects of users hold, each with its schema. */
  const storedByUsers = (): Stored[] => {
    const found: Stored[] = []
    server.databases((database) => {
      const has = (table: string) =>
        database.prepare('SELECT 1 FROM sqlite_master WHERE name = ?').get(table) !== undefined
      if (!has('turn_slots')) return
      const facts = database.prepare('SELECT name, value FROM facts').all()
      found.push({
        facts: Object.fromEntries(facts.map(({ name, value }) => [String(name), value])),
        messages: database.prepare('SELECT 1 FROM messages').all().length,
      })
    })
    return found
  }

  it.each([1, 2, 3, 5, 7, 9])(
    'at write %i of a user’s first turn: nothing is stored by nobody, and the next message is answered',
    async (n) => {
      model.script = () => ({ text: 'The answer.', pieceDelayMs: 5, pieceChars: 4 })
      const user = `user-${n}`
      const first = tenant.as(user, 'POST', '/v1/chat', { message: 'Hello' }).catch(() => null)
      await server.killAtWrite(n, first)
      await first
      const owned = storedByUsers().filter(({ messages }) => messages > 0)
      expect(
        owned.filter(({ facts }) => !facts.address || !facts.tag || !facts.tenant_key),
      ).toEqual([])
      await server.start()
      const again = await tenant.as(user, 'POST', '/v1/chat', { message: 'Are you there?' })
      expect([again.status, again.json.reply]).toEqual([200, 'The answer.'])
    },
  )

  it('after a first turn that was refused: whose the space is is known', async () => {
    const small = await seedTenant(server.parley as Parley, { monthly_token_ceiling: 10 })
    await seedAgent(small, 'desk')
    const refused = await small.as('ann', 'POST', '/v1/chat', { message: 'Hello' })
    expect(refused.status).toBe(429)
    await server.kill()
    const mine = storedByUsers()
      .map(({ facts }) => facts)
      .filter(({ address }) => String(address).includes(small.id))
    await server.start()
    expect(mine.map(({ ceiling }) => ceiling)).toEqual(['10'])
  })
})
