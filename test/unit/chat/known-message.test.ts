import { expect, it } from 'vitest'
import { KnownMessage } from '../../../src/chat/known-message'
import { searchedAhead, searchQuery } from '../../../src/chat/retrieve'
import { messageOf } from '../../../src/chat/steps/step'
import { detectLanguage } from '../../../src/text/detect-language'

const HISTORY = [{ role: 'user', content: 'When is the library open on Fridays?' }]
it('a turn’s message is told its language once, whoever asks', () => {
  const message = 'I keep a bakery at the harbour. How long does a refund take?'
  const told: string[] = []
  const known = new KnownMessage(message, HISTORY, undefined, (text) => {
    told.push(text)
    return detectLanguage(text)
  })
  const agent = { bases: [{}], config: { on_demand_context: false } }
  const turn = { known, history: HISTORY, request: { message } } as never
  const query = 'How long does a refund take'
  expect(searchedAhead({ agent }, known)).toBe(query)
  expect(searchQuery(messageOf(turn, message), '')).toBe(query)
  expect([known.lang, known.speaksOfSelf, known.context]).toEqual(['en', true, ''])
  expect(told).toEqual([message])
})

it('what a step made of the message is read for itself', () => {
  const known = new KnownMessage('And on Sundays?', HISTORY)
  const turn = { known, history: HISTORY, request: { message: 'And on Sundays?' } } as never
  const rewritten = 'My shop is small. When is the library open on Sundays?'
  expect(searchQuery(messageOf(turn, rewritten), '')).toBe('When is the library open on Sundays')
})

it('a message that tells no language is in that of the talk', () => {
  const said = (...contents: string[]) => contents.map((content) => ({ role: 'user', content }))
  const spanish = '¿Cuándo abre la biblioteca los viernes?'
  const talk = [
    ...said('When is the library open on Fridays?', spanish, '1958?'),
    { role: 'assistant', content: 'The library opens at nine.' },
  ]
  const known = new KnownMessage('iPhone 15', talk)
  expect([known.lang, known.talkLang]).toEqual([null, 'es'])
  expect(new KnownMessage('And on Sundays?', said(spanish)).talkLang).toBe('en')
  expect(new KnownMessage('1958?', said('1954?')).talkLang).toBeNull()
})

it('a message that wants an answer in another form asks what was asked before it', () => {
  const said = (...contents: string[]) => contents.map((content) => ({ role: 'user', content }))
  const [first, next] = ['When is the library open on Fridays?', 'And on Sundays?']
  const about = (message: string, ...before: string[]) => {
    const { message: asked, context } = new KnownMessage(message, said(...before)).about
    return [asked, context]
  }
  expect(about('shorter, please', first)).toEqual([first, ''])
  expect(about('Are you sure?', first, next, 'in French please')).toEqual([next, first])
  expect(about('And on Sundays?', first)).toEqual(['And on Sundays?', first])
  expect(about('Shorter, please')).toEqual(['Shorter, please', ''])
  expect(about('Shorter, please', 'hello')).toEqual(['Shorter, please', ''])
})
