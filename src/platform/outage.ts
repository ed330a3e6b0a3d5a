/**
 * How D1, R2, queues and objects say that they cannot be reached, are too busy or were restarted, not that a call was wrong.
 * Only objects say it by a flag, too.
 */
const SAID =
  /connection lost|overloaded|to be reset|was reset|reset because|code has been updated|transient|internal (?:server )?error|exceeded timeout|too many requests|service (?:temporarily )?unavailable|bad gateway|\(100(?:01|43|58)\)$/i

/** Whether something failed because the platform did: the same may work a moment later. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  // The innermost is the platform's: what wraps it repeats statements and their values.
  if (error.cause instanceof Error) return isOutage(error.cause)
  const { message, retryable, overloaded }: Error & { retryable?: true; overloaded?: true } = error
  return Boolean(retryable ?? overloaded) || SAID.test(message)
}
