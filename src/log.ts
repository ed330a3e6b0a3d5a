export type LogFields = Record<string, string | number | boolean | null | undefined>

/** One JSON line per event. Never bodies, prompts, keys, headers, e-mails, titles or query strings. */
export interface Log {
  info(event: string, fields?: LogFields): void
  warn(event: string, fields?: LogFields): void
  error(event: string, error: unknown, fields?: LogFields): void
}

export function createLog(component: string, base: LogFields = {}): Log {
  const write = (level: 'info' | 'warn' | 'error', event: string, fields: LogFields) => {
    // biome-ignore lint/suspicious/noConsole: the one place that writes the platform's log.
    console[level === 'info' ? 'log' : level](
      JSON.stringify({ level, component, event, ...base, ...fields }),
    )
  }
  return {
    info: (event, fields = {}) => write('info', event, fields),
    warn: (event, fields = {}) => write('warn', event, fields),
    error: (event, error, fields = {}) => {
      const e = error instanceof Error ? error : new Error(String(error))
      const message = messageOf(e)
      // A stack begins with the message.
      const stack = (e.stack ?? '').replace(e.message, message)
      write('error', event, {
        ...fields,
        error: e.name,
        message: message.slice(0, 500),
        stack: stack.slice(0, 2000),
      })
    },
  }
}

/**
 * The model library's errors repeat what the endpoint said, which may be a key or a prompt: the status is all that is kept.
 * Drizzle's repeat a statement with its values, which may be anything that people wrote: what the database said is kept.
 * The runtime's repeat a piece of the JSON that it could not read.
 */
function messageOf(error: Error & { statusCode?: unknown; lastError?: unknown }): string {
  const { message, cause } = error
  if (message.startsWith('Failed query'))
    return cause instanceof Error ? cause.message : 'Failed query'
  if (error.name === 'SyntaxError') return 'Not valid JSON'
  if (!error.name.startsWith('AI_')) return message
  const last = error.lastError as { statusCode?: unknown } | undefined
  return `Model call failed (${String(error.statusCode ?? last?.statusCode ?? 'no status')})`
}
