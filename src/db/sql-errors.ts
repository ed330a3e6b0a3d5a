import { messageOf } from '../audit/commit-change'

/** Whether a write failed because `table.column` must be unique and the value is taken. */
export function isTaken(error: unknown, column: string): boolean {
  return messageOf(error).includes('UNIQUE constraint failed') && messageOf(error).includes(column)
}
