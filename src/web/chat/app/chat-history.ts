import type { ChatBootstrap } from '../../../pages/types'
import { firstSigns } from '../../kit/first-signs'
import { writeStored } from '../../kit/net/storage'
import type { Chat } from '../chat'
import { type ChatState, type Entry, SIGNED_IN } from '../model/chat'
import { HistoryStore, type KeptChat } from '../net/history-store'
import { entriesOfMessages } from '../net/listed-messages'
import { draftKey } from '../ui/draft'

/** Chats that are kept for reading without a network. */
const SYNCED = 10
const TITLE_LENGTH = 80

/** So many pages are read until one has a chat with the agent. */
const SEARCHED_PAGES = 10
/** A deleted chat can be taken back so long. */
const UNDO_MS = 7000

export interface Listed {
  id: string
  title: string | null
  updatedAt: string
  /** Messages that came since it was last looked at. */
  unread?: number
  /** What was found, in its sentence. */
  snippet?: string
}

export interface ChatList {
  chats: Listed[]
  /** There is no network: these are kept on the device. */
  isKept: boolean
  /** Where the next page begins. */
  next: string | null
}

/** The chats of a person, or a visitor, with one agent: the server's while there is a network, this device's without. */
export class ChatHistory {
  readonly #tenantId: string
  readonly #agent: Pick<ChatBootstrap['agent'], 'id' | 'name'>
  readonly #chat: Chat
  readonly #store: HistoryStore
  #syncing: Promise<void> = Promise.resolve()
  /** Deleted here, and not yet on the server. */
  readonly #removed = new Set<string>()
  #space: { token: string; path: string } | null = null
  /** What is on the page. */
  #shown: ChatState
  /** The last entries of the chats that were marked as read. */
  readonly #read = new Set<Entry>()

