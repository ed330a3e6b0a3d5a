import type { SimulatedTurn } from './simulate'

/** What of a scenario did not come. */
export interface Deviation {
  turn: number
  expected: Record<string, unknown>
  got: Record<string, unknown>
}

/** The first turn of a scenario that is not as it was expected, null when all are. Pure. */
export function firstDeviation(
  expected: readonly {
    turn: number
    node?: string | undefined
    status?: string | undefined
    says?: string | undefined
    slots?: Readonly<Record<string, unknown>> | undefined
  }[],
  turns: readonly SimulatedTurn[],
): Deviation | null {
  for (const { turn, node, status, says, slots } of expected.toSorted((a, b) => a.turn - b.turn)) {
    const one = turns[turn - 1]
    const words = one ? [...one.said, one.question ?? ''].join('\n\n') : ''
    const differs: [string, unknown, unknown][] = []
    if (node !== undefined && node !== one?.node) differs.push(['node', node, one?.node ?? null])
    if (status !== undefined && status !== one?.status)
      differs.push(['status', status, one?.status ?? null])
    if (says !== undefined && !words.includes(says)) differs.push(['says', says, words])
    const noted = new Map(Object.entries(one?.slots ?? {}))
    const wrong = Object.entries(slots ?? {}).filter(
      ([key, value]) => JSON.stringify(noted.get(key) ?? null) !== JSON.stringify(value),
    )
    if (wrong.length > 0) {
      const got = wrong.map(([key]) => [key, noted.get(key) ?? null])
      differs.push(['slots', Object.fromEntries(wrong), Object.fromEntries(got)])
    }
    if (differs.length === 0) continue
    return {
      turn,
      expected: Object.fromEntries(differs.map(([field, value]) => [field, value])),
      got: Object.fromEntries(differs.map(([field, , value]) => [field, value])),
    }
  }
  return null
}
