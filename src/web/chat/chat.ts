import type { ChatBootstrap } from '../../pages/types'
import { deleteHistory } from '../kit/net/forget'
import { randomKey } from '../kit/net/random-key'
import { forgetStored, keepInTab, takeFromTab } from '../kit/net/storage'
import { signedInUser } from '../kit/net/token-source'
import { pauseUntilOnline } from '../kit/turn/pause'
import { loadCode } from './app/load-code'
import { ChatStore } from './chat-store'
import {
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
import { ChatApi, type RatingWords } from './net/chat-api'
import { FrameBuffer } from './net/frame-buffer'
import { RequestFailed } from './net/problem'
import { handQueueOn, readQueue, readTranscript } from './net/transcript'
import { TurnOpener } from './net/turn-opener'
import { WaitingMessages } from './net/waiting-messages'

/** How long Stop waits for the server's own end before the page ends the reply itself. */
const STOP_PATIENCE_MS = 3000

/** What reads an answer: fetched once the page stands, at the latest beside the question that it is for. */
const loadReader = () => import('../kit/turn/turn-stream')

/** The conversation of one visitor with one agent: everything that changes it. */
export class Chat {
  readonly #boot: ChatBootstrap
  readonly #api: ChatApi
  readonly #store: ChatStore
  readonly #opener: TurnOpener
  readonly #waiting: WaitingMessages
  readonly #frames: FrameBuffer
  #turn: AbortController | null = null

  constructor(boot: ChatBootstrap, lang: string) {
    this.#boot = boot
    this.#store = new ChatStore(boot)
    this.#api = new ChatApi(this.#store.agent, lang)
    this.#opener = new TurnOpener(this.#store, this.#api)
    this.#waiting = new WaitingMessages(this.#store, (user) => this.#ask(user))
    this.#frames = new FrameBuffer(this.#store, () => {
      this.#opener.arrived()
      if (this.state.turn === 'stopping') void this.#requestStop()
    })
    addEventListener('pagehide', () => {
      this.#store.save()
      // A visitor may come back signed in, and all tabs keep their chat in one place.
      keepInTab(this.#store.key, this.#store.owner === null)
    })
    addEventListener('online', () => void this.#waiting.send())
    addEventListener('storage', ({ key, newValue }) => {
      // Signed out in another tab: nothing of the person's stays in this one either.
      if (key === this.#store.visitor.key && newValue === null && this.#store.owner) this.signOut()
      else {
        if (key === this.#store.key) this.#store.takeFromOtherTab()
        this.#carry()
      }
    })
  }

  get state(): ChatState {
    return this.#store.state
  }

  subscribe(listener: () => void): () => void {
    return this.#store.subscribe(listener)
  }

  /** The visitor's or the signed-in person's token, while there is a valid one. */
  get token(): string | null {
    return this.#store.token
  }

  /** What the person said as a visitor, for the list of chats, which takes it. */
  get carried(): ChatState | null {
    return this.#store.carried
  }

  set carried(carried: ChatState | null) {
    this.#store.carried = carried
  }

  /** Resolves once another site has said who asks. */
  set whoAsks(known: (signal: AbortSignal) => Promise<void>) {
    this.#opener.whoAsks = known
  }

  get greetingId(): string | undefined {
    return this.#opener.greetingId
  }

  /** What a new session begins with: the greeting that was read. */
  set greetingId(id: string | undefined) {
    this.#opener.greetingId = id
  }

  /** Where the next token comes from once one has run out; without it, a visitor's is taken. */
  set renewal(renew: (() => Promise<string>) | null) {
    this.#store.visitor.renewal = renew
  }

  /** Goes on as the person of a token that came from elsewhere. Nothing of another person's stays but what waits to be asked. */
  adopt(token: string): void {
    const owner =
      this.#opener.bearer === null ? this.#store.owner : signedInUser(this.#opener.bearer)
    if (owner && owner !== signedInUser(token)) {
      const waits =
        this.#turn !== null && this.#opener.bearer === null && !this.#store.lastReply()?.replaces
      const entries = waits ? this.state.entries.slice(-2) : []
      if (!waits) this.#endUnheard()
      this.#forget()
      this.#store.set({ ...EMPTY_CHAT, entries, turn: waits ? this.state.turn : 'idle' })
      this.#store.owner = undefined
    }
    this.#store.visitor.keep(token)
    this.#carry()
  }

  /** Reads again what was said when a message came that this page did not ask for. */
  async refresh(messageId: string): Promise<void> {
    const { entries, turn } = this.state
    if (turn !== 'idle') return
    if (entries.some((entry) => entry.kind === 'reply' && entry.messageId === messageId)) return
    await this.#loadHistory()
    this.#store.save()
  }

  /** Forgets the person and all that this browser keeps of the tenant's chats; the page starts anew. */
  signOut(): void {
    this.#store.leave()
    this.#endUnheard()
    this.#forget()
    location.reload()
  }

  /** The server takes this token no longer. Where it is a person's, nothing of theirs stays, as after signing out. */
  refused(token: string): void {
    const { turn, sessionId } = this.state
    const isCurrent = token === this.token && this.userId() !== null && turn === 'idle'
    // Who hands out tokens hands out the next; a site that knows one only would hand it out again after the reload.
    const isHanded = this.#store.visitor.renewal !== null || (this.#boot.framed && !sessionId)
    if (isCurrent && !isHanded) this.signOut()
  }

  /** Nothing of the turn that runs is shown or kept any more. */
  #endUnheard(): void {
    this.#turn?.abort()
    this.#turn = null
    this.#opener.bearer = null
    this.#frames.drop()
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

  /** Brings back the chat of this browser and goes on with a reply that was still being written. */
  async restore(): Promise<void> {
    void loadCode(loadReader).catch(() => undefined)
    takeFromTab(this.#store.key)
    const { userId, pending, storyline = null, ...kept } = readTranscript(this.#store.key)
    this.#store.set({ ...kept, storyline, queue: readQueue(this.#store.key) })
    this.#store.owner = userId
    this.#carry()
    const last = this.#store.lastReply()
    if (last?.state === 'live' || last?.state === 'waiting') {
      if (pending === null) this.#end({ kind: 'connection' })
      else await this.#follow(last.key, pending)
    } else if (this.#boot.features.history) {
      await this.#loadHistory()
    }
    await this.#waiting.send()
  }

  /** Who is signed in; null for a visitor without an account. */
  userId(): string | null {
    return this.#store.userId()
  }

  /** Says that another chat is being fetched, for as long as it is. */
  async whileLoading<T>(fetched: Promise<T>): Promise<T> {
    this.#store.set({ loading: true })
    try {
      return await fetched
    } finally {
      this.#store.set({ loading: false })
    }
  }

  /** Goes on with another chat of the same person; without an id, a new one begins below. False while a reply is being written. */
  open(sessionId: string | null, entries: readonly Entry[]): boolean {
    if (this.state.turn !== 'idle') return false
    this.#store.owner = this.userId()
    this.#store.set({ ...EMPTY_CHAT, entries, sessionId, queue: this.state.queue })
    this.#store.save()
    return true
  }

  /**
   * Once the visitor of this browser signed in, here or in another tab: what was said stays to be read, and the account
   * begins a session of its own. False when the open chat is not a visitor's, or is still being answered.
   */
  #carry(): boolean {
    if (!this.#store.wasVisitor() || this.state.sessionId === null || this.#turn) return false
    this.#end(null)
    this.#store.carried = this.state
    this.#store.owner = this.userId()
    this.#store.set({
      sessionId: null,
      storyline: null,
      entries: [...this.state.entries, SIGNED_IN],
    })
    this.#store.save()
    return true
  }

  /** Takes back a message that has not been sent. */
  unqueue(key: string): void {
    this.#store.setQueue(this.state.queue.filter((entry) => entry.key !== key))
  }

  /** @param audio a recording as a data URL, in the place of words */
  async send(text: string, images: readonly OwnImage[], audio?: string): Promise<void> {
    const { turn, queue } = this.state
    const waits = turn === 'leaving' || !navigator.onLine || queue.length > 0
    if (turn !== 'idle' && !waits) return
    const said = { text, images, ...(audio === undefined ? {} : { audio }) }
    const user: UserEntry = { kind: 'user', key: randomKey(), ...said, at: Date.now() }
    // A page that is about to start anew leaves it to the next one; nobody overtakes what was said before.
    if (waits) {
      this.#store.setQueue([...queue, user])
      void this.#waiting.send()
      // What was laid by later than the reload began is not in it.
      if (turn === 'leaving' && handQueueOn(this.#store.key)) location.reload()
      return
    }
    this.#store.set({ entries: [...this.state.entries, user], previous: null })
    await this.#ask(user)
  }

  /** Repeats the last message after a failure: first by fetching the answer that may exist, else by asking again. */
  async retry(): Promise<void> {
    const { entries, turn } = this.state
    const reply = entries.at(-1)
    const user = this.#store.lastOwn()
    if (turn !== 'idle' || reply?.kind !== 'reply' || !user) return
    if (reply.problem?.kind === 'connection' && reply.messageId !== null) {
      const ended = await this.#follow(reply.key, reply.messageId)
      if (ended) return
    }
    this.#store.set({ entries: this.state.entries.filter((entry) => entry.key !== reply.key) })
    await this.#ask(user)
  }

  /** Asks the server to stop; what was written so far stays. */
  async stop(): Promise<void> {
    const turn = this.#turn
    if (this.state.turn !== 'running' || turn === null) return
    this.#store.set({ turn: 'stopping' })
    setTimeout(() => turn.abort(), STOP_PATIENCE_MS)
    if (this.#store.lastReply()?.messageId) await this.#requestStop()
  }

  startNew(): void {
    const { entries, sessionId, turn, queue } = this.state
    if (turn !== 'idle' || entries.length === 0) return
    this.#store.set({ ...EMPTY_CHAT, previous: { entries, sessionId }, queue })
    this.#store.save()
  }

  undoNew(): void {
    const { previous } = this.state
    if (previous === null) return
    this.#store.set({ ...previous, previous: null })
    this.#store.save()
  }

  /** Stores a thumb for a reply. Rejects when the server did not take it; the mark is then removed. */
  async rate(key: string, value: 'up' | 'down', said: RatingWords): Promise<void> {
    const reply = this.#store.findReply(key)
    const token = this.token
    if (!reply?.messageId || token === null) throw new Error('nothing to rate')
    const before = reply.feedback
    this.#store.patch(key, { feedback: value })
    const response = await this.#api.rate(reply.messageId, value, said, token).catch(() => null)
    if (response?.ok !== true) {
      this.#store.patch(key, { feedback: before })
      throw new Error('feedback refused')
    }
    this.#store.save()
  }

  /** Asks again in the place of what was said: after `before`, the message that is to be answered. */
  async askAgain(replaces: string, before: readonly Entry[], user: UserEntry): Promise<void> {
    if (this.state.turn !== 'idle') return
    this.#store.set({ entries: [...before, user], previous: null })
    await this.#ask(user, { replaces })
  }

  /** Shows other words for the same conversation. */
  rewrite(entries: readonly Entry[]): void {
    if (this.state.turn !== 'idle') return
    this.#store.set({ entries })
    this.#store.save()
  }

  /** Shows what was said before, in the place of the note that there is more. */
  prepend(earlier: readonly Entry[]): void {
    this.#store.set({ entries: [...earlier, ...this.state.entries.slice(1)] })
  }

  async #ask(user: UserEntry, again: Pick<ReplyEntry, 'replaces'> = {}): Promise<void> {
    const reply = { ...newReply(randomKey(), Date.now()), ...again }
    this.#store.set({ entries: [...this.state.entries, reply] })
    this.#store.save()
    await this.#run(null, (signal) => this.#opener.open(user, signal))
  }

  /** Goes on with a reply by its id, from its first frame. False when the server no longer has it. */
  async #follow(key: string, messageId: string): Promise<boolean> {
    const reply = this.#store.findReply(key)
    if (!reply) return false
    this.#store.patch(key, { ...newReply(key, reply.at), messageId })
    await this.#run(messageId, () => Promise.reject(new Error('not opened here')))
    return this.#store.lastReply()?.state === 'done'
  }

  async #run(
    known: string | null,
    open: (signal: AbortSignal) => Promise<Response>,
  ): Promise<void> {
    const turn = new AbortController()
    this.#turn = turn
    this.#opener.bearer = known === null ? null : this.token
    this.#store.set({ turn: 'running' })
    let problem: Problem | null = null
    try {
      const [{ followTurn }, start] = await Promise.all([
        loadCode(loadReader),
        known ?? open(turn.signal),
      ])
      const end = await followTurn(
        {
          resume: (messageId, lastId) =>
            this.#api.resume(messageId, lastId, this.#opener.turnToken(), turn.signal),
          onFrame: (frame) => this.#turn === turn && this.#frames.receive(frame),
          onLost: (lost) => this.#store.set({ connection: lost ? 'lost' : 'ok' }),
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
    this.#opener.bearer = null
    this.#frames.flush()
    const last = this.#store.lastReply()
    const isUnsent = last?.messageId === null && !last.replaces
    const mayWait =
      problem?.kind === 'offline' || (this.#waiting.sending && problem?.kind === 'connection')
    if (isUnsent && mayWait) this.#waiting.putBack()
    else this.#end(problem)
    this.#carry()
    if (problem === null) void this.#waiting.send()
  }

  /** The end of a turn, whatever brought it: a reply without an end of its own gets one. */
  #end(problem: Problem | null): void {
    const reply = this.#store.lastReply()
    if (reply && (reply.state === 'waiting' || reply.state === 'live')) {
      this.#store.patch(
        reply.key,
        problem === null
          ? { state: 'done', finishReason: 'stopped' }
          : { state: 'failed', finishReason: 'error', problem },
      )
    }
    this.#store.set({ turn: 'idle', connection: 'ok' })
    this.#store.save()
  }

  async #requestStop(): Promise<void> {
    const token = this.#opener.turnToken()
    const { sessionId } = this.state
    if (token === null || sessionId === null) return
    // A failed request changes nothing: the patience of `stop` ends the reply on this side.
    await this.#api.stop(sessionId, token).catch(() => undefined)
  }

  async #loadHistory(): Promise<void> {
    const token = this.token
    const { sessionId, entries: before } = this.state
    if (token === null || sessionId === null) return
    const response = await this.#api.messages(sessionId, token).catch(() => null)
    if (response?.status === 401) this.refused(token)
    if (response?.ok !== true) return
    const reader = await import('./net/listed-messages').catch(() => null)
    const entries = reader?.entriesOfMessages(await response.json().catch(() => null))
    if (!reader || !entries || entries.length === 0 || this.state.turn !== 'idle') return
    // Another chat, or more of this one, has come meanwhile.
    if (this.state.sessionId !== sessionId || this.state.entries.length !== before.length) return
    // What a reply asked for is not in the list: its options, its form, how it ended.
    const known = (listed: Entry) =>
      this.state.entries.find(
        (entry) =>
          entry.kind === 'reply' &&
          entry.messageId === listed.key &&
          listed.kind === 'reply' &&
          entry.text === listed.text,
      )
    const [beginning, rest] = reader.keepBeginning(this.state.entries, entries)
    this.#store.set({ entries: [...beginning, ...rest.map((entry) => known(entry) ?? entry)] })
  }
}
