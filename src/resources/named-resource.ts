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

/** What every row of a resource has; one without a name is told apart by its id alone. */
interface ResourceRow {
  id: string
  tenantId: string
  name?: string
  updatedAt: number
}

type RowOf<T extends ResourceTable> = InferSelectModel<T> & ResourceRow

type Statements = readonly BatchItem<'sqlite'>[]

/** What a tenant has by rows of a table, each change of which is audited. */
export interface StoredKind<T extends ResourceTable> {
  table: T
  /** As the audit trail calls it. */
  entity: string
  /** As people call it, at the start of a sentence. */
  title: string
  /**
   * What the audit trail and the revisions keep of a state: no secrets, nothing that changes by itself.
   * @param before the state that it follows, where only the difference of something large is kept.
   */
  snapshot(row: RowOf<T>, before?: RowOf<T>): Record<string, unknown>
  /** Its name in the audit trail, where that is not `name`. */
  nameOf?(row: RowOf<T>): string
  /** The column that is taken by the first who has its value, where that is not `name`. */
  named?: string
  /** The entity of its revisions, where it has them. */
  revised?: RevisionRow['entity']
  /** Jobs write to its rows all the time: a change minds only whether the row is there. */
  restless?: boolean
  /** Beside the name: columns (`table.column` of another table) whose value only one may have, and what is said to the second. */
  taken?: Record<string, string>
  /** Statements by which what refers to it follows a change, or lets go of what is deleted (`after` is null). */
  follow?(ctx: OperatorContext, before: RowOf<T>, after: RowOf<T> | null): Statements
  /** Whose lists hold its name: the audit entry of a rename or a deletion says what followed. */
  usedBy?(ctx: OperatorContext, row: RowOf<T>): Promise<Record<string, string[]>>
}

/**
 * A kind of thing that a tenant makes and names: agents, skills, bases, servers. What one kind has and another has not
 * stands here; limit, taken names, references, revisions and audit are the same for all.
 */
export interface ResourceKind<T extends ResourceTable> extends StoredKind<T> {
  /** Statements by which what it concerns follows its making. */
  made?(ctx: OperatorContext, row: RowOf<T>): Statements
  /** How many a tenant may have, and what is said to one more. */
  limit: { most: number; full: string }
}

/** @throws notFound. */
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
 * Read, decide, write: `attempt` reads the resource and saves or removes it; what either returns when somebody else wrote
 * in between (null) has it run again. @param key the name or id under which it was asked for.
 */
export function changeResource<T extends ResourceTable, A>(
  ctx: Pick<TenantContext, 'tenant'>,
  kind: StoredKind<T>,
  key: string,
  attempt: () => Promise<A | null>,
): Promise<A> {
  return untilCommitted(`${kind.entity} ${ctx.tenant.id} ${key}`, attempt)
}

/** @throws conflict when the name is taken or the tenant has as many as it may. */
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

/** @returns null when the name is taken. @throws conflict when the tenant has as many as it may. */
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
 * Writes the changed fields, and what follows from them elsewhere. A state like the last one makes no revision.
 * @param requires instead of the condition that the row is as it was read
 * @param more statements for what is written with it
 * @returns null when that does not hold. @throws conflict for a value that another one has.
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
  const fields = { ...changed, updatedAt: nextUpdate(before, ctx.now) }
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

/** @param first statements for what belongs to it and goes before it. @returns null when it is no longer as it was read. */
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

/** The condition that the row is as it was read. */
export const stillAs = <T extends ResourceTable>(
  { table, restless }: StoredKind<T>,
  row: ResourceRow,
) => (restless ? isThere(table, row) : isUnchanged(table, row))
