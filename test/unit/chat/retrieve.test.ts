import { describe, expect, it } from 'vitest'
import { KnownMessage } from '../../../src/chat/known-message'
import { searchedAhead } from '../../../src/chat/retrieve'
import { messageOf } from '../../../src/chat/steps/step'

const BASE = { id: 'b' }
const SAID = [
  { role: 'user', content: 'When is the library open on Fridays?' },
  { role: 'assistant', content: 'From nine to six.' },
]
const ask = (message: string, history = SAID, bases: object[] = [BASE], onDemand = false) =>
  searchedAhead(
    { agent: { bases, config: { on_demand_context: onDemand } } },
    new KnownMessage(message, history),
  )

describe('what a turn will search for', () => {
  it('is a message that stands alone', () => {
    expect(ask(' How many books may I borrow at once? ')).toBe(
      'How many books may I borrow at once?',
    )
  })

  it.each([
    [
      'I run a small bakery. How many books may I borrow at once?',
      'How many books may I borrow at once',
    ],
    ['My boss wants to know before we decide: may I borrow a map?', 'may I borrow a map'],
    ['Bonjour, je tiens une boulangerie. C’est gratuit ?', "C'est gratuit"],
    ['你好，我开了一家小面包店。一次可以借几本书？', '一次可以借几本书'],
    ['I lent her my card. Where does she find it?', 'I lent her my card. Where does she find it?'],
    ['The machine is full. It keeps my card.', 'The machine is full. It keeps my card.'],
  ])(
    'is the question of a message that tells something too, unless it leans on that: %s',
    (message, query) => {
      expect(ask(message, [])).toBe(query)
    },
  )

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

describe('a message that was read for its admission', () => {
  it('is read anew once a step has put another in its place', () => {
    const known = new KnownMessage('And on Sundays?', SAID)
    const turn = (message: string) => ({ request: { message }, history: SAID, known }) as never
    expect(messageOf(turn('And on Sundays?'))).toBe(known)
    expect(messageOf(turn('Thank you!')).smallTalk).toBe(true)
    expect(known.smallTalk).toBe(false)
    expect(known.context).toContain('library')
  })
})
