/** What `24h` or `30d` asks the API for: by the hour up to a day, else by the day. */
export function spanOf(span: string): { hours?: number; days?: number } {
  const n = Number.parseInt(span, 10)
  return span.endsWith('h') ? { hours: n } : { days: n }
}

/** A round number at or above the largest value, for the top of a scale: 1, 2 or 5 with zeros. */
export function topOf(values: readonly number[]): number {
  const most = Math.max(0, ...values)
  if (most <= 0) return 1
  const unit = 10 ** Math.floor(Math.log10(most))
  return [1, 2, 5, 10].map((step) => step * unit).find((top) => top >= most) ?? most
}
