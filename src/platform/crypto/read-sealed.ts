import { createLog } from '../../log'
import { SealError } from './field'

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

function report(place: readonly string[], { reason }: SealError): void {
  const [tenant_id, user_id, space_id, table, column, row] = place
  const name = place.join('\n')
  if (reported.has(name)) return
  if (reported.size >= MAX_REPORTED) reported.clear()
  reported.add(name)
  createLog('seal').warn('unreadable', { tenant_id, user_id, space_id, table, column, row, reason })
}
