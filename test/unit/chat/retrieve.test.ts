import { describe, expect, it } from 'vitest'
import { searchedAhead } from '../../../src/chat/retrieve'

const BASE = { id: 'b' }
const SAID = [
  { role: 'user', content: 'When is the library open on Fridays?' },
  { role: 'assistant', content: 'From nine to six.' },
]
const ask = (message: string, history = SAID, bases: object[] = [BASE], onDemand = false) =>
  searchedAhead({ agent: { bases, config: { on_demand_context: onDemand } }, message }, history)

describe('what a turn will search for', () => {
  it('is a message that stands alone', () => {
    expect(ask(' How many books may I borrow at once? ')).toBe(
      'How many books may I borrow at once?',
    )
  })

  it.each([
    ['leans on the talk before it', ask('And on Sundays?')],
    ['is small talk', ask('Thank you!')],
    ['has no words', ask('  ')],
    ['meets no base', ask('How many books may I borrow at once?', [], [])],
    ['is searched by the model itself', ask('How many books may I borrow?', [], [BASE], true)],
  ])('is not known of a message that %s', (_name, query) => {
    expect(query).toBeNull()
  })
})
