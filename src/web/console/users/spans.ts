/** What `24h` or `30d` asks the API for: by the hour up to a day, else by the day. */
export function spanOf(span: string): { hours?: number; days?: number } {
  const n = Number.parseInt(span, 10)
  return span.endsWith('h') ? { hours: n } : { days: n }
}