  constructor(tenantId: string, agent: ChatBootstrap['agent'], chat: Chat) {
    this.#tenantId = tenantId
    this.#agent = agent
    this.#chat = chat
    this.#store = new HistoryStore(tenantId, [agent.id, agent.name])
    this.#shown = chat.state
    chat.subscribe(() => {
      const before = this.#shown
      this.#shown = chat.state
      if (before.sessionId !== chat.state.sessionId) this.#markRead(before)
    })
    addEventListener('pagehide', () => this.#markRead(this.#shown))
  }

  /** Keeps the latest chats on this device; one that has not changed is not fetched again. */
  sync(): Promise<void> {
    this.#syncing = this.#syncing.then(() => this.#syncNow()).catch(() => undefined)
    return this.#syncing
  }

  /** @param cursor null for the first page. */
  async list(cursor: string | null): Promise<ChatList> {
    const userId = this.#chat.userId()
    if (userId !== null) await this.#keepCarried(userId)
    const page = await this.#fetchList(cursor)
    const kept = userId === null ? [] : await this.#store.list(userId)
    if (page === null) return { chats: kept, isKept: true, next: null }
    const local = cursor === null ? kept.filter((chat) => chat.local) : []
    const chats = [...page.chats, ...local].filter(({ id }) => !this.#removed.has(id))
    chats.sort((a, b) => b.updatedAt.localeCompare(a.updatedAt))
    return { chats, isKept: false, next: page.next }
  }

  /** By title and by what was said. */
  async search(words: string): Promise<Listed[]> {
    const path = await this.#sessions()
    const query = new URLSearchParams({ q: words, agent: this.#agent.name })
    const hits = path && (await this.#get(`${path}/search?${query}`))
    return (Array.isArray(hits) ? hits : []).flatMap(
      ({ session_id: id, title, match, snippet, updated_at: updatedAt }) =>
        this.#removed.has(id)
          ? []
          : [{ id, title, updatedAt, ...(match !== 'title' && { snippet: String(snippet) }) }],
    )
  }

  async rename(id: string, title: string): Promise<boolean> {
    return (await this.#change('PATCH', id, { title }))?.ok === true
  }

  /** Gone from the list at once, from the server after a while; what this returns takes it back until then. */
  remove(id: string, onGone: () => void): () => void {
    this.#removed.add(id)
    const open = this.#chat.state
    const isOpen = open.sessionId === id
    const end = new AbortController()
    const go = () => {
      end.abort()
      onGone()
      void this.#change('DELETE', id)
      writeStored(draftKey(this.#tenantId, this.#agent.id, id), null)
      if (this.#chat.userId() !== null) void this.#store.remove(id)
    }
    const timer = setTimeout(go, UNDO_MS)
    addEventListener('pagehide', go, { signal: end.signal })
    // Not "New chat", which has a way back of its own.
    if (isOpen) this.#chat.open(null, [])
    return () => {
      clearTimeout(timer)
      end.abort()
      this.#removed.delete(id)
      const { sessionId, entries } = this.#chat.state
      if (isOpen && sessionId === null && entries.length === 0) this.#chat.open(id, open.entries)
    }
  }

  open(id: string): Promise<boolean> {
    return this.#chat.whileLoading(this.#open(id))
  }

  async #open(id: string): Promise<boolean> {
    const userId = this.#chat.userId()
    const own = userId === null ? [] : await this.#store.list(userId)
    const kept = own.find((chat) => chat.id === id)
    if (kept?.local) return this.#chat.open(null, [...kept.entries, SIGNED_IN])
    const entries = (await this.#fetchEntries(id)) ?? kept?.entries
    return entries !== undefined && this.#chat.open(id, entries)
  }

  async #syncNow(): Promise<void> {
    const userId = this.#chat.userId()
    if (userId !== null) await this.#keepCarried(userId)
    const listed = userId === null ? null : ((await this.#fetchList(null))?.chats ?? null)
    if (userId === null || listed === null) return
    const kept = await this.#store.list(userId)
    for (const { id, title, updatedAt } of listed.slice(0, SYNCED)) {
      if (kept.some((chat) => chat.id === id && chat.updatedAt === updatedAt)) continue
      const entries = await this.#fetchEntries(id)
      // Signed out meanwhile: nothing more is written.
      if (entries === null || this.#chat.userId() !== userId) continue
      const chat: KeptChat = { id, userId, agent: this.#agent.id, title, updatedAt, entries }
      await this.#store.put(chat)
    }
    for (const { id } of kept.filter(
      (chat) => !chat.local && !listed.some((one) => one.id === chat.id),
    )) {
      await this.#store.remove(id)
    }
  }

  /** What the person said as a visitor stays in the list of this device. */
  async #keepCarried(userId: string): Promise<void> {
    const { carried } = this.#chat
    this.#chat.carried = null
    const first = carried?.entries.find((entry) => entry.kind === 'user')
    if (!carried?.sessionId || !first) return
    await this.#store.put({
      id: carried.sessionId,
      userId,
      agent: this.#agent.id,
      title: firstSigns(first.text, TITLE_LENGTH),
      updatedAt: new Date().toISOString(),
      entries: carried.entries,
      local: true,
    })
  }

  /** From the first page on that has a chat with this agent: those with all agents come together. */
  async #fetchList(cursor: string | null): Promise<Omit<ChatList, 'isKept'> | null> {
    let page = await this.#fetchPage(cursor)
    for (let n = 1; n < SEARCHED_PAGES && page?.chats.length === 0 && page.next !== null; n++)
      page = await this.#fetchPage(page.next)
    return page
  }

  async #fetchPage(cursor: string | null): Promise<Omit<ChatList, 'isKept'> | null> {
    const path = await this.#sessions()
    const after = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const page = path && ((await this.#get(`${path}?limit=50${after}`)) as Page | null)
    if (!page || !Array.isArray(page.items)) return null
    const chats = page.items.flatMap((item: Record<string, unknown>) =>
      item.agent_name === this.#agent.name && typeof item.id === 'string'
        ? [
            {
              id: item.id,
              title: typeof item.title === 'string' ? item.title : null,
              updatedAt: String(item.updated_at),
              unread: Number(item.unread_count) || 0,
            },
          ]
        : [],
    )
    return { chats, next: typeof page.next_cursor === 'string' ? page.next_cursor : null }
  }

  /** Where the sessions of the token's own space are. */
  async #sessions(): Promise<string | null> {
    const { token } = this.#chat
    if (token === null) return null
    if (this.#space?.token !== token) {
      const me = (await this.#get('/me')) as { space_id?: unknown } | null
      if (typeof me?.space_id !== 'string') return null
      this.#space = { token, path: `/me/spaces/${encodeURIComponent(me.space_id)}/sessions` }
    }
    return this.#space.path
  }

  async #fetchEntries(id: string) {
    return entriesOfMessages(await this.#get(`/me/sessions/${encodeURIComponent(id)}/messages`))
  }

  async #get(path: string): Promise<unknown> {
    const token = this.#chat.token
    if (token === null || !navigator.onLine) return null
    try {
      const response = await fetch(path, { headers: { Authorization: `Bearer ${token}` } })
      if (response.status === 401) this.#chat.refused(token)
      return response.ok ? await response.json() : null
    } catch {
      return null
    }
  }

  /** Whoever leaves a chat has read what it shows. */
  #markRead({ sessionId, entries }: ChatState): void {
    const last = entries.at(-1)
    if (sessionId === null || last === undefined || this.#read.has(last)) return
    this.#read.add(last)
    if (this.#chat.token !== null) void this.#change('POST', `${sessionId}/read`)
  }

  /** Also while the page is being left. */
  #change(
    method: 'PATCH' | 'DELETE' | 'POST',
    path: string,
    body?: object,
  ): Promise<Response | null> {
    return fetch(`/me/sessions/${path}`, {
      method,
      keepalive: true,
      headers: {
        Authorization: `Bearer ${this.#chat.token}`,
        ...(body ? { 'Content-Type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    }).catch(() => null)
  }
}

interface Page {
  items?: unknown
  next_cursor?: unknown
}
