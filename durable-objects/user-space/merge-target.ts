import { DAY_MS, LIMITS, MERGE } from '../../src/config/limits'
import { type Answer, ok, refuse } from '../../src/spaces/answer'
import type { SpaceCaller } from '../../src/spaces/caller'
import {
  keyText,
  MOVABLE_PARTS,
  type MovablePart,
  type PartRow,
  partOf,
} from '../../src/spaces/movable-parts'
import type { MeEvent } from '../../src/streams/events'
import type { SpaceCore } from './core/space-core'
import type { SpaceKeys } from './core/space-keys'
import type { LiveEvents } from './live-events'
import type { Carrying } from './memories/carrying'
import type { MemoryRow } from './memories/memory-store'

const CLOSED_KEPT_MS = DAY_MS

/** What the arrival of another space asks of the other parts of the object. */
export interface ArrivalPorts {
  live: LiveEvents
  memories: Carrying
  /** Documents came: what was opened of them is read anew. */
  documentsChanged(): void
}

/**
 * The space that another one of the same user goes over to. Rows arrive sealed for this space. Those that are found through
 * others go to their place; the others wait in `staged` until the merge is committed.
 */
export class MergeTarget {
  readonly #core: SpaceCore
  readonly #ports: ArrivalPorts

  constructor(core: SpaceCore, ports: ArrivalPorts) {
    this.#core = core
    this.#ports = ports
  }

