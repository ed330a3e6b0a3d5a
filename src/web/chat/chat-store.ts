import type { ChatBootstrap } from '../../pages/types'
import { signedInUser } from '../kit/net/token-source'
import {
  type ChatState,
  EMPTY_CHAT,
  type Entry,
  type ReplyEntry,
  type UserEntry,
} from './model/chat'
import { AgentName } from './net/agent-name'
import { KEPT_ENTRIES, readTranscript, writeQueue, writeTranscript } from './net/transcript'
import { Visitor } from './net/visitor'

/** What is the same of an entry in every tab. */
const nameOf = (entry: Entry): string =>
  (entry.kind === 'reply' ? entry.messageId : null) ?? entry.key

/** The conversation as it stands: what is shown, whose it is, and what of it the browser keeps. */
export class ChatStore {
  #state: ChatState = EMPTY_CHAT
  readonly #listeners = new Set<() => void>()
  readonly agent: AgentName
  readonly visitor: Visitor
  /** Under which the browser keeps it. */
  readonly key: string
  /** Whose session the open chat is: who was signed in when it was last heard of. */
  owner: string | null | undefined
  /** What the person said as a visitor, for the list of chats, which takes it. */
  carried: ChatState | null = null
  savedAt = 0

  constructor({ tenant, agent }: ChatBootstrap) {
    this.agent = new AgentName(agent.name)
    this.visitor = new Visitor(tenant.id, this.agent)
    this.key = `parley:${tenant.id}:${agent.id}:chat`
  }

  get state(): ChatState {
    return this.#state
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  set(change: Partial<ChatState>): void {
    this.#state = { ...this.#state, ...change }
    for (const listener of this.#listeners) listener()
  }

  /** Forgets without telling anybody: the page is about to start anew. */
  leave(): void {
    this.#state = { ...EMPTY_CHAT, turn: 'leaving' }
  }

  patch(key: string, change: Partial<ReplyEntry> | Partial<UserEntry>): void {
    this.set({
      entries: this.#state.entries.map((entry) =>
        entry.key === key ? ({ ...entry, ...change } as Entry) : entry,
      ),
    })
  }

  setQueue(queue: readonly UserEntry[]): void {
    this.set({ queue })
    writeQueue(this.key, queue)
  }

  save(): void {
    this.savedAt = Date.now()
    writeTranscript(this.key, this.#state, this.owner)
  }

  /** What another tab of this browser said in the same chat, once it is answered. What only this one knows stays. */
  takeFromOtherTab(): void {
    const { sessionId, entries: own, turn } = this.#state
    const { entries, storyline = null, ...kept } = readTranscript(this.key)
    const last = entries.at(-1)
    const isOver = last?.kind !== 'reply' || last.state === 'done' || last.state === 'failed'
    const isSame = sessionId !== null && kept.sessionId === sessionId && kept.userId === this.owner
    const there = new Set(entries.map(nameOf))
    // One tab has it from the server, the greeting too, the other as it was asked there: questions go with their answers.
    const isThere = (entry: Entry) => entry.kind === 'user' || there.has(nameOf(entry))
    const shared = own.findIndex((entry) => entry.kind === 'reply' && isThere(entry))
    const isCut = entries.length >= KEPT_ENTRIES && shared >= 0
    // Of a long chat the browser keeps but the end.
    const begins =
      shared - entries.findIndex((entry) => nameOf(entry) === nameOf(own[shared] ?? entry))
    const greeting = own.slice(0, 1).filter((entry) => entry.kind === 'reply' && !isThere(entry))
    const above = isCut ? own.slice(0, Math.max(0, begins)) : greeting
    const isKnown = own.slice(above.length).every(isThere)
    if (turn !== 'idle' || !isOver || !isSame || !isKnown) return
    // Of pictures the browser keeps no more than their names.
    const asked = new Map(
      own.flatMap((entry, at) =>
        entry.kind === 'user' ? [[nameOf(own[at + 1] ?? entry), entry] as const] : [],
      ),
    )
    const taken = entries.map((entry, at): Entry => {
      if (entry.kind !== 'user') return entry
      const mine = asked.get(nameOf(entries[at + 1] ?? entry))
      return mine ? { ...entry, key: mine.key, images: mine.images } : entry
    })
    this.set({ entries: [...above, ...taken], storyline })
  }

  /** The reply that stands last; null when something else does. */
  lastReply(): ReplyEntry | null {
    const last = this.#state.entries.at(-1)
    return last?.kind === 'reply' ? last : null
  }

  lastOwn(): UserEntry | undefined {
    return this.#state.entries.findLast((entry): entry is UserEntry => entry.kind === 'user')
  }

  findReply(key: string): ReplyEntry | undefined {
    return this.#state.entries.find((e): e is ReplyEntry => e.key === key)
  }

  /** The visitor's or the signed-in person's token, while there is a valid one. */
  get token(): string | null {
    return this.visitor.current(Date.now())
  }

  /** Who is signed in; null for a visitor without an account. */
  userId(): string | null {
    return signedInUser(this.token)
  }

  /** Whether the person signed in since the open chat's session was theirs. */
  wasVisitor(): boolean {
    return this.owner === null && this.userId() !== null
  }
}
