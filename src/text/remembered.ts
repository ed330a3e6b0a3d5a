/** What is told of texts, kept for the `most` that came last: the steps of a turn ask the same of one message. */
export function remembered<T>(most: number, tell: (text: string) => T): (text: string) => T {
  const known = new Map<string, { told: T }>()
  return (text) => {
    const kept = known.get(text)
    if (kept) return kept.told
    const told = tell(text)
    known.set(text, { told })
    const [oldest] = known.keys()
    if (known.size > most && oldest !== undefined) known.delete(oldest)
    return told
  }
}
