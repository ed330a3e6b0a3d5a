import {
  and,
  eq,
  getTableColumns,
  getTableName,
  type InferSelectModel,
  type SQL,
  sql,
} from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { type AuditAction, commitChange } from '../audit/commit-change'
import { isThere, isUnchanged, nextUpdate, untilCommitted } from '../audit/until-committed'
import type { OperatorContext, TenantContext } from '../context'
import { countOwn, findOwn } from '../db/own'
import { isTaken } from '../db/sql-errors'
import type { RevisionRow } from '../db/tables/revisions'
import { conflict, notFound } from '../errors'
import { addRevision } from '../revisions/revisions'

type ResourceTable = SQLiteTable & Record<'id' | 'tenantId' | 'updatedAt', SQLiteColumn>

/** What every row of a resource has. One without a name is known by its id alone. */
interface ResourceRow {
  id: string
  tenantId: string
  name?: string
  /** Names that it had, the last first. */
  formerNames?: string[]
  updatedAt: number
}

type RowOf<T extends ResourceTable> = InferSelectModel<T> & ResourceRow

type Statements = readonly BatchItem<'sqlite'>[]

/** A kind of thing that a tenant has as rows of one table, every change of which is audited. */
export interface StoredKind<T extends ResourceTable> {
  table: T
  /** Its name in the audit trail: `knowledge_base`. */
  entity: string
  /** Its name in messages, where it begins the sentence: `Knowledge base`. */
  title: string
  /**
   * What audit trail and revisions keep of a row: no secrets, nothing that changes by itself.
   * @param before the state before it, for kinds that keep only the difference of something large
   */
  snapshot(row: RowOf<T>, before?: RowOf<T>): Record<string, unknown>
  /** What the audit trail shows as a row's name, where that is not `name`. */
  nameOf?(row: RowOf<T>): string
  /** The column that is unique within the tenant, where that is not `name`. */
  named?: string
  /** Set for kinds that have revisions: their entity in the `revisions` table. */
  revised?: RevisionRow['entity']
  /** Jobs write to its rows all the time, so a change requires only that the row exists, not that it is unchanged. */
  restless?: boolean
  /** Further unique columns (`table.column` for one of another table), each with the message of the 409 for the second. */
  taken?: Record<string, string>
  /** Statements that make other rows, which refer to this one by name, follow a change; `after` is null for a deletion. */
  follow?(ctx: OperatorContext, before: RowOf<T>, after: RowOf<T> | null): Statements
  /** Names of what refers to the row, for the audit entry of a rename or a deletion. */
  usedBy?(ctx: OperatorContext, row: RowOf<T>): Promise<Record<string, string[]>>
}

/**
 * A kind of thing that a tenant creates and names: agents, skills, bases, servers. Here stands in what the kinds differ;
 * limits, unique names, references, revisions and audit work the same way for all (the functions below).
 */
export interface ResourceKind<T extends ResourceTable> extends StoredKind<T> {
  /** Further statements for the batch that creates a row. */
  made?(ctx: OperatorContext, row: RowOf<T>): Statements
  /** How many a tenant may have, and the message of the 409 for one more. */
  limit: { most: number; full: string }
}

/** The tenant's row that meets the conditions. @throws notFound. */
export async function getResource<T extends ResourceTable>(
  ctx: Pick<TenantContext, 'db' | 'tenant'>,
  kind: StoredKind<T>,
  ...which: (SQL | undefined)[]
): Promise<RowOf<T>> {
  const row = await findOwn(ctx.db, kind.table, ctx.tenant.id, ...which)
  if (!row) throw notFound(kind.title)
  return row as RowOf<T>
}

/**
 * Read, decide, write, as `untilCommitted`: `attempt` reads the resource and saves or removes it, and is run again when
 * that returns null because somebody else wrote in between.
 * @param key the name or id that the request gave: changes of the same one queue up
 */
export function changeResource<T extends ResourceTable, A>(
  ctx: Pick<TenantContext, 'tenant'>,
  kind: StoredKind<T>,
  key: string,
  attempt: () => Promise<A | null>,
): Promise<A> {
  return untilCommitted(`${kind.entity} ${ctx.tenant.id} ${key}`, attempt)
}

/** Writes a new row with its first revision and its audit entry. @throws conflict when the name is taken or the tenant has as many as it may. */
export async function createResource<T extends ResourceTable>(
  ctx: OperatorContext,
  kind: ResourceKind<T>,
  row: RowOf<T>,
  action: AuditAction = 'create',
): Promise<RowOf<T>> {
  const created = await insertResource(ctx, kind, row, action)
  if (!created) throw nameTaken(kind)
  return created
}

/** As `createResource`, for a PUT, which then replaces. @returns null when the name is taken. @throws conflict when the tenant has as many as it may. */
export async function insertResource<T extends ResourceTable>(
  ctx: OperatorContext,
  kind: ResourceKind<T>,
  row: RowOf<T>,
  action: AuditAction = 'create',
): Promise<RowOf<T> | null> {
  const after = kind.snapshot(row)
  try {
    const hadRoom = await commitChange(
      ctx,
      row.tenantId,
      [
        ctx.db.insert<SQLiteTable>(kind.table).values(row),
        ...(kind.revised ? addRevision(ctx, kind.revised, row, after) : []),
        ...(kind.made?.(ctx, row) ?? []),
      ],
      {
        ...entryOf(kind, row),
        action,
        before: null,
        after,
        requires: sql`(SELECT count(*) FROM ${kind.table} WHERE tenant_id = ${row.tenantId}) < ${kind.limit.most}`,
      },
    )
    if (hadRoom) return row
  } catch (error) {
    if (isTaken(error, column(kind, kind.named ?? 'name'))) return null
    throw error
  }
  if (await isNamed(ctx, kind, row)) return null
  throw conflict(kind.limit.full)
}

