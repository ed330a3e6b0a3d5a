import type { Source } from '../../src/chat/events'
import { LIMITS } from '../../src/config/limits'
import { attachmentPath } from '../../src/platform/files'
import { KEYWORD_SCORE, TITLE_SCORE } from '../../src/sessions/near-titles'
import type { SpaceCaller, TurnRefusal } from '../../src/spaces/caller'
import type { Access } from './freeze'
import {
  type MessageRow,
  type MessageStatus,
  readBody,
  type SessionRow,
  sealBody,
} from './session-store'
import type { SpaceCore } from './space-core'
import type { SpaceKeys } from './space-keys'
import type { TitleVectors } from './title-vectors'

/** A session as its user (or the tenant) sees it. Times in milliseconds since 1970. */
export interface SessionView {
  id: string
  agentName: string
  channel: string
  title: string | null
  titleByUser: boolean
  messageCount: number
  readCount: number
  forkedFrom: string | null
  prefill: string | null
  createdAt: number
  updatedAt: number
}

export interface AttachmentView {
  id: string
  sessionId: string
  messageId: string
  mime: string
  /** Null when it does not open. */
  name: string | null
  sizeBytes: number
  createdAt: number
}

export interface MessageView {
  id: string
  sessionId: string
  role: 'user' | 'assistant'
  content: string | null
  agentName: string | null
  sources: Source[]
  attachments: AttachmentView[]
  /** `unreadable`: what is stored does not open, so `content` is null. */
  status: MessageStatus | 'unreadable'
  feedback: 'up' | 'down' | null
  createdAt: number
  editedAt: number | null
}

export interface CitedSource {
  agentName: string | null
  source: Source
}

export interface SearchView {
  sessionId: string
  title: string | null
  snippet: string
  score: number
  match: 'title' | 'keyword'
  updatedAt: number
}

export type SpaceRefusal =
  | TurnRefusal
  | { reason: 'message' | 'source' | 'attachment' | 'not_user_message' }
export type Answered<T> = { ok: true; value: T } | { ok: false; refusal: SpaceRefusal }

interface AttachmentRow extends Record<string, SqlStorageValue> {
  id: string
  session_id: string
  message_id: string
  mime: string
  name_sealed: string
  size_bytes: number
  wrapped_key: string
  created_at: number
}

const SEARCH_HITS = 20
const SNIPPET_CHARS = 160
const BRANCH_PARALLEL = 4

/** Reading and changing what a space holds: sessions, their messages and attachments. */
export class Sessions {
  readonly #core: SpaceCore
  readonly #titleVectors: TitleVectors

  constructor(core: SpaceCore, titleVectors: TitleVectors) {
    this.#core = core
    this.#titleVectors = titleVectors
  }

