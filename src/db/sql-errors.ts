/** Whether a write failed because `table.column` must be unique and the value is taken. */
export function isTaken(error: unknown, column: string): boolean {
  return messageOf(error).includes('UNIQUE constraint failed') && messageOf(error).includes(column)
}

/** Whether a write failed because the row that it belongs to is gone. */
export function isGone(error: unknown): boolean {
  return messageOf(error).includes('FOREIGN KEY constraint failed')
}

/** Drizzle wraps what D1 says. */
export function messageOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined
  return `${error instanceof Error ? error.message : String(error)} ${cause instanceof Error ? cause.message : ''}`
}
