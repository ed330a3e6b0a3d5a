import { durationClass } from './durations'
import type { CountStep } from './records'
import type { Effect, StoryState } from './story-state'

/**
 * What a turn adds to the counts of its storyline: people, not visits, so a node that was entered before is not counted
 * again. Made of step events alone, never of what was said.
 */
export function countSteps(
  before: StoryState,
  effects: readonly Effect[],
  now: number,
): readonly CountStep[] {
  const counts: CountStep[] = []
  const add = (node: string, kind: CountStep['kind'], name = '') =>
    counts.push({ node, kind, name, n: 1 })
  const seen = new Set([...Object.keys(before.visits), ...(before.counted ?? [])])
  let since = before.enteredAt
  for (const effect of effects) {
    if (effect.type === 'moved') {
      add(effect.from, 'exit', effect.exit)
      add(effect.from, 'seconds', durationClass(Math.max(0, now - since) / 1000))
      since = now
    } else if (effect.type === 'entered') {
      // It may have been put or offered there long before.
      since = now
      if (!seen.has(effect.node)) add(effect.node, 'entered')
      seen.add(effect.node)
    } else if (effect.type === 'ended') {
      if (effect.why === 'user_exit') add(effect.node, 'exit', 'user_exit')
      if (effect.status !== 'active') add(effect.node, effect.status)
    }
  }
  return counts
}
