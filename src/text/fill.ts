/** Fills a phrase's placeholders. */
export function fill(phrase: string, values: Record<string, string>): string {
  return phrase.replaceAll(/\{(\w+)\}/gu, (whole, key: string) => values[key] ?? whole)
}
