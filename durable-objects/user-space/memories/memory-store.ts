import type { MemoryKind, MemoryMaker } from '../../../src/memory/types'
import type { AgentRename } from '../core/rename-agent'
import type { SpaceKeys } from '../core/space-keys'
import { encodeVector } from '../core/vector-code'
import {
  type MemoryBody,
  type NewMemory,
  type OpenMemory,
  readMemory,
  type SealedMemory,
} from './open-memory'

export interface MemoryRow extends Record<string, SqlStorageValue> {
  id: string
  kind: MemoryKind
  importance: number
  made_by: MemoryMaker
  agent_name: string
  session_id: string | null
  message_id: string | null
  body_sealed: string
  vector_sealed: string | null
  embedder: string | null
  carried_from: string | null
  superseded_by: string | null
  created_at: number
  updated_at: number
}

export interface ProfileRow extends Record<string, SqlStorageValue> {
  agent_name: string
  body_sealed: string
  updated_at: number
}

/** A memory as the tenant sees it. Times in milliseconds since 1970. */
export interface MemoryView {
  id: string
  kind: MemoryKind
  /** Null with the content when the memory does not open. */
  topic: string | null
  importance: number
  content: string | null
  sessionId: string | null
  createdAt: number
  updatedAt: number
}

/** The tables of what a space remembers. Reads and writes SQL; seals and opens with the space's key. */
export class MemoryStore {
  readonly #sql: SqlStorage

  constructor(sql: SqlStorage) {
    this.#sql = sql
  }

  /** Everything in force, opened: one read. */
  async loadActive(keys: SpaceKeys): Promise<OpenMemory[]> {
    const rows = this.#sql
      .exec<MemoryRow>('SELECT * FROM memories WHERE superseded_by IS NULL')
      .toArray()
    const opened = await Promise.all(rows.map((row) => readMemory(keys, row)))
    return opened.filter((memory) => memory !== null)
  }

  /** As `loadActive`, the latest first, without what only a search needs. */
  viewActive(keys: SpaceKeys): Promise<MemoryView[]> {
    const rows = this.#sql
      .exec<MemoryRow>(
        'SELECT * FROM memories WHERE superseded_by IS NULL ORDER BY updated_at DESC, id DESC',
      )
      .toArray()
    return Promise.all(
      rows.map(async (row) => {
        const sealed = await keys.read('memories', 'body', row.id, row.body_sealed)
        const body = sealed === null ? null : (JSON.parse(sealed) as MemoryBody)
        return {
          id: row.id,
          kind: row.kind,
          topic: body?.topic ?? null,
          importance: row.importance,
          content: body?.content ?? null,
          sessionId: row.session_id,
          createdAt: row.created_at,
          updatedAt: row.updated_at,
        }
      }),
    )
  }

  row(id: string): MemoryRow | undefined {
    return this.#sql.exec<MemoryRow>('SELECT * FROM memories WHERE id = ?', id).toArray()[0]
  }

  ofMessage(messageId: string): MemoryRow[] {
    return this.#sql
      .exec<MemoryRow>('SELECT * FROM memories WHERE message_id = ?', messageId)
      .toArray()
  }

  hasCarried(originId: string): boolean {
    return (
      this.#sql.exec('SELECT 1 FROM memories WHERE carried_from = ?', originId).toArray().length > 0
    )
  }

  async seal(keys: SpaceKeys, memory: NewMemory): Promise<SealedMemory> {
    const { topic, content, slot } = memory.draft
    const body: MemoryBody = { topic, content, slot }
    return {
      memory,
      bodySealed: await keys.seal('memories', 'body', memory.id, JSON.stringify(body)),
      vectorSealed: memory.vector
        ? await keys.seal('memories', 'vector', memory.id, encodeVector(memory.vector.values))
        : null,
    }
  }

