import { expect, it } from 'vitest'
import { findLeaving } from '../../../durable-objects/user-space/turns/title-and-summary'

const idOf = (n: number) => String(n).padStart(5, '0')

/** A talk of so many exchanges. @returns how often it was summarised, and the most messages that neither history nor summary told of */
function talk(exchanges: number, historyWindow: number) {
  const messages: { id: string }[] = []
  let told: string | null = null
  let summaries = 0
  let untold = 0
  for (let n = 0; n < exchanges; n++) {
    messages.push({ id: idOf(2 * n) }, { id: idOf(2 * n + 1) })
    const last: string | undefined = findLeaving(messages, told, historyWindow).at(-1)?.id
    if (last !== undefined) summaries++
    told = last ?? told
    const before = messages.slice(0, -historyWindow)
    untold = Math.max(untold, before.filter(({ id }) => told === null || id > told).length)
  }
  return { summaries, untold }
}

it('a long talk is summarised once in five exchanges, and nothing is left out for longer than before', () => {
  // Ten exchanges are the history.
  expect(talk(12 + 5 * 18, 20)).toEqual({ summaries: 19, untold: 2 })
  expect(talk(11, 20)).toEqual({ summaries: 0, untold: 2 })
})

it('of a short history nothing is told ahead', () => {
  expect(talk(3 + 2 * 10, 2)).toEqual({ summaries: 11, untold: 2 })
})
