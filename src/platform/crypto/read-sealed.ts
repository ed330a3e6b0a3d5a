import { ApiError, conflict } from '../../errors'
import { createLog } from '../../log'
import { type FieldKey, NO_SPACE, openField, SealError } from './field'

/** What was reported, per isolate. */
const reported = new Set<string>()
const MAX_REPORTED = 10_000

/**
 * FE9: what is sealed, opened, or null when it does not open. That is said in the log once, not at each read, and is never
 * the failure of what is around it.
 */
export async function readSealed<T>(
  place: readonly string[],
  open: () => Promise<T>,
): Promise<T | null> {
  try {
    return await open()
  } catch (error) {
    if (!(error instanceof SealError)) throw error
    report(place, error)
    return null
  }
}

type TenantPlace = readonly [tenantId: string, table: string, column: string, row: string]

/** A tenant's own secret, opened, or null when it does not open. */
export function readTenantField(
  key: FieldKey,
  place: TenantPlace,
  sealed: string,
): Promise<string | null> {
  const [tenantId, ...rest] = place
  return readSealed([tenantId, '', NO_SPACE, ...rest], () => openField(key, place, sealed))
}

/** As `readTenantField`, for what cannot be done without. @throws conflict `unreadable`. */
export async function needTenantField(
  key: FieldKey,
  place: TenantPlace,
  sealed: string,
): Promise<string> {
  const opened = await readTenantField(key, place, sealed)
  if (opened === null) throw unreadable()
  return opened
}

const UNREADABLE = 'unreadable'

/** What cannot be done because a secret does not open, or was sealed for something else. */
export const unreadable = (): ApiError =>
  conflict('A secret that is stored for this cannot be read: set it anew', UNREADABLE)

/** Whether something failed because what is stored does not open, which no repeat mends. */
export const isUnreadable = (error: unknown): boolean =>
  error instanceof ApiError && error.publicCode === UNREADABLE

function report(place: readonly string[], { reason }: SealError): void {
  const [tenant_id, user_id, space_id, table, column, row] = place
  const name = place.join('\n')
  if (reported.has(name)) return
  if (reported.size >= MAX_REPORTED) reported.clear()
  reported.add(name)
  createLog('seal').warn('unreadable', { tenant_id, user_id, space_id, table, column, row, reason })
}
