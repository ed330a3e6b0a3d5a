import type { Storyline } from '../types'

/**
 * Positions after one moved among its agent's. Those that stand equal (all are 0 at first) are numbered; only what
 * changes is written.
 */
export function movedPositions(
  all: readonly Storyline[],
  one: Storyline,
  by: 1 | -1,
): { storyline: Storyline; position: number }[] {
  const own = all.filter((other) => other.agent_name === one.agent_name)
  const at = own.findIndex((other) => other.id === one.id)
  const to = at + by
  if (at === -1 || to < 0 || to >= own.length) return []
  const next = [...own]
  next.splice(to, 0, ...next.splice(at, 1))
  return next
    .map((storyline, position) => ({ storyline, position }))
    .filter(({ storyline, position }) => storyline.position !== position)
}
