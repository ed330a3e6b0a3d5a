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
      write('error', event, {
        ...fields,
        error: e.name,
        message: e.message.slice(0, 500),
        stack: (e.stack ?? '').slice(0, 2000),
      })
    },
  }
}
