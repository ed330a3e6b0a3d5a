import { historyName } from '../../kit/net/forget'
import type { Entry } from '../model/chat'

/** A chat as it is kept on the device, for reading without a network. */
export interface KeptChat {
  id: string
  userId: string
  /** Its id; what an earlier page kept has the agent's name. */
  agent: string
  title: string | null
  /** ISO 8601, the server's. */
  updatedAt: string
  entries: readonly Entry[]
  /** Said before the person signed in: the server does not list it among theirs. */
  local?: true
}

const STORE = 'chats'
const KEPT = 20

/** The chats with one agent on this device. Every method settles; without a database there is nothing. */
export class HistoryStore {
  readonly #name: string
  readonly #agent: readonly string[]
  #database: Promise<IDBDatabase> | null = null

  /** @param agent its id and its name */
  constructor(tenantId: string, agent: readonly string[]) {
    this.#name = historyName(tenantId)
    this.#agent = agent
  }

  /** Newest first; what belongs to somebody else is removed, not shown. */
  async list(userId: string): Promise<KeptChat[]> {
    const all = await this.#run<KeptChat[]>('readonly', (store) => store.getAll())
    const foreign = (all ?? []).filter((chat) => chat.userId !== userId)
    for (const { id } of foreign) await this.#run('readwrite', (store) => store.delete(id))
    return (all ?? [])
      .filter((chat) => chat.userId === userId && this.#agent.includes(chat.agent))
      .sort((a, b) => b.updatedAt.localeCompare(a.updatedAt))
  }

  async put(chat: KeptChat): Promise<void> {
    await this.#run('readwrite', (store) => store.put(chat))
    const old = (await this.list(chat.userId)).slice(KEPT)
    for (const { id } of old) await this.#run('readwrite', (store) => store.delete(id))
  }

  async remove(id: string): Promise<void> {
    await this.#run('readwrite', (store) => store.delete(id))
  }

  async #run<T>(
    mode: IDBTransactionMode,
    work: (store: IDBObjectStore) => IDBRequest,
  ): Promise<T | null> {
    try {
      const database = await this.#open()
      return await new Promise<T>((resolve, reject) => {
        const transaction = database.transaction(STORE, mode)
        const request = work(transaction.objectStore(STORE))
        transaction.oncomplete = () => resolve(request.result as T)
        transaction.onabort = () => reject(transaction.error)
        transaction.onerror = () => reject(transaction.error)
      })
    } catch {
      this.#database = null
      return null
    }
  }

  #open(): Promise<IDBDatabase> {
    this.#database ??= new Promise((resolve, reject) => {
      const request = indexedDB.open(this.#name, 1)
      request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: 'id' })
      request.onerror = () => reject(request.error)
      request.onblocked = () => reject(new Error('blocked'))
      request.onsuccess = () => {
        const database = request.result
        // A sign-out in another tab deletes all of it and must not wait for this one.
        database.onversionchange = () => {
          database.close()
          this.#database = null
        }
        resolve(database)
      }
    })
    return this.#database
  }
}
