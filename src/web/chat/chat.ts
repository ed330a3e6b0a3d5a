import type { ChatBootstrap } from '../../pages/types'
import { deleteHistory } from '../kit/net/forget'
import { forgetStored, keepInTab, takeFromTab } from '../kit/net/storage'
import { signedInUser } from '../kit/net/token-source'
import { loadCode } from './app/load-code'
import {
  applyFrame,
  type ChatState,
  EMPTY_CHAT,
  type Entry,
  newReply,
  type OwnImage,
  type Problem,
  type ReplyEntry,
  SIGNED_IN,
  type UserEntry,
} from './model/chat'
import type { Frame } from './model/frames'
import { ChatApi, type RatingWords } from './net/chat-api'
import { problemOf, RequestFailed } from './net/problem'
import {
  handQueueOn,
  readQueue,
  readTranscript,
  writeQueue,
  writeTranscript,
} from './net/transcript'
import { Visitor } from './net/visitor'

const SAVE_INTERVAL_MS = 1000
const HIDDEN_FLUSH_MS = 200
/** The longest pause between two tries to send what waits; the first is half a second, each next twice the last. */
const MAX_QUEUE_PAUSE_MS = 30_000
/** How long Stop waits for the server's own end before the page ends the reply itself. */
const STOP_PATIENCE_MS = 3000

/** What reads an answer: fetched once the page stands, at the latest beside the question that it is for. */
const loadReader = () => import('./net/turn-stream')

/** The conversation of one visitor with one agent: its state, and everything that changes it. */
export class Chat {
  #state: ChatState = EMPTY_CHAT
  readonly #boot: ChatBootstrap
  readonly #api: ChatApi
  readonly #visitor: Visitor
  readonly #storeKey: string
  readonly #listeners = new Set<() => void>()
  /** Keys of requests whose answer never arrived: sent again, so that the server sees one message and not two. */
  readonly #attempts = new Map<string, string>()
  #frames: Frame[] = []
  #flushing = false
  #savedAt = 0
  #turn: AbortController | null = null
  /** Whose token the turn that runs was opened with; null as long as nothing was sent. Another person's may come meanwhile. */
  #bearer: string | null = null
  /** Resolves once another site has said who asks; what is sent earlier waits for it. */
  whoAsks: ((signal: AbortSignal) => Promise<void>) | null = null
  /** What the person said as a visitor, for the list of chats, which takes it. */
  carried: ChatState | null = null
  /** What a new session begins with: the greeting that was read. */
  greetingId: string | undefined
  /** Whether what waited is being sent. */
  #sending = false
  /** Whose session the open chat is: who was signed in when it was last heard of. */
  #owner: string | null | undefined