  get #sql(): SqlStorage {
    return this.#core.storage.sql
  }

  /** Whether there is room. @param held what comes. */
  async accept(
    caller: SpaceCaller,
    id: string,
    held: { documents: number; chunks: number },
  ): Promise<Answer<null>> {
    const visit = await this.#core.as(caller, 'write')
    if (!visit.ok) return visit
    const own = this.#sql
      .exec<{ documents: number; chunks: number }>(
        'SELECT (SELECT count(*) FROM space_documents) AS documents, (SELECT count(*) FROM space_chunks) AS chunks',
      )
      .one()
    const isFull =
      (held.documents > 0 && own.documents + held.documents > LIMITS.spaceDocuments) ||
      (held.chunks > 0 && own.chunks + held.chunks > LIMITS.chunksPerSpace)
    if (isFull) return refuse('merge_too_large')
    const now = Date.now()
    this.#sql.exec(
      "DELETE FROM incoming WHERE state = 'closed' AND created_at < ?",
      now - CLOSED_KEPT_MS,
    )
    this.#sql.exec(
      "INSERT INTO incoming (id, state, created_at) VALUES (?, 'open', ?) ON CONFLICT DO NOTHING",
      id,
      now,
    )
    return ok(null)
  }

  #isOpen(id: string): boolean {
    return (
      this.#sql.exec("SELECT 1 FROM incoming WHERE id = ? AND state = 'open'", id).toArray()
        .length > 0
    )
  }

  /** Takes some rows. The same rows again replace themselves. @throws Error for a merge that was given up. */
  stage(id: string, table: string, rows: readonly PartRow[]): void {
    const part = partOf(table)
    this.#core.storage.transactionSync(() => {
      if (!this.#isOpen(id)) throw new Error('This merge is not under way')
      for (const row of rows) {
        if (part.foundThrough) this.#place(part, row)
        else
          this.#sql.exec(
            'INSERT OR REPLACE INTO staged (merge_id, part, key, row) VALUES (?, ?, ?, ?)',
            id,
            table,
            keyText(part, row),
            JSON.stringify(row),
          )
      }
    })
  }

  #place(part: MovablePart, row: PartRow): void {
    const columns = Object.keys(row)
    this.#sql.exec(
      `INSERT OR REPLACE INTO ${part.table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
      ...columns.map((column) => row[column] ?? null),
    )
  }

  #staged(id: string, table: string): PartRow[] {
    return this.#sql
      .exec<{ row: string }>(
        'SELECT row FROM staged WHERE merge_id = ? AND part = ? ORDER BY n',
        id,
        table,
      )
      .toArray()
      .map(({ row }) => JSON.parse(row) as PartRow)
  }

  /** The merge is committed: all that waited becomes visible in one step. Safe to run twice. */
  async publish(caller: SpaceCaller, id: string): Promise<void> {
    if (!this.#isOpen(id)) return
    const visit = await this.#core.as(caller, 'read')
    // Without the user's key nothing can be read again: what came goes with the user.
    if (!visit.ok) return
    const { keys } = visit.value
    await this.#ports.memories.adopt(
      keys,
      {
        memories: this.#staged(id, 'memories') as MemoryRow[],
        profiles: this.#staged(id, 'remembered') as {
          agent_name: string
          body_sealed: string
          updated_at: number
        }[],
      },
      (settle) => this.#show(keys, id, settle),
    )
    this.#ports.documentsChanged()
    // Whatever is due, unread or not handed on is looked after at once.
    await this.#core.wakeAt(Date.now())
  }

  async #show(keys: SpaceKeys, id: string, settle: () => void): Promise<void> {
    const opened = await Promise.all(
      this.#staged(id, 'events').map(async (row) => {
        const [ref, sealed] = [String(row.ref), String(row.body_sealed)]
        const body = await keys.read('events', 'body', ref, sealed)
        if (body === null) return []
        const event = JSON.parse(body) as MeEvent
        return [{ prepared: { event, ref, sealed }, at: Number(row.created_at) }]
      }),
    )
    const events = opened.flat()
    const newest = this.#staged(id, 'sessions').reduce<PartRow | null>(
      (last, row) => (Number(row.updated_at) > Number(last?.updated_at ?? 0) ? row : last),
      null,
    )
    const stored = this.#core.storage.transactionSync(() => {
      if (!this.#isOpen(id)) return []
      for (const part of MOVABLE_PARTS) {
        if (!part.foundThrough && part.table !== 'events') this.#copyStaged(part, id)
      }
      settle()
      this.#sql.exec('DELETE FROM staged WHERE merge_id = ?', id)
      this.#sql.exec("UPDATE incoming SET state = 'closed' WHERE id = ?", id)
      return events.map(({ prepared, at }) => this.#ports.live.store(prepared, at))
    })
    this.#ports.live.send(stored)
    if (newest) this.#ports.live.hint({ type: 'session', id: String(newest.id), change: 'created' })
  }

  /** A row that the target has already, such as one of the same repeated request, wins. */
  #copyStaged(part: MovablePart, id: string): void {
    const columns = this.#sql
      .exec<{ name: string }>('SELECT name FROM pragma_table_info(?)', part.table)
      .toArray()
      .map(({ name }) => name)
    const values = columns.map((column) => part.instead?.[column] ?? `row->>'$.${column}'`)
    this.#sql.exec(
      `INSERT OR IGNORE INTO ${part.table} (${columns.join(', ')})
       SELECT ${values.join(', ')} FROM staged WHERE merge_id = ? AND part = ? ORDER BY n`,
      id,
      part.table,
    )
  }

  /** The merge was given up: what came is removed, some at a time. @returns whether nothing is left. */
  unstage(id: string): boolean {
    const now = Date.now()
    return this.#core.storage.transactionSync(() => {
      // First, so that nothing that is still on its way is taken any more.
      this.#sql.exec(
        "INSERT INTO incoming (id, state, created_at) VALUES (?, 'closed', ?) ON CONFLICT (id) DO UPDATE SET state = 'closed'",
        id,
        now,
      )
      const heads = this.#sql
        .exec<{ n: number; part: string; key: string }>(
          'SELECT n, part, key FROM staged WHERE merge_id = ? ORDER BY n LIMIT ?',
          id,
          MERGE.heads,
        )
        .toArray()
      for (const { n, part, key } of heads) {
        const [head] = JSON.parse(key) as (string | number)[]
        for (const { table, foundThrough } of MOVABLE_PARTS) {
          if (foundThrough?.table === part)
            this.#sql.exec(`DELETE FROM ${table} WHERE ${foundThrough.column} = ?`, head ?? null)
        }
        this.#sql.exec('DELETE FROM staged WHERE n = ?', n)
      }
      return heads.length < MERGE.heads
    })
  }
}
