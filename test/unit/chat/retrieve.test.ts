import { describe, expect, it } from 'vitest'
import { KnownMessage } from '../../../src/chat/known-message'
import { retrieve, retrieveSafely, searchedAhead, searchWidth } from '../../../src/chat/retrieve'
import { messageOf } from '../../../src/chat/steps/step'
import type { Language } from '../../../src/config/names'
import { passage } from '../../support/passages'

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

describe('a query that tells no language', () => {
  const GUIDES = [
    ['A webhook is an address of your server.', 0.99, 1],
    ['Each webhook is signed with its secret.', 0.98, 1],
    ['Un webhook es una dirección de tu servidor.', 0.97, 1],
    ['Вебхук (webhook) — это адрес вашего сервера.', 0.96, 1],
    ['Адрес сервера называет арендатор.', 0.96, 0],
    ['Слово webhook здесь стоит далеко от вопроса.', 0.2, 1],
  ] as const
  const hits = GUIDES.map(([text, score, coverage], at) => ({
    ...passage(at + 1, text),
    score,
    coverage,
  }))
  const find = async (query: string, lang: Language | null) => {
    const widths: number[] = []
    const search = async (_base: string, _query: string, k: number) => {
      widths.push(k)
      return { hits: hits.slice(0, k) } as never
    }
    const { passages } = await retrieve(
      search,
      [{ id: 'b', name: 'b', instructions: '' }],
      query,
      2,
      lang,
    )
    return { texts: passages.map(({ text }) => text), widths }
  }

  it('finds first what is in the language of the talk and says as much of it', async () => {
    const { texts, widths } = await find('webhook?', 'ru')
    expect(texts).toContain('Вебхук (webhook) — это адрес вашего сервера.')
    expect(texts).toContain('A webhook is an address of your server.')
    expect(widths).toEqual([searchWidth('webhook?', 2)])
    expect(widths[0]).toBeGreaterThan(2)
  })

  it.each([
    ['webhook?', 'zh'],
    ['webhook?', null],
    ['Что такое webhook?', 'es'],
  ] as const)('%s beside %s finds what is found best', async (query, lang) => {
    expect((await find(query, lang)).texts).toEqual(hits.slice(0, 2).map(({ text }) => text))
  })
})

describe('a follow-up that names one thing', () => {
  const FOUND = [
    'The violin is repaired in the workshop on Fridays.',
    'The violin is tuned in the workshop on Mondays.',
    'Le violoncelle et le cello baroque se réparent dans la boutique.',
    'Only the shop repairs a cello.',
  ]
  const find = async (message: string, found = FOUND) => {
    const { about } = new KnownMessage(message, [
      { role: 'user', content: 'Where is a violin repaired?' },
    ])
    const hits = found.map((text, at) => ({ ...passage(at + 1, text), score: 1 - at / 10 }))
    const turn = {
      request: { agent: { bases: [BASE], config: {} }, k: 2 },
      lang: 'en',
      question: about.message,
      context: about.context,
    }
    const search = async (_base: string, _query: string, k: number) =>
      ({ hits: hits.slice(0, k) }) as never
    const ports = { search, onInjection: () => undefined }
    const { passages } = await retrieveSafely(ports, turn as never, about.message)
    return passages.map(({ text }) => text)
  }

  it('finds it in the language of the talk, however much else speaks of the rest', async () => {
    expect(await find('and a cello?')).toEqual([FOUND[0], FOUND[3]])
  })

  it('leaves what is found as it is where nothing in that language speaks of it', async () => {
    expect(await find('and a harp?')).toEqual(FOUND.slice(0, 2))
    expect(await find('and a cello?', FOUND.slice(0, 3))).toEqual(FOUND.slice(0, 2))
  })

  it('is found as any question where it asks for itself', async () => {
    expect(await find('and where can I buy a cello bow?')).toEqual(FOUND.slice(0, 2))
  })
})