  constructor(boot: ChatBootstrap, lang: string) {
    this.#boot = boot
    this.#api = new ChatApi(boot.agent.name, lang)
    this.#visitor = new Visitor(boot.tenant.id, boot.agent.name)
    this.#storeKey = `parley:${boot.tenant.id}:${boot.agent.name}:chat`
    addEventListener('pagehide', () => {
      this.#save()
      // A visitor may come back signed in, and all tabs keep their chat in one place.
      keepInTab(this.#storeKey, this.#owner === null)
    })
    addEventListener('online', () => void this.#sendQueue())
    addEventListener('storage', ({ key, newValue }) => {
      // Signed out in another tab: nothing of the person's stays in this one either.
      if (key === this.#visitor.key && newValue === null && this.#owner) this.signOut()
      else this.#carry()
    })
  }

  /** The visitor's or the signed-in person's token, while there is a valid one. */
  get token(): string | null {
    return this.#visitor.current(Date.now())
  }

  /** Where the next token comes from once one has run out; without it, a visitor's is taken. */
  set renewal(renew: (() => Promise<string>) | null) {
    this.#visitor.renewal = renew
  }

  /** Goes on as the person of a token that came from elsewhere. Nothing of another person's stays but what waits to be asked. */
  adopt(token: string): void {
    const owner = this.#bearer === null ? this.#owner : signedInUser(this.#bearer)
    if (owner && owner !== signedInUser(token)) {
      const waits = this.#turn !== null && this.#bearer === null && !this.#lastReply()?.replaces
      const entries = waits ? this.#state.entries.slice(-2) : []
      if (!waits) this.#endUnheard()
      this.#forget()
      this.#set({ ...EMPTY_CHAT, entries, turn: waits ? this.#state.turn : 'idle' })
      this.#owner = undefined
    }
    this.#visitor.keep(token)
    this.#carry()
  }

  /** Reads again what was said when a message came that this page did not ask for. */
  async refresh(messageId: string): Promise<void> {
    const { entries, turn } = this.#state
    if (turn !== 'idle') return
    if (entries.some((entry) => entry.kind === 'reply' && entry.messageId === messageId)) return
    await this.#loadHistory()
    this.#save()
  }

  /** Forgets the person and all that this browser keeps of the tenant's chats; the page starts anew. */
  signOut(): void {
    this.#state = { ...EMPTY_CHAT, turn: 'leaving' }
    this.#endUnheard()
    this.#forget()
    location.reload()
  }

  /** Nothing of the turn that runs is shown or kept any more. */
  #endUnheard(): void {
    this.#turn?.abort()
    this.#turn = null
    this.#bearer = null
    this.#frames = []
  }

  #forget(): void {
    const { id } = this.#boot.tenant
    deleteHistory(id)
    forgetStored(`parley:${id}:`)
  }

  /** Language of the page, sent along with every request. */
  set lang(lang: string) {
    this.#api.lang = lang
  }

  get state(): ChatState {
    return this.#state
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Brings back the chat of this browser and goes on with a reply that was still being written. */
  async restore(): Promise<void> {
    void loadCode(loadReader).catch(() => undefined)
    takeFromTab(this.#storeKey)
    const { userId, pending, storyline = null, ...kept } = readTranscript(this.#storeKey)
    this.#set({ ...kept, storyline, queue: readQueue(this.#storeKey) })
    this.#owner = userId
    this.#carry()
    const last = this.#lastReply()
    if (last?.state === 'live' || last?.state === 'waiting') {
      if (pending === null) this.#end({ kind: 'connection' })
      else await this.#follow(last.key, pending)
    } else if (this.#boot.features.history) {
      await this.#loadHistory()
    }
    await this.#sendQueue()
  }

  /** Who is signed in; null for a visitor without an account. */
  userId(): string | null {
    return signedInUser(this.token)
  }

  /** Says that another chat is being fetched, for as long as it is. */
  async whileLoading<T>(fetched: Promise<T>): Promise<T> {
    this.#set({ loading: true })
    try {
      return await fetched
    } finally {
      this.#set({ loading: false })
    }
  }

  /** Goes on with another chat of the same person; without an id, a new one begins below. False while a reply is being written. */
  open(sessionId: string | null, entries: readonly Entry[]): boolean {
    if (this.#state.turn !== 'idle') return false
    this.#owner = this.userId()
    this.#set({ ...EMPTY_CHAT, entries, sessionId, queue: this.#state.queue })
    this.#save()
    return true
  }

  /**
   * Once the visitor of this browser signed in, here or in another tab: what was said stays to be read, and the account
   * begins a session of its own. False when the open chat is not a visitor's, or is still being answered.
   */
  #carry(): boolean {
    if (!this.#wasVisitor() || this.#state.sessionId === null || this.#turn) return false
    this.#end(null)
    this.carried = this.#state
    this.#owner = this.userId()
    this.#set({
      sessionId: null,
      storyline: null,
      entries: [...this.#state.entries, SIGNED_IN],
    })
    this.#save()
    return true
  }

  /** Whether the person signed in since the open chat's session was theirs. */
  #wasVisitor(): unknown {
    return this.#owner === null && this.userId()
  }

  /** Takes back a message that has not been sent. */
  unqueue(key: string): void {
    this.#setQueue(this.#state.queue.filter((entry) => entry.key !== key))
  }

  /** @param audio a recording as a data URL, in the place of words */
  async send(text: string, images: readonly OwnImage[], audio?: string): Promise<void> {
    const { turn, queue } = this.#state
    const waits = turn === 'leaving' || !navigator.onLine || queue.length > 0
    if (turn !== 'idle' && !waits) return
    const said = { text, images, ...(audio === undefined ? {} : { audio }) }
    const user: UserEntry = { kind: 'user', key: randomKey(), ...said, at: Date.now() }
    // A page that is about to start anew leaves it to the next one; nobody overtakes what was said before.
    if (waits) {
      this.#setQueue([...queue, user])
      void this.#sendQueue()
      // What was laid by later than the reload began is not in it.
      if (turn === 'leaving' && handQueueOn(this.#storeKey)) location.reload()
      return
    }
    this.#set({ entries: [...this.#state.entries, user], previous: null })
    await this.#ask(user)
  }

  /** Repeats the last message after a failure: first by fetching the answer that may exist, else by asking again. */
  async retry(): Promise<void> {
    const { entries, turn } = this.#state
    const reply = entries.at(-1)
    const user = entries.findLast((entry): entry is UserEntry => entry.kind === 'user')
    if (turn !== 'idle' || reply?.kind !== 'reply' || !user) return
    if (reply.problem?.kind === 'connection' && reply.messageId !== null) {
      const ended = await this.#follow(reply.key, reply.messageId)
      if (ended) return
    }
    this.#set({ entries: this.#state.entries.filter((entry) => entry.key !== reply.key) })
    await this.#ask(user)
  }

  /** Asks the server to stop; what was written so far stays. */
  async stop(): Promise<void> {
    const turn = this.#turn
    if (this.#state.turn !== 'running' || turn === null) return
    this.#set({ turn: 'stopping' })
    setTimeout(() => turn.abort(), STOP_PATIENCE_MS)
    if (this.#lastReply()?.messageId) await this.#requestStop()
  }

  startNew(): void {
    const { entries, sessionId, turn, queue } = this.#state
    if (turn !== 'idle' || entries.length === 0) return
    this.#set({ ...EMPTY_CHAT, previous: { entries, sessionId }, queue })
    this.#save()
  }

  undoNew(): void {
    const { previous } = this.#state
    if (previous === null) return
    this.#set({ ...previous, previous: null })
    this.#save()
  }

  /** Stores a thumb for a reply. Rejects when the server did not take it; the mark is then removed. */
  async rate(key: string, value: 'up' | 'down', said: RatingWords): Promise<void> {
    const reply = this.#state.entries.find((e): e is ReplyEntry => e.key === key)
    const token = this.token
    if (!reply?.messageId || token === null) throw new Error('nothing to rate')
    const before = reply.feedback
    this.#patch(key, { feedback: value })
    const response = await this.#api.rate(reply.messageId, value, said, token).catch(() => null)
    if (response?.ok !== true) {
      this.#patch(key, { feedback: before })
      throw new Error('feedback refused')
    }
    this.#save()
  }

  /** Asks again in the place of what was said: after `before`, the message that is to be answered. */
  async askAgain(replaces: string, before: readonly Entry[], user: UserEntry): Promise<void> {
    if (this.#state.turn !== 'idle') return
    this.#set({ entries: [...before, user], previous: null })
    await this.#ask(user, { replaces })
  }

  /** Shows other words for the same conversation. */
  rewrite(entries: readonly Entry[]): void {
    if (this.#state.turn !== 'idle') return
    this.#set({ entries })
    this.#save()
  }

  async #ask(user: UserEntry, again: Pick<ReplyEntry, 'replaces'> = {}): Promise<void> {
    const reply = { ...newReply(randomKey(), Date.now()), ...again }
    this.#set({ entries: [...this.#state.entries, reply] })
    this.#save()
    await this.#run(null, (signal) => this.#open(user, signal))
  }

  /** Goes on with a reply by its id, from its first frame. False when the server no longer has it. */
  async #follow(key: string, messageId: string): Promise<boolean> {
    const reply = this.#state.entries.find((e): e is ReplyEntry => e.key === key)
    if (!reply) return false
    this.#patch(key, { ...newReply(key, reply.at), messageId })
    await this.#run(messageId, () => Promise.reject(new Error('not opened here')))
    return this.#lastReply()?.state === 'done'
  }

  async #run(
    known: string | null,
    open: (signal: AbortSignal) => Promise<Response>,
  ): Promise<void> {
    const turn = new AbortController()
    this.#turn = turn
    this.#bearer = known === null ? null : this.token
    this.#set({ turn: 'running' })
    let problem: Problem | null = null
    try {
      const [{ followTurn }, start] = await Promise.all([
        loadCode(loadReader),
        known ?? open(turn.signal),
      ])
      const end = await followTurn(
        {
          resume: (messageId, lastId) =>
            this.#api.resume(messageId, lastId, this.#turnToken(), turn.signal),
          onFrame: (frame) => this.#turn === turn && this.#receive(frame),
          onLost: (lost) => this.#set({ connection: lost ? 'lost' : 'ok' }),
          pause: (ms) => pauseUntilOnline(ms, turn.signal),
          onBack: (listener, signal) => addEventListener('online', listener, { signal }),
          signal: turn.signal,
        },
        start,
      )
      if (end === 'lost') problem = { kind: 'connection' }
    } catch (error) {
      if (error instanceof RequestFailed) problem = error.problem
      else if (!turn.signal.aborted) problem = { kind: navigator.onLine ? 'connection' : 'offline' }
    }
    if (this.#turn !== turn) return
    this.#turn = null
    this.#bearer = null
    this.#flush()
    const last = this.#lastReply()
    const isUnsent = last?.messageId === null && !last.replaces
    const mayWait = problem?.kind === 'offline' || (this.#sending && problem?.kind === 'connection')
    if (isUnsent && mayWait) this.#putBack()
    else this.#end(problem)
    this.#carry()
    if (problem === null) void this.#sendQueue()
  }

  /**
   * What waits goes out in order, one turn after the other, until one is refused. A browser calls itself online before its
   * network carries anything: what does not arrive waits on, and goes out again as the same attempt.
   */
  async #sendQueue(): Promise<void> {
    if (this.#sending) return
    this.#sending = true
    const never = new AbortController().signal
    for (let failures = 0; navigator.onLine && this.#state.turn === 'idle'; ) {
      const [next, ...rest] = this.#state.queue
      if (next === undefined) break
      this.#setQueue(rest)
      this.#set({ entries: [...this.#state.entries, next], previous: null })
      await this.#ask(next)
      if (this.#state.queue[0] === next) {
        await pauseUntilOnline(Math.min(500 * 2 ** failures, MAX_QUEUE_PAUSE_MS), never)
        failures += 1
      } else if (this.#lastReply()?.state === 'failed') break
      else failures = 0
    }
    this.#sending = false
  }

  /** A message that never reached the server waits at the head of the queue. */
  #putBack(): void {
    const user = this.#state.entries.findLast((entry): entry is UserEntry => entry.kind === 'user')
    const reply = this.#lastReply()
    this.#set({
      entries: this.#state.entries.filter((entry) => entry !== user && entry !== reply),
      turn: 'idle',
      connection: 'ok',
    })
    if (user) this.#setQueue([user, ...this.#state.queue])
    this.#save()
  }

  #setQueue(queue: readonly UserEntry[]): void {
    this.#set({ queue })
    writeQueue(this.#storeKey, queue)
  }

  /** The end of a turn, whatever brought it: a reply without an end of its own gets one. */
  #end(problem: Problem | null): void {
    const reply = this.#lastReply()
    if (reply && (reply.state === 'waiting' || reply.state === 'live')) {
      this.#patch(
        reply.key,
        problem === null
          ? { state: 'done', finishReason: 'stopped' }
          : { state: 'failed', finishReason: 'error', problem },
      )
    }
    this.#set({ turn: 'idle', connection: 'ok' })
    this.#save()
  }

  /** One POST of the message; an expired visit is renewed and a lost session replaced, each once and silently. */
  async #open(user: UserEntry, signal: AbortSignal): Promise<Response> {
    for (let attempt = 0; ; attempt++) {
      await this.whoAsks?.(signal)
      let token = this.token
      if (token === null) {
        if (this.#visitor.isKnown() || attempt > 0) this.#loseSession(user.key)
        token = await this.#visitor.register(this.#api.lang, Date.now())
      }
      signal.throwIfAborted()
      this.#bearer = token
      const { sessionId } = this.#state
      const replaces = this.#lastReply()?.replaces
      const response = await this.#api.ask(
        {
          // An answer is made anew from what the server has of its question, pictures too.
          message: replaces && replaces !== user.messageId ? undefined : user.text,
          replaces,
          sessionId,
          greetingId: this.greetingId,
          images: replaces ? [] : user.images.flatMap((image) => image.dataUrl ?? []),
          audio: replaces || user.text !== '' ? undefined : user.audio,
          attempt: this.#attempt(user.key),
        },
        token,
        signal,
      )
      if (response.ok) {
        this.#owner = signedInUser(token)
        return response
      }
      this.#attempts.delete(user.key)
      if (response.status === 422 && sessionId === null && this.greetingId !== undefined) {
        // It has ended: the page was open for too long.
        this.greetingId = undefined
        continue
      }
      if (attempt === 0 && response.status === 401) {
        if (this.token === token) this.#visitor.forget()
        continue
      }
      if (attempt === 0 && response.status === 404 && sessionId !== null && !replaces) {
        this.#loseSession(user.key)
        continue
      }
      throw new RequestFailed(await problemOf(response, Date.now()))
    }
  }

  /** The turn's own token once it is another person's than the page's. */
  #turnToken(): string | null {
    return signedInUser(this.#bearer) === this.userId() ? this.token : this.#bearer
  }

  async #requestStop(): Promise<void> {
    const token = this.#turnToken()
    const { sessionId } = this.#state
    if (token === null || sessionId === null) return
    // A failed request changes nothing: the patience of `stop` ends the reply on this side.
    await this.#api.stop(sessionId, token).catch(() => undefined)
  }

  async #loadHistory(): Promise<void> {
    const token = this.token
    const { sessionId, entries: before } = this.#state
    if (token === null || sessionId === null) return
    const response = await this.#api.messages(sessionId, token).catch(() => null)
    if (response?.ok !== true) return
    const reader = await import('./net/listed-messages').catch(() => null)
    const entries = reader?.entriesOfMessages(await response.json().catch(() => null))
    if (!entries || entries.length === 0 || this.#state.turn !== 'idle') return
    // Another chat, or more of this one, has come meanwhile.
    if (this.#state.sessionId !== sessionId || this.#state.entries.length !== before.length) return
    // What a reply asked for is not in the list: its options, its form, how it ended.
    const known = (listed: Entry) =>
      this.#state.entries.find(
        (entry) =>
          entry.kind === 'reply' &&
          entry.messageId === listed.key &&
          listed.kind === 'reply' &&
          entry.text === listed.text,
      )
    this.#set({ entries: entries.map((entry) => known(entry) ?? entry) })
  }

  /** The server knows nothing of the earlier messages any more: say so where the new start is. */
  #loseSession(userKey: string): void {
    if (this.#state.sessionId === null) return
    const { entries: said } = this.#state
    const at = said.findIndex((entry) => entry.key === userKey)
    const before = said.slice(0, at)
    const note = this.#wasVisitor() ? 'carried' : 'renewed'
    if (note === 'carried') this.carried = { ...this.#state, entries: before }
    const entries: Entry[] = [
      ...before,
      { ...SIGNED_IN, key: randomKey(), note },
      ...said.slice(at),
    ]
    this.#set({ sessionId: null, storyline: null, entries })
  }

  #attempt(userKey: string): string {
    const key = this.#attempts.get(userKey) ?? randomKey()
    this.#attempts.set(userKey, key)
    return key
  }

  /** Frames are applied once per painted frame, in the background by a timer. */
  #receive(frame: Frame): void {
    this.#frames.push(frame)
    if (frame.type === 'session') {
      this.#attempts.clear()
      this.#flush()
      this.#set({ sessionId: frame.sessionId })
      this.#save()
      if (this.#state.turn === 'stopping') void this.#requestStop()
      return
    }
    if (this.#flushing) return
    this.#flushing = true
    if (document.hidden) setTimeout(() => this.#flush(), HIDDEN_FLUSH_MS)
    else requestAnimationFrame(() => this.#flush())
  }

  #flush(): void {
    this.#flushing = false
    const frames = this.#frames
    const reply = this.#lastReply()
    if (frames.length === 0 || !reply) return
    this.#frames = []
    this.#patch(reply.key, frames.reduce(applyFrame, reply))
    for (const frame of frames) {
      if (frame.type === 'storyline') this.#set({ storyline: frame.storyline })
      if (frame.type === 'transcript') this.#ownWords(frame.text)
    }
    if (Date.now() - this.#savedAt > SAVE_INTERVAL_MS) this.#save()
  }

  /** What was said in a recording becomes the text of the visitor's last message. */
  #ownWords(text: string): void {
    const user = this.#state.entries.findLast((entry) => entry.kind === 'user')
    if (user) this.#patch(user.key, { text })
  }

  #lastReply(): ReplyEntry | null {
    const last = this.#state.entries.at(-1)
    return last?.kind === 'reply' ? last : null
  }

  #patch(key: string, change: Partial<ReplyEntry> | Partial<UserEntry>): void {
    this.#set({
      entries: this.#state.entries.map((entry) =>
        entry.key === key ? ({ ...entry, ...change } as Entry) : entry,
      ),
    })
  }

  #save(): void {
    this.#savedAt = Date.now()
    writeTranscript(this.#storeKey, this.#state, this.#owner)
  }

  #set(change: Partial<ChatState>): void {
    this.#state = { ...this.#state, ...change }
    for (const listener of this.#listeners) listener()
  }
}

/** 128 random bits in hex. */
function randomKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
}

/** Waits, but goes on at once when the browser comes back online. Rejects when the signal aborts. */
function pauseUntilOnline(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = new AbortController()
    const finish = (settle: () => void) => () => {
      clearTimeout(timer)
      end.abort()
      settle()
    }
    const timer = setTimeout(finish(resolve), ms)
    addEventListener('online', finish(resolve), { signal: end.signal })
    signal.addEventListener(
      'abort',
      finish(() => reject(signal.reason)),
      { signal: end.signal },
    )
  })
}