  add({ memory, bodySealed, vectorSealed }: SealedMemory): void {
    this.#sql.exec(
      `INSERT INTO memories (id, kind, importance, made_by, agent_name, session_id, message_id, body_sealed, vector_sealed, embedder, carried_from, created_at, updated_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      memory.id,
      memory.draft.kind,
      memory.draft.importance,
      memory.madeBy,
      memory.agentName,
      memory.sessionId,
      memory.messageId,
      bodySealed,
      vectorSealed,
      memory.vector?.embedder ?? null,
      memory.carriedFrom,
      memory.createdAt,
      memory.updatedAt,
    )
  }

  supersede(id: string, by: string): void {
    this.#sql.exec('UPDATE memories SET superseded_by = ? WHERE id = ?', by, id)
  }

  touch(id: string, now: number): void {
    this.#sql.exec('UPDATE memories SET updated_at = ? WHERE id = ?', now, id)
  }

  /** Removes memories; what they had superseded is true again. @returns whether anything came back. */
  remove(ids: readonly string[]): boolean {
    const list = JSON.stringify(ids)
    const back = this.#sql.exec(
      `UPDATE memories SET superseded_by = NULL WHERE superseded_by IN (SELECT value FROM json_each(?1))
         AND id NOT IN (SELECT value FROM json_each(?1))`,
      list,
    )
    const returned = back.rowsWritten > 0
    this.#sql.exec('DELETE FROM memories WHERE id IN (SELECT value FROM json_each(?))', list)
    return returned
  }

  /** All that was learnt with one agent, superseded ones included. */
  idsOfAgent(agentName: string): string[] {
    return this.#sql
      .exec<{ id: string }>('SELECT id FROM memories WHERE agent_name = ?', agentName)
      .toArray()
      .map((row) => row.id)
  }

  /** Superseded memories beyond the newest `kept` go for good. */
  trimSuperseded(kept: number): void {
    this.#sql.exec(
      `DELETE FROM memories WHERE superseded_by IS NOT NULL AND id IN (
         SELECT id FROM memories WHERE superseded_by IS NOT NULL ORDER BY updated_at DESC, id DESC LIMIT -1 OFFSET ?)`,
      kept,
    )
  }

  dropVectors(): void {
    this.#sql.exec(
      'UPDATE memories SET vector_sealed = NULL, embedder = NULL WHERE vector_sealed IS NOT NULL',
    )
  }

  countVectors(): number {
    return this.#sql.exec<{ n: number }>('SELECT count(vector_sealed) AS n FROM memories').one().n
  }

  async profile(
    keys: SpaceKeys,
    agentName: string,
  ): Promise<{ content: string; updatedAt: number } | null> {
    const row = this.#sql
      .exec<{ body_sealed: string; updated_at: number }>(
        'SELECT body_sealed, updated_at FROM remembered WHERE agent_name = ?',
        agentName,
      )
      .toArray()[0]
    if (!row) return null
    const content = await keys.read('remembered', 'body', agentName, row.body_sealed)
    return content === null ? null : { content, updatedAt: row.updated_at }
  }

  setProfile(agentName: string, sealed: string, now: number): void {
    this.#sql.exec(
      'INSERT INTO remembered (agent_name, body_sealed, updated_at) VALUES (?, ?, ?) ON CONFLICT (agent_name) DO UPDATE SET body_sealed = excluded.body_sealed, updated_at = excluded.updated_at',
      agentName,
      sealed,
      now,
    )
  }

  renameAgent({ from, to, renamedAt }: AgentRename): void {
    this.#sql.exec(
      'UPDATE memories SET agent_name = ? WHERE agent_name = ? AND created_at < ?',
      to,
      from,
      renamedAt,
    )
  }

  /** What one agent remembers in sum, if that is older than `before`. */
  sealedProfile(agentName: string, before: number): ProfileRow | undefined {
    return this.#sql
      .exec<ProfileRow>(
        'SELECT * FROM remembered WHERE agent_name = ? AND updated_at < ?',
        agentName,
        before,
      )
      .toArray()[0]
  }

  /** Unless it was changed meanwhile. Of two that meet, which only a deleted agent's name brings about, the newer stays. */
  moveProfile(held: ProfileRow, to: string, sealed: string): void {
    const { rowsWritten } = this.#sql.exec(
      'DELETE FROM remembered WHERE agent_name = ? AND body_sealed = ?',
      held.agent_name,
      held.body_sealed,
    )
    if (rowsWritten === 0) return
    this.#sql.exec(
      `INSERT INTO remembered (agent_name, body_sealed, updated_at) VALUES (?, ?, ?) ON CONFLICT (agent_name)
       DO UPDATE SET body_sealed = excluded.body_sealed, updated_at = excluded.updated_at WHERE updated_at < excluded.updated_at`,
      to,
      sealed,
      held.updated_at,
    )
  }

  removeProfile(agentName: string): boolean {
    return this.#sql.exec('DELETE FROM remembered WHERE agent_name = ?', agentName).rowsWritten > 0
  }

  profiledAgents(): string[] {
    return this.#sql
      .exec<{ agent_name: string }>('SELECT agent_name FROM remembered')
      .toArray()
      .map((row) => row.agent_name)
  }
}