  get #sql(): SqlStorage {
    return this.#core.storage.sql
  }

  #with<T>(
    caller: SpaceCaller,
    access: Access,
    work: (keys: SpaceKeys) => Promise<Answered<T>>,
  ): Promise<Answered<T>> {
    return this.#core.freeze.during(async () => {
      const refusal = await this.#core.enter(caller, access)
      if (refusal) return { ok: false, refusal }
      const keys = await this.#core.keys()
      return keys ? work(keys) : { ok: false, refusal: { reason: 'user_gone' } }
    })
  }

  /** Newest first, one more than `limit`; `after` is the position of the last one seen. */
  list(
    caller: SpaceCaller,
    after: { updatedAt: number; id: string } | null,
    limit: number,
  ): Promise<Answered<SessionView[]>> {
    return this.#with(caller, 'read', async (keys) => {
      const rows = this.#sql
        .exec<SessionRow>(
          `SELECT * FROM sessions WHERE ?1 IS NULL OR (updated_at, id) < (?1, ?2)
           ORDER BY updated_at DESC, id DESC LIMIT ?3`,
          after?.updatedAt ?? null,
          after?.id ?? null,
          limit + 1,
        )
        .toArray()
      return ok(await Promise.all(rows.map((row) => viewSession(keys, row))))
    })
  }

  count(caller: SpaceCaller): Promise<Answered<number>> {
    return this.#with(caller, 'read', async () => ok(this.countAll()))
  }

  countAll(): number {
    return this.#sql.exec<{ n: number }>('SELECT count(*) AS n FROM sessions').one().n
  }

  get(caller: SpaceCaller, sessionId: string): Promise<Answered<SessionView>> {
    return this.#withSession(caller, 'read', sessionId, async (keys, row) =>
      ok(await viewSession(keys, row)),
    )
  }

  #withSession<T>(
    caller: SpaceCaller,
    access: Access,
    sessionId: string,
    work: (keys: SpaceKeys, row: SessionRow) => Promise<Answered<T>>,
  ): Promise<Answered<T>> {
    return this.#with(caller, access, async (keys) => {
      const row = this.#core.store.session(sessionId)
      return row ? work(keys, row) : refuse('session')
    })
  }

  /** The user's own title: automatic titling no longer touches it. */
  rename(caller: SpaceCaller, sessionId: string, title: string): Promise<Answered<SessionView>> {
    return this.#withSession(caller, 'write', sessionId, async (keys, row) => {
      const sealed = await keys.seal('sessions', 'title', sessionId, title)
      this.#sql.exec(
        'UPDATE sessions SET title_sealed = ?, title_by_user = 1, title_vector_sealed = NULL, title_embedder = NULL WHERE id = ?',
        sealed,
        sessionId,
      )
      return ok(await viewSession(keys, { ...row, title_sealed: sealed, title_by_user: 1 }))
    })
  }

  /** The marker goes to the present number of messages, counted here. */
  markRead(caller: SpaceCaller, sessionId: string): Promise<Answered<SessionView>> {
    return this.#withSession(caller, 'write', sessionId, async (keys, row) => {
      this.#sql.exec('UPDATE sessions SET read_count = message_count WHERE id = ?', sessionId)
      return ok(await viewSession(keys, { ...row, read_count: row.message_count }))
    })
  }

  /** Removes the session with its messages and attachments. @returns the objects whose bytes are to be deleted. */
  remove(caller: SpaceCaller, sessionId: string): Promise<Answered<string[]>> {
    return this.#withSession(caller, 'write', sessionId, async () => {
      const attachments = this.#attachmentsOf('session_id', sessionId)
      this.#core.storage.transactionSync(() => {
        for (const table of ['messages', 'attachments', 'turns']) {
          this.#sql.exec(`DELETE FROM ${table} WHERE session_id = ?`, sessionId)
        }
        this.#sql.exec(
          "DELETE FROM reminders WHERE session_id = ? AND kind = 'followup'",
          sessionId,
        )
        this.#sql.exec('DELETE FROM sessions WHERE id = ?', sessionId)
      })
      this.#core.recent.forget(sessionId)
      return ok(attachments.map((row) => attachmentPath(caller.address, row.id)))
    })
  }

  /** The latest `limit` in chronological order; `before` excludes that message and everything newer. */
  messages(
    caller: SpaceCaller,
    sessionId: string,
    limit: number,
    before: string | null,
  ): Promise<Answered<MessageView[]>> {
    return this.#withSession(caller, 'read', sessionId, async (keys) => {
      const rows = this.#sql
        .exec<MessageRow>(
          'SELECT * FROM messages WHERE session_id = ?1 AND (?2 IS NULL OR id < ?2) ORDER BY id DESC LIMIT ?3',
          sessionId,
          before,
          limit,
        )
        .toArray()
        .reverse()
      const attachments = await this.#viewAttachments(
        keys,
        this.#attachmentsOf('session_id', sessionId),
      )
      return ok(await Promise.all(rows.map((row) => viewMessage(keys, row, attachments))))
    })
  }

  #withMessage<T>(
    caller: SpaceCaller,
    sessionId: string,
    messageId: string,
    work: (keys: SpaceKeys, row: MessageRow) => Promise<Answered<T>>,
  ): Promise<Answered<T>> {
    return this.#withSession(caller, 'write', sessionId, async (keys) => {
      const row = this.#core.store.message(sessionId, messageId)
      return row ? work(keys, row) : refuse('message')
    })
  }

  /** New words for a message; what is stored about it otherwise stays. */
  editMessage(
    caller: SpaceCaller,
    sessionId: string,
    messageId: string,
    content: string,
    now: number,
  ): Promise<Answered<MessageView>> {
    return this.#withMessage(caller, sessionId, messageId, async (keys, row) => {
      // New words stand in the place of those that do not open, too.
      const body = await readBody(keys, row)
      const sealed = await sealBody(keys, messageId, { ...body, content })
      this.#sql.exec(
        'UPDATE messages SET body_sealed = ?, edited_at = ? WHERE session_id = ? AND id = ?',
        sealed,
        now,
        sessionId,
        messageId,
      )
      this.#core.recent.forget(sessionId)
      const attachments = await this.#viewAttachments(
        keys,
        this.#attachmentsOf('message_id', messageId),
      )
      return ok(
        await viewMessage(keys, { ...row, body_sealed: sealed, edited_at: now }, attachments),
      )
    })
  }

  /** @returns the objects whose bytes are to be deleted. */
  removeMessage(
    caller: SpaceCaller,
    sessionId: string,
    messageId: string,
  ): Promise<Answered<string[]>> {
    return this.#withMessage(caller, sessionId, messageId, async () => {
      const attachments = this.#attachmentsOf('message_id', messageId)
      this.#core.storage.transactionSync(() => {
        this.#sql.exec('DELETE FROM messages WHERE session_id = ? AND id = ?', sessionId, messageId)
        this.#sql.exec('DELETE FROM attachments WHERE message_id = ?', messageId)
        this.#sql.exec(
          `UPDATE sessions SET message_count = max(0, message_count - 1),
             read_count = min(read_count, max(0, message_count - 1)) WHERE id = ?`,
          sessionId,
        )
      })
      this.#core.recent.forget(sessionId)
      return ok(attachments.map((row) => attachmentPath(caller.address, row.id)))
    })
  }

  /** A passage that a reply cites, and whose reply it is. The message is found by its id alone. */
  source(caller: SpaceCaller, messageId: string, n: number): Promise<Answered<CitedSource>> {
    return this.#with(caller, 'read', async (keys) => {
      const row = this.#core.store.findMessage(messageId)
      if (!row) return refuse('message')
      const source = (await readBody(keys, row))?.sources?.find((one) => one.n === n)
      return source ? ok({ agentName: row.agent_name, source }) : refuse('source')
    })
  }

  /** Thumbs and an optional comment; null takes them back. The message is found by its id alone. */
  setFeedback(
    caller: SpaceCaller,
    messageId: string,
    feedback: { value: 'up' | 'down'; comment: string | null } | null,
  ): Promise<Answered<null>> {
    return this.#with(caller, 'write', async (keys) => {
      const row = this.#core.store.findMessage(messageId)
      if (row?.role !== 'assistant') return refuse('message')
      const comment = feedback?.comment
        ? await keys.seal('messages', 'comment', messageId, feedback.comment)
        : null
      this.#sql.exec(
        'UPDATE messages SET feedback = ?, comment_sealed = ? WHERE session_id = ? AND id = ?',
        feedback?.value ?? null,
        comment,
        row.session_id,
        messageId,
      )
      return ok(null)
    })
  }

  /**
   * A new session with everything up to the clicked message: an assistant's is included, a user's is left out and its words
   * come back as `prefill`. Every copied text is sealed for its new place.
   */
  branch(
    caller: SpaceCaller,
    sessionId: string,
    messageId: string,
    now: number,
  ): Promise<Answered<SessionView>> {
    return this.#withMessage(caller, sessionId, messageId, async (keys, clicked) => {
      const session = this.#core.store.session(sessionId)
      if (!session) return refuse('session')
      const rows = this.#sql
        .exec<MessageRow>(
          `SELECT * FROM messages WHERE session_id = ? AND id ${clicked.role === 'user' ? '<' : '<='} ? ORDER BY id`,
          sessionId,
          messageId,
        )
        .toArray()
      const id = this.#core.mint(now)
      const copied = await this.#copyMessages(keys, caller, rows, now)
      const copies = copied.filter((copy) => copy !== null)
      const prefill =
        clicked.role === 'user' ? ((await readBody(keys, clicked))?.content ?? null) : null
      const title =
        session.title_sealed === null
          ? null
          : await keys.read('sessions', 'title', sessionId, session.title_sealed)
      const titleSealed = title === null ? null : await keys.seal('sessions', 'title', id, title)
      const prefillSealed =
        prefill === null ? null : await keys.seal('sessions', 'prefill', id, prefill)
      if (this.#core.isClosed) return refuse('session')
      this.#core.storage.transactionSync(() => {
        this.#sql.exec(
          `INSERT INTO sessions (id, agent_id, agent_name, channel, title_sealed, title_by_user, message_count, read_count, forked_from, prefill_sealed, created_at, updated_at)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
          id,
          session.agent_id,
          session.agent_name,
          session.channel,
          titleSealed,
          session.title_by_user,
          copies.length,
          copies.length,
          sessionId,
          prefillSealed,
          now,
          now,
        )
        for (const { message, attachments } of copies) {
          this.#core.store.addMessage({ ...message, sessionId: id })
          for (const attachment of attachments) {
            this.#core.store.addAttachment({
              ...attachment,
              sessionId: id,
              messageId: message.id,
              now,
            })
          }
        }
      })
      const row = this.#core.store.session(id)
      return row ? ok(await viewSession(keys, row)) : refuse('session')
    })
  }

  async #copyMessages(keys: SpaceKeys, caller: SpaceCaller, rows: MessageRow[], now: number) {
    const ids = rows.map(() => this.#core.mint(now))
    return mapParallel(rows, BRANCH_PARALLEL, async (row, index) => {
      const id = ids[index] ?? this.#core.mint(now)
      const body = await readBody(keys, row)
      if (body === null) return null
      const sealed = await sealBody(keys, id, body)
      const attachments = []
      for (const attachment of this.#attachmentsOf('message_id', row.id)) {
        const copy = await this.#copyAttachment(keys, caller, attachment, now)
        if (copy) attachments.push(copy)
      }
      const { role, status } = row
      const message = { id, role, agentName: row.agent_name, status, sealed, now: row.created_at }
      return { message, attachments }
    })
  }

  async #copyAttachment(keys: SpaceKeys, caller: SpaceCaller, row: AttachmentRow, now: number) {
    const bytes = await this.#readBytes(keys, caller, row)
    if (!bytes) return null
    const id = this.#core.mint(now)
    const { sealed, wrappedKey } = await keys.sealAttachment(id, bytes)
    await this.#core.putFile(attachmentPath(caller.address, id), sealed)
    const name = (await keys.read('attachments', 'name', row.id, row.name_sealed)) ?? ''
    const nameSealed = await keys.seal('attachments', 'name', id, name)
    return { id, mime: row.mime, nameSealed, size: row.size_bytes, wrappedKey }
  }

  /** Addresses of all attachment bytes of the space. */
  files(): string[] {
    const { address } = this.#core
    if (!address) return []
    const rows = this.#sql.exec<{ id: string }>('SELECT id FROM attachments').toArray()
    return rows.map((row) => attachmentPath(address, row.id))
  }

  attachments(caller: SpaceCaller, sessionId: string): Promise<Answered<AttachmentView[]>> {
    return this.#withSession(caller, 'read', sessionId, async (keys) =>
      ok(await this.#viewAttachments(keys, this.#attachmentsOf('session_id', sessionId))),
    )
  }

  /** The decrypted original. */
  attachment(
    caller: SpaceCaller,
    attachmentId: string,
  ): Promise<Answered<{ mime: string; name: string; bytes: Uint8Array }>> {
    return this.#with(caller, 'read', async (keys) => {
      const row = this.#attachmentsOf('id', attachmentId)[0]
      const bytes = row && (await this.#readBytes(keys, caller, row))
      if (!row || !bytes) return refuse('attachment')
      const name = (await keys.read('attachments', 'name', row.id, row.name_sealed)) ?? ''
      return ok({ mime: row.mime, name, bytes })
    })
  }

  async #readBytes(keys: SpaceKeys, caller: SpaceCaller, row: AttachmentRow) {
    const object = await this.#core.env.FILES.get(attachmentPath(caller.address, row.id))
    if (!object) return null
    return keys.readAttachment(row.id, row.wrapped_key, new Uint8Array(await object.arrayBuffer()))
  }

  #attachmentsOf(column: 'id' | 'session_id' | 'message_id', value: string): AttachmentRow[] {
    return this.#sql
      .exec<AttachmentRow>(`SELECT * FROM attachments WHERE ${column} = ? ORDER BY id`, value)
      .toArray()
  }

  #viewAttachments(keys: SpaceKeys, rows: AttachmentRow[]): Promise<AttachmentView[]> {
    return Promise.all(
      rows.map(async (row) => ({
        id: row.id,
        sessionId: row.session_id,
        messageId: row.message_id,
        mime: row.mime,
        name: await keys.read('attachments', 'name', row.id, row.name_sealed),
        sizeBytes: row.size_bytes,
        createdAt: row.created_at,
      })),
    )
  }

  /**
   * Sessions whose title, or else whose text, holds every word of the query, and those whose title means it. Content is opened
   * in memory, newest sessions first, until enough is found.
   */
  search(caller: SpaceCaller, query: string): Promise<Answered<SearchView[]>> {
    return this.#with(caller, 'read', async (keys) => {
      const words = foldText(query).split(/\s+/u).filter(Boolean)
      if (words.length === 0) return ok([])
      const sessions = this.#sql
        .exec<SessionRow>('SELECT * FROM sessions ORDER BY updated_at DESC, id DESC')
        .toArray()
      const titles = new Map<string, string | null>()
      const found = new Map<string, SearchView>()
      const add = (session: SessionRow, hit: Pick<SearchView, 'snippet' | 'score' | 'match'>) => {
        const title = titles.get(session.id) ?? null
        found.set(session.id, {
          ...{ sessionId: session.id, title, updatedAt: session.updated_at },
          ...hit,
        })
      }
      for (const session of sessions) {
        const { title } = await viewSession(keys, session)
        titles.set(session.id, title)
        if (title !== null && holdsAll(title, words)) {
          add(session, { snippet: title, score: TITLE_SCORE, match: 'title' })
        }
      }
      const near = this.#titleVectors.near(keys, query, sessions, titles)
      // Whatever ends the search first: this one is nobody else's to catch.
      near.catch(() => {})
      for (const session of sessions) {
        if (found.size >= SEARCH_HITS) break
        if (found.has(session.id)) continue
        const snippet = await this.#findInMessages(keys, session.id, words)
        if (snippet !== null) add(session, { snippet, score: KEYWORD_SCORE, match: 'keyword' })
      }
      const scores = await near
      for (const session of sessions) {
        const score = scores.get(session.id)
        const title = titles.get(session.id)
        if (score === undefined || !title || score <= (found.get(session.id)?.score ?? 0)) continue
        add(session, { snippet: title, score, match: 'title' })
      }
      const hits = [...found.values()]
      hits.sort((one, other) => other.score - one.score || other.updatedAt - one.updatedAt)
      return ok(hits.slice(0, SEARCH_HITS))
    })
  }

  async #findInMessages(
    keys: SpaceKeys,
    sessionId: string,
    words: string[],
  ): Promise<string | null> {
    const rows = this.#sql
      .exec<MessageRow>('SELECT * FROM messages WHERE session_id = ? ORDER BY id DESC', sessionId)
      .toArray()
    for (let i = 0; i < rows.length; i += LIMITS.historyWindow.max) {
      const bodies = await Promise.all(
        rows.slice(i, i + LIMITS.historyWindow.max).map((row) => readBody(keys, row)),
      )
      const body = bodies.find((body) => body !== null && holdsAll(body.content, words))
      if (body) return cutSnippet(body.content, words[0] ?? '')
    }
    return null
  }
}

const ok = <T>(value: T): Answered<T> => ({ ok: true, value })
const refuse = (reason: 'session' | 'message' | 'source' | 'attachment'): Answered<never> => ({
  ok: false,
  refusal: { reason },
})

async function viewSession(keys: SpaceKeys, row: SessionRow): Promise<SessionView> {
  const open = (column: string, sealed: string | null) =>
    sealed === null ? null : keys.read('sessions', column, row.id, sealed)
  return {
    id: row.id,
    agentName: row.agent_name,
    channel: row.channel,
    title: await open('title', row.title_sealed),
    titleByUser: row.title_by_user === 1,
    messageCount: row.message_count,
    readCount: row.read_count,
    forkedFrom: row.forked_from,
    prefill: await open('prefill', row.prefill_sealed),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

async function viewMessage(
  keys: SpaceKeys,
  row: MessageRow,
  attachments: AttachmentView[],
): Promise<MessageView> {
  const body = await readBody(keys, row)
  return {
    id: row.id,
    sessionId: row.session_id,
    role: row.role,
    content: body?.content ?? null,
    agentName: row.agent_name,
    sources: body?.sources ?? [],
    attachments: attachments.filter((attachment) => attachment.messageId === row.id),
    status: body === null ? 'unreadable' : row.status,
    feedback: row.feedback === 'up' || row.feedback === 'down' ? row.feedback : null,
    createdAt: row.created_at,
    editedAt: row.edited_at,
  }
}

const foldText = (text: string): string => text.normalize('NFKC').toLowerCase()

function holdsAll(text: string, words: string[]): boolean {
  const folded = foldText(text)
  return words.every((word) => folded.includes(word))
}

/** The surroundings of the first word, cut at spaces where there are some. */
function cutSnippet(text: string, word: string): string {
  const at = Math.max(0, foldText(text).indexOf(word) - SNIPPET_CHARS / 3)
  return text
    .slice(at, at + SNIPPET_CHARS)
    .replaceAll(/\s+/gu, ' ')
    .trim()
}

/** At most `width` at a time, results in order. */
async function mapParallel<T, R>(
  items: T[],
  width: number,
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results = new Array<R>(items.length)
  let next = 0
  const worker = async () => {
    for (let i = next++; i < items.length; i = next++) {
      const item = items[i]
      if (item !== undefined) results[i] = await work(item, i)
    }
  }
  await Promise.all(Array.from({ length: width }, worker))
  return results
}