/** Whether the tenant has one of that name. */
async function isNamed<T extends ResourceTable>(
  { db }: OperatorContext,
  { table, named = 'name' }: ResourceKind<T>,
  row: RowOf<T>,
): Promise<boolean> {
  const name = (row as Record<string, unknown>)[named]
  const column = getTableColumns<SQLiteTable>(table)[named]
  if (name === undefined || column === undefined) return false
  return (await countOwn(db, table, row.tenantId, eq(column, name))) > 0
}

/**
 * Writes the changed fields, what follows from them in other rows, a revision if the state differs, and the audit entry.
 * @param requires in place of the condition that the row is as it was read
 * @param more further statements for the same batch
 * @returns the new row, or null when `requires` did not hold and nothing was written
 * @throws conflict for a value that only one may have.
 */
export async function saveResource<T extends ResourceTable, B extends RowOf<T>>(
  ctx: OperatorContext,
  kind: StoredKind<T>,
  before: B,
  changed: Partial<RowOf<T>>,
  action: AuditAction = 'update',
  requires: SQL = stillAs(kind, before),
  more: Statements = [],
): Promise<B | null> {
  const fields = {
    ...changed,
    ...formerly(before, changed.name),
    updatedAt: nextUpdate(before, ctx.now),
  }
  const after: B = { ...before, ...fields }
  const states = { before: kind.snapshot(before), after: kind.snapshot(after, before) }
  const uses = before.name === after.name ? {} : await usesOf(ctx, kind, before)
  const isSame = JSON.stringify(states.before) === JSON.stringify(states.after)
  try {
    const written = await commitChange(
      ctx,
      before.tenantId,
      [
        ctx.db.update<SQLiteTable>(kind.table).set(fields).where(isRow(kind, before)),
        ...(kind.revised && !isSame ? addRevision(ctx, kind.revised, after, states.after) : []),
        ...(kind.follow?.(ctx, before, after) ?? []),
        ...more,
      ],
      {
        ...entryOf(kind, after),
        action,
        before: { ...states.before, ...uses },
        after: { ...states.after, ...uses },
        requires,
      },
    )
    return written ? after : null
  } catch (error) {
    if (isTaken(error, column(kind, kind.named ?? 'name'))) throw nameTaken(kind)
    for (const [name, sentence] of Object.entries(kind.taken ?? {}))
      if (isTaken(error, column(kind, name))) throw conflict(sentence)
    throw error
  }
}

/** Of so many renames those are known that were last. */
const FORMER_NAMES = 20

function formerly(
  { name, formerNames }: ResourceRow,
  next = name,
): Pick<ResourceRow, 'formerNames'> {
  if (formerNames === undefined || name === undefined || name === next) return {}
  const others = formerNames.filter((former) => former !== name && former !== next)
  return { formerNames: [name, ...others].slice(0, FORMER_NAMES) }
}

/**
 * Deletes the row and takes its name out of what refers to it.
 * @param first statements that go before, for rows that belong to it
 * @returns null when the row is no longer as it was read: then nothing was deleted
 */
export async function removeResource<T extends ResourceTable>(
  ctx: OperatorContext,
  kind: StoredKind<T>,
  before: RowOf<T>,
  first: Statements = [],
): Promise<true | null> {
  const removed = await commitChange(
    ctx,
    before.tenantId,
    [
      ...first,
      ctx.db.delete(kind.table).where(isRow(kind, before)),
      ...(kind.follow?.(ctx, before, null) ?? []),
    ],
    {
      ...entryOf(kind, before),
      action: 'delete',
      before: { ...kind.snapshot(before), ...(await usesOf(ctx, kind, before)) },
      after: null,
      requires: stillAs(kind, before),
    },
  )
  return removed || null
}

async function usesOf<T extends ResourceTable>(
  ctx: OperatorContext,
  kind: StoredKind<T>,
  row: RowOf<T>,
) {
  return kind.usedBy && { used_by: await kind.usedBy(ctx, row) }
}

export const nameTaken = ({ title }: { title: string }) => conflict(`${title} already exists`)

const column = ({ table }: { table: SQLiteTable }, name: string) =>
  name.includes('.') ? name : `${getTableName(table)}.${name}`

const entryOf = <T extends ResourceTable>(kind: StoredKind<T>, row: RowOf<T>) => ({
  entity: kind.entity,
  entityId: row.id,
  entityName: kind.nameOf?.(row) ?? row.name ?? null,
})

const isRow = ({ table }: { table: ResourceTable }, row: ResourceRow) =>
  and(eq(table.tenantId, row.tenantId), eq(table.id, row.id))

/** The condition of a write: the row is as it was read (for a `restless` kind: it exists). */
export const stillAs = <T extends ResourceTable>(
  { table, restless }: StoredKind<T>,
  row: ResourceRow,
) => (restless ? isThere(table, row) : isUnchanged(table, row))
