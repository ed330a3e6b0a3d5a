import { messageOf } from '../audit/commit-change'

/** Whether a write failed because `table.column` must be unique and the value is taken. */
export function isTaken(error: unknown, column: string): boolean {
  return messageOf(error).includes('UNIQUE constraint failed') && messageOf(error).includes(column)
}

/** Whether a write failed because the row that it belongs to is gone. */
export function isGone(error: unknown): boolean {
  return messageOf(error).includes('FOREIGN KEY constraint failed')
}
