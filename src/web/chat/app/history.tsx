import { useEffect, useRef, useState } from 'preact/hooks'
import type { Chat } from '../chat'
import { SIGNED_IN } from '../model/chat'
import { HistoryStore, type KeptChat } from '../net/history-store'
import { entriesOfMessages } from '../net/transcript'
import { useApp, useChatState } from '../ui/context'
import { Icon } from '../ui/icons'

/** Chats that are kept for reading without a network. */
const SYNCED = 10
const TITLE_LENGTH = 80

interface Listed {
  id: string
  title: string | null
  updatedAt: string
}

/** The chats of a person who is signed in with one agent: the server's while there is a network, this device's without. */
class ChatHistory {
  readonly #agent: string
  readonly #chat: Chat
  readonly #store: HistoryStore
  #syncing: Promise<void> = Promise.resolve()

  constructor(tenantId: string, agent: string, chat: Chat) {
    this.#agent = agent
    this.#chat = chat
    this.#store = new HistoryStore(tenantId)
  }

  /** Keeps the latest chats on this device; one that has not changed is not fetched again. */
  sync(): Promise<void> {
    this.#syncing = this.#syncing.then(() => this.#syncNow()).catch(() => undefined)
    return this.#syncing
  }

  async list(): Promise<{ chats: Listed[]; isKept: boolean }> {
    const userId = this.#chat.userId()
    if (userId !== null) await this.#keepCarried(userId)
    const listed = await this.#fetchList()
    const kept = userId === null ? [] : await this.#store.list(userId, this.#agent)
    if (listed === null) return { chats: kept, isKept: true }
    const local = kept.filter((chat) => chat.local)
    const chats = [...listed, ...local].sort((a, b) => b.updatedAt.localeCompare(a.updatedAt))
    return { chats, isKept: false }
  }

  async open(id: string): Promise<boolean> {
    const userId = this.#chat.userId()
    if (userId === null) return false
    const kept = (await this.#store.list(userId, this.#agent)).find((chat) => chat.id === id)
    if (kept?.local) return this.#chat.open(null, [...kept.entries, SIGNED_IN])
    const entries = (await this.#fetchEntries(id)) ?? kept?.entries
    return entries !== undefined && this.#chat.open(id, entries)
  }

  async #syncNow(): Promise<void> {
    const userId = this.#chat.userId()
    if (userId !== null) await this.#keepCarried(userId)
    const listed = userId === null ? null : await this.#fetchList()
    if (userId === null || listed === null) return
    const kept = await this.#store.list(userId, this.#agent)
    for (const { id, title, updatedAt } of listed.slice(0, SYNCED)) {
      if (kept.some((chat) => chat.id === id && chat.updatedAt === updatedAt)) continue
      const entries = await this.#fetchEntries(id)
      // Signed out meanwhile: nothing more is written.
      if (entries === null || this.#chat.userId() !== userId) continue
      const chat: KeptChat = { id, userId, agent: this.#agent, title, updatedAt, entries }
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
      agent: this.#agent,
      title: first.text.slice(0, TITLE_LENGTH),
      updatedAt: new Date().toISOString(),
      entries: carried.entries,
      local: true,
    })
  }

  async #fetchList(): Promise<Listed[] | null> {
    const me = (await this.#get('/me')) as { space_id?: unknown } | null
    if (typeof me?.space_id !== 'string') return null
    const page = (await this.#get(
      `/me/spaces/${encodeURIComponent(me.space_id)}/sessions?limit=50`,
    )) as { items?: unknown } | null
    if (!Array.isArray(page?.items)) return null
    return page.items.flatMap((item: Record<string, unknown>) =>
      item.agent_name === this.#agent && typeof item.id === 'string'
        ? [
            {
              id: item.id,
              title: typeof item.title === 'string' ? item.title : null,
              updatedAt: String(item.updated_at),
            },
          ]
        : [],
    )
  }

  async #fetchEntries(id: string) {
    return entriesOfMessages(await this.#get(`/me/sessions/${encodeURIComponent(id)}/messages`))
  }

  async #get(path: string): Promise<unknown> {
    const token = this.#chat.token
    if (token === null || !navigator.onLine) return null
    try {
      const response = await fetch(path, { headers: { Authorization: `Bearer ${token}` } })
      return response.ok ? await response.json() : null
    } catch {
      return null
    }
  }
}

let history: ChatHistory | null = null

function useChatHistory(): ChatHistory {
  const { boot, chat } = useApp()
  history ??= new ChatHistory(boot.tenant.id, boot.agent.name, chat)
  return history
}

/** The entry in the menu and, once pressed, the list below it. */
export function HistoryItem({ onDone }: { onDone: () => void }) {
  const { chat, locale } = useApp()
  const { t } = locale
  const { turn } = useChatState()
  const chats = useChatHistory()
  const [found, setFound] = useState<{ chats: Listed[]; isKept: boolean } | null>(null)
  const [open, setOpen] = useState(false)
  const wasRunning = useRef(true)

  // At the start, after every turn, and when the visitor signed in elsewhere.
  const { carried } = chat
  useEffect(() => {
    if (turn === 'idle' && (wasRunning.current || carried)) void chats.sync()
    wasRunning.current = turn !== 'idle'
  }, [turn, chats, carried])

  const toggle = () => {
    setOpen(!open)
    if (open) return
    setFound(null)
    void chats.list().then(setFound)
  }
  return (
    <>
      <button type="button" class="menu-item" aria-expanded={open} onClick={toggle}>
        <Icon name="doc" />
        {t('history')}
      </button>
      {open && found !== null && (
        <div class="history">
          {found.isKept && <p class="quiet">{t('historyOffline')}</p>}
          {found.chats.length === 0 && <p class="quiet">{t('historyEmpty')}</p>}
          <ul>
            {found.chats.map(({ id, title, updatedAt }) => (
              <li key={id}>
                <button
                  type="button"
                  class="menu-item"
                  disabled={turn !== 'idle'}
                  onClick={() => void chats.open(id).then((shown) => shown && onDone())}
                >
                  <span dir="auto">{title ?? t('historyUntitled')}</span>
                  <time dateTime={updatedAt}>{locale.day(Date.parse(updatedAt))}</time>
                </button>
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  )
}
