import {
  AbstractChat,
  type ChatState,
  type ChatStatus,
  DefaultChatTransport,
  type UIMessage,
} from 'ai'
import { beforeAll, describe, expect, it } from 'vitest'
import { type SeededTenant, seedAgent, seedBase, seedTenant, waitFor } from '../support/seed'
import { model, parley, withModel } from '../support/with-model'

/** What `useChat` keeps in React's state. */
class PlainState implements ChatState<UIMessage> {
  status: ChatStatus = 'ready'
  error: Error | undefined
  messages: UIMessage[] = []
  pushMessage = (message: UIMessage) => {
    this.messages = [...this.messages, message]
  }
  popMessage = () => {
    this.messages = this.messages.slice(0, -1)
  }
  replaceMessage = (index: number, message: UIMessage) => {
    this.messages = this.messages.with(index, structuredClone(message))
  }
  snapshot = <T>(value: T): T => structuredClone(value)
}

/** The class behind `useChat`, which with `resume: true` calls `resumeStream` once it is shown. */
class PlainChat extends AbstractChat<UIMessage> {}

/** What `useChat` makes of our stream, through its own transport (#8.25). */
describe('useChat on /v1/chat/ui', () => {
  let tenant: SeededTenant
  withModel({ OPENAI_API_KEY: 'test', CHAT_MODEL: 'chat-test', CHAT_MODELS: 'offline' })
  beforeAll(async () => {
    tenant = await seedTenant(parley)
    await seedBase(tenant, 'guide', { Refunds: 'Refunds are paid within five working days.' })
    const fields = { model: 'offline', knowledge_bases: ['guide'], grounding_required: true }
    await seedAgent(tenant, 'desk', fields)
    await seedAgent(tenant, 'slow', { tools: [] })
  }, 60_000)

  let users = 0
  const newUser = () => `user-${++users}`
  function chatOf(user: string, id: string, agent = 'desk', headers: Record<string, string> = {}) {
    const transport = new DefaultChatTransport({
      api: new URL('/v1/chat/ui', parley.url).href,
      headers: { 'x-api-key': tenant.key, 'x-end-user': user, ...headers },
      body: { agent },
    })
    return new PlainChat({ id, transport, state: new PlainState() })
  }
  const textOf = (message: UIMessage | undefined) =>
    message?.parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
  const sessionOf = (message: UIMessage | undefined) =>
    (message?.metadata as { session_id: string } | undefined)?.session_id

  it('asks, shows the sources with number, quote and page, and goes on with the conversation', async () => {
    const chat = chatOf(newUser(), 'my chat/1')
    await chat.sendMessage({ text: 'When are refunds paid?' })
    expect([chat.status, chat.error]).toEqual(['ready', undefined])
    const [question, answer] = chat.messages
    expect([question?.role, answer?.role]).toEqual(['user', 'assistant'])
    expect(textOf(answer)).toMatch(/within five working days.*\[1\]/)
    expect(answer?.parts.filter(({ type }) => type.startsWith('source'))).toEqual([
      {
        type: 'source-document',
        sourceId: expect.any(String),
        mediaType: 'text/plain',
        title: 'Refunds',
        filename: undefined,
        providerMetadata: {
          parley: { n: 1, quote: 'Refunds are paid within five working days.', page: null },
        },
      },
    ])
    await chat.sendMessage({ text: 'When are refunds paid, again?' })
    expect(chat.messages).toHaveLength(4)
    expect(sessionOf(chat.lastMessage)).toBe(sessionOf(answer))
  })

  it('keeps a form with the answer that asks it, and takes what is filled in', async () => {
    await seedAgent(tenant, 'asker', { tools: [], ask_forms: true })
    const form = { title: 'How do we reach you?', fields: [{ label: 'E-mail', type: 'email' }] }
    model.script = (call) => {
      const isAsked = call.stream && JSON.stringify(call.messages.at(-1)).includes('Call me')
      const ask = { name: 'ask_form', arguments: JSON.stringify(form) }
      return isAsked ? { toolCalls: [ask] } : { text: 'Thank you.' }
    }
    const chat = chatOf(newUser(), 'with a form', 'asker')
    await chat.sendMessage({ text: 'Call me' })
    const kept = chat.lastMessage?.parts.filter(({ type }) => type.startsWith('data-'))
    const field = { name: 'field_1', label: 'E-mail', type: 'email', required: true }
    expect(kept).toEqual([{ type: 'data-form', data: { title: form.title, fields: [field] } }])
    await chat.sendMessage({ text: 'E-mail: ada@example.com' })
    expect([chat.error, textOf(chat.lastMessage)]).toEqual([undefined, 'Thank you.'])
    model.script = () => ({ text: 'Hello.' })
  })

  it('an edited message leaves nothing of what came after it, and what came before it stays', async () => {
    model.script = ({ messages }) => ({ text: `Told ${messages.length}.` })
    const user = newUser()
    const chat = chatOf(user, 'edited', 'slow')
    for (const text of ['One', 'Two', 'Three']) await chat.sendMessage({ text })
    const historyOf = async () => {
      const path = `/v1/me/sessions/${sessionOf(chat.lastMessage)}/messages`
      const { json } = await tenant.as(user, 'GET', path)
      return json.flatMap(({ role, content }: Record<string, string>) =>
        role === 'user' ? [content] : [],
      )
    }
    const edit = (index: number, text: string) =>
      chat.sendMessage({ text, messageId: chat.messages[index]?.id ?? '' })
    await edit(2, 'Two, rather')
    expect([chat.status, chat.messages.length]).toEqual(['ready', 4])
    expect(await historyOf()).toEqual(['One', 'Two, rather'])
    await edit(0, 'Zero')
    expect([chat.status, chat.messages.length]).toEqual(['ready', 2])
    expect(await historyOf()).toEqual(['Zero'])
    await chat.sendMessage({ text: 'Next' })
    expect(await historyOf()).toEqual(['Zero', 'Next'])
  })

  it('an earlier message is answered anew, and what came after it is gone', async () => {
    model.script = ({ messages }) => ({ text: `Told ${messages.length}.` })
    const user = newUser()
    const chat = chatOf(user, 'answered anew', 'slow')
    for (const text of ['One', 'Two', 'Three']) await chat.sendMessage({ text })
    await chat.regenerate({ messageId: chat.messages[2]?.id ?? '' })
    expect([chat.status, chat.messages.length]).toEqual(['ready', 4])
    const path = `/v1/me/sessions/${sessionOf(chat.lastMessage)}/messages`
    const { json } = await tenant.as(user, 'GET', path)
    expect(json.map(({ content }: { content: string }) => content)).toEqual([
      ...['One', textOf(chat.messages[1])],
      ...['Two', textOf(chat.messages[3])],
    ])
    expect(json[3].variants).toHaveLength(2)
  })

  it('a message that never came to be said is said for the first time once it is edited', async () => {
    model.script = () => ({ text: 'Hello.' })
    const user = newUser()
    for (const said of [[], ['One']]) {
      const chat = chatOf(user, `unsaid ${said.length}`, 'slow')
      for (const text of said) await chat.sendMessage({ text })
      await chat.sendMessage({ text: 'x'.repeat(16_001) })
      expect(chat.status).toBe('error')
      await chat.sendMessage({ text: 'Shorter', messageId: chat.lastMessage?.id ?? '' })
      expect([chat.status, textOf(chat.lastMessage)]).toEqual(['ready', 'Hello.'])
      expect(chat.messages).toHaveLength(2 * said.length + 2)
    }
  })

  it('takes any chat id: a client’s own UUID is a name, a session’s id goes on with it', async () => {
    const user = newUser()
    const own = chatOf(user, crypto.randomUUID())
    await own.sendMessage({ text: 'When are refunds paid?' })
    const session = sessionOf(own.lastMessage) ?? ''
    const again = chatOf(user, session)
    await again.sendMessage({ text: 'When are refunds paid?' })
    expect(sessionOf(again.lastMessage)).toBe(session)
  })

  it('a page that was loaded again gets the running answer whole, and nothing once it is over', async () => {
    const text = Array.from({ length: 60 }, (_, n) => `Word ${n}.`).join(' ')
    model.script = () => ({ text, pieceChars: 12, pieceDelayMs: 60 })
    const user = newUser()
    const first = chatOf(user, 'reloaded', 'slow')
    const sending = first.sendMessage({ text: 'Tell me a long story, please.' })
    await waitFor(async () => (textOf(first.lastMessage)?.includes('Word 3') ? true : null))
    await first.stop()
    await sending
    const session = sessionOf(first.lastMessage) ?? ''
    const others = [chatOf(user, 'reloaded', 'slow'), chatOf(user, session, 'slow')]
    await Promise.all(others.map((chat) => chat.resumeStream()))
    for (const chat of others) {
      expect([chat.status, chat.error]).toEqual(['ready', undefined])
      expect(chat.messages.map(textOf)).toEqual([text])
      await chat.resumeStream()
      expect([chat.status, chat.messages.length]).toEqual(['ready', 1])
    }
  })

  it('goes on with a running answer whatever the chat’s id looks like in an address', async () => {
    const text = Array.from({ length: 60 }, (_, n) => `Word ${n}.`).join(' ')
    model.script = () => ({ text, pieceChars: 12, pieceDelayMs: 60 })
    const ids = [
      'my chat/1',
      '../../v1/me',
      '%2e%2e%2f',
      'a?b#c&d=e;f',
      'back\\slash',
      ' ',
      '茶馆 🙂',
    ]
    const resumed = ids.map(async (id) => {
      const user = newUser()
      const first = chatOf(user, id, 'slow')
      const sending = first.sendMessage({ text: 'Tell me a long story, please.' })
      await waitFor(async () => (textOf(first.lastMessage)?.includes('Word 3') ? true : null))
      await first.stop()
      await sending
      const again = chatOf(user, id, 'slow')
      await again.resumeStream()
      return [again.status, again.error, ...again.messages.map(textOf)]
    })
    expect(await Promise.all(resumed)).toEqual(ids.map(() => ['ready', undefined, text]))
  })

  it('nothing runs in a chat that nobody knows, or that is somebody else’s', async () => {
    model.script = () => ({ text: 'A long, long answer. '.repeat(40), pieceDelayMs: 40 })
    const owner = chatOf(newUser(), 'mine', 'slow')
    const sending = owner.sendMessage({ text: 'Tell me a long story, please.' })
    await waitFor(async () => sessionOf(owner.lastMessage) ?? null)
    for (const id of ['mine', 'never seen']) {
      const stranger = chatOf(newUser(), id, 'slow')
      await stranger.resumeStream()
      expect([stranger.status, stranger.messages]).toEqual(['ready', []])
    }
    const thief = chatOf(newUser(), sessionOf(owner.lastMessage) ?? '', 'slow')
    await thief.resumeStream()
    expect([thief.status, thief.messages]).toEqual(['error', []])
    expect(thief.error?.message).toContain('Session not found')
    await owner.stop()
    await sending
  })

  it('refuses in words, before the stream', async () => {
    const chat = chatOf(newUser(), 'refused', 'nobody')
    await chat.sendMessage({ text: 'Hello' })
    expect([chat.status, chat.error?.message]).toEqual([
      'error',
      expect.stringContaining('Agent not found'),
    ])
  })

  it('first messages of one chat that come at once are one turn and conflicts', async () => {
    const message = {
      id: 'm1',
      role: 'user',
      parts: [{ type: 'text', text: 'When are refunds paid?' }],
    }
    const body = { id: 'brand new', messages: [message], agent: 'slow' }
    model.script = () => ({ text: 'A long answer. '.repeat(20), pieceDelayMs: 20 })
    const user = newUser()
    await tenant.as(user, 'GET', '/me')
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => tenant.as(user, 'POST', '/v1/chat/ui', body)),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409])
    expect(answers.find(({ status }) => status === 409)?.json).toMatchObject({
      code: 'turn_running',
    })
  })
})
