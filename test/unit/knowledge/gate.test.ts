import { describe, expect, it } from 'vitest'
import { readGate } from '../../../src/knowledge/gate'
import type { SearchResult } from '../../../src/knowledge/types'
import { writePhrasings } from '../../../src/text/phrasings'
import { passage } from '../../support/passages'

const SMALL = { common: {}, rest: 1.5 }
const LARGE = { common: {}, rest: 7 }
const SHOP = [
  'Refunds are paid to the original payment method within 14 days after we receive the parcel.',
  'If you forgot your password, click the link on the sign-in page.',
  'Los reembolsos tardan cinco días.',
  '退款在五天内到账。',
].map((text, at) => passage(at + 1, text))

const found = (texts = SHOP, idf = SMALL): SearchResult => ({
  hits: texts,
  idf,
  coverage: 0,
  cosine: null,
  embedder: null,
})

describe('the gate', () => {
  it.each([
    'How long do refunds take?',
    'refunds',
    'i forgot my pasword what now',
    'Hello! I was here yesterday with my sister. How long do refunds take?',
    '¿Cuánto tardan los reembolsos?',
    '退款什么时候到账？',
  ])('opens for %s', (question) => {
    expect(readGate(question, found())).toMatchObject({ open: true, reasons: ['covered'] })
  })

  it.each([
    ['What is the capital of France?', 'name_not_found'],
    ['how do i fix a flat bicycle tyre', 'too_little_found'],
    ['¿Cómo se cocina el arroz?', 'too_little_found'],
    ['How are you?', 'names_nothing'],
    ['?!', 'names_nothing'],
  ])('stays shut for %s: %s', (question, reason) => {
    expect(readGate(question, found())).toMatchObject({ open: false, reasons: [reason] })
  })

  it.each([
    ['How long do refunds and massages take?', true],
    ['Do you have massages and refunds?', true],
    ['Do you have massages and saunas?', false],
    ['Who wrote massages and refunds?', false],
  ])('of two things that are asked for one is enough: %s %s', (question, open) => {
    expect(readGate(question, found(SHOP, LARGE)).open).toBe(open)
  })

  it.each(['為什麼退款老是401', '退款啥时候到账啊'])(
    'weighs nothing that only stresses: %s',
    (question) => {
      const texts = [passage(1, '退款在五天内到账，錯誤 401 表示退款失敗。'), ...SHOP]
      expect(readGate(question, found(texts, SMALL)).open).toBe(true)
    },
  )

  it('stays shut where nothing was found', () => {
    expect(readGate('refunds', found([]))).toMatchObject({
      open: false,
      reasons: ['nothing_found'],
    })
  })

  it('wants more of a large base, where some words are always found', () => {
    const text = [passage(1, 'The guitar was found in the attic.')]
    const question = 'How do I tune a guitar string?'
    expect(readGate(question, found(text, LARGE)).open).toBe(false)
  })

  it.each([
    ['one thing that is there', 'Where is the guitar?', 'The guitar was found in the attic.', true],
    [
      'one word told in passing',
      'Please help me as soon as possible. My parcel never came.',
      'It came soon.',
      false,
    ],
    [
      'everyday words, where no rare one is found',
      'May I bring my own company car?',
      'The company sold a car.',
      false,
    ],
    ['a name that is nowhere', '靳云鹏铁路的线路怎样的？', '这条铁路的线路很长。', false],
  ])('in a large base: %s', (_name, question, text, open) => {
    expect(readGate(question, found([passage(1, text)], LARGE)).open).toBe(open)
  })

  it('takes a long compound for two things, of which one is much', () => {
    const text = [passage(1, 'Die Schmalspurbahnen fahren heute noch durch das Land.')]
    const idf = { common: {}, rest: 5 }
    expect(readGate('Wo wurden die Schmalspurbahnen gebaut?', found(text, idf)).open).toBe(true)
  })

  it('wants the words of a question near each other', () => {
    const filler = 'Something else stands here in the middle. '.repeat(5)
    const near = [passage(1, `The blue door opens with the copper key. ${filler}`)]
    const far = [passage(1, `The blue door opens. ${filler} It is a copper key.`)]
    const question = 'copper key blue door'
    expect(readGate(question, found(near)).coverage).toBeGreaterThan(
      readGate(question, found(far)).coverage,
    )
  })

  it('does not shut for a light word that is nowhere', () => {
    const chats = [passage(1, 'The messaging app that is supported is Telegram.')]
    expect(readGate('does it work with Telegram', found(chats, LARGE)).open).toBe(true)
  })

  it('does not shut for a light word that another passage has', () => {
    const texts = ['Passports are made in the town hall.', 'You get paper at the desk.'].map(
      (text, at) => passage(at + 1, text),
    )
    const base = { common: {}, rest: 4.4 }
    expect(readGate('where do i get a passport', found(texts, base)).open).toBe(true)
  })

  it('counts a question of the passage that asks for it', () => {
    const text = 'Press the red button and wait until the lamp goes out.'
    const question = 'how do i stop the press that still hums'
    const told = [passage(1, text, { heading: 'The press stopped' })]
    const asked = [passage(1, text, { heading: 'How do I stop the press?' })]
    expect(readGate(question, found(asked, LARGE)).coverage).toBeGreaterThan(
      readGate(question, found(told, LARGE)).coverage,
    )
  })

  it('judges a follow-up with what it leans on', () => {
    expect(readGate('why?', found(), 'How long do refunds take?').open).toBe(true)
    expect(readGate('why?', found()).open).toBe(false)
  })

  it('is opened by the cosine of a trained embedder', () => {
    const near = { ...found(), cosine: 0.7, embedder: '@cf/baai/bge-m3' }
    expect(readGate('钱什么时候回来', near)).toMatchObject({ open: true, reasons: ['near'] })
    expect(
      readGate('How do I cook rice?', { ...near, cosine: 0.65, embedder: 'unmeasured' }).open,
    ).toBe(false)
  })

  it('reads hostile passages', () => {
    const row = '| one | two |\n'
    const hits = ['again '.repeat(4000), row.repeat(5000), '如何'.repeat(4000)].map((text, at) =>
      passage(at + 1, text),
    )
    expect(readGate('what about word '.repeat(1000), found(hits)).open).toBe(false)
  })
})

describe('the gate of a large base', () => {
  const texts = (...all: string[]) => all.map((text, at) => passage(at + 1, text))
  const opens = (question: string, all: string[], idf = LARGE) =>
    readGate(question, found(texts(...all), idf)).open

  const PASSING = 'In those years wheat was exported to Egypt. The harbour shut in winter.'

  it('stays shut for an everyday word in passing, which a small base answers', () => {
    expect(opens('how do I export something', [PASSING])).toBe(false)
    expect(opens('how do I export something', [PASSING], SMALL)).toBe(true)
  })

  it('opens for an everyday word that a passage repeats or has in its heading', () => {
    expect(
      opens('how do I export something', ['Press E. It exports. Two files export at once.']),
    ).toBe(true)
    const headed = [{ ...passage(1, 'Press P and wait.'), heading: 'Export' }]
    expect(readGate('how do I export something', found(headed, LARGE)).open).toBe(true)
  })

  it('opens for two everyday words in one sentence, not for two apart', () => {
    const apart = 'A company sells apples. The river is long. They bought a car.'
    expect(opens('is there a company car', ['Every company has a car.'])).toBe(true)
    expect(opens('is there a company car', [apart])).toBe(false)
  })

  it('opens for a question that stands in the base in other words', () => {
    const asked = 'How do I delete my account?\n\nIt is removed with all its files at once.'
    const told = 'The account is removed with all its files at once. Nothing else is.'
    expect(opens('how can i remove my account', [asked])).toBe(true)
    expect(opens('how can i remove my boiler', [asked])).toBe(false)
    expect(opens('how can i remove my boiler', [told])).toBe(false)
  })

  it('takes no word of another language for a name with the same stem', () => {
    const gate = (text: string) => readGate('What is France?', found([passage(1, text)], LARGE))
    const told = 'La consola está en inglés, español y'
    expect(gate(`${told} francés: el globo de la barra cambia el idioma.`).open).toBe(false)
    expect(gate(`${told} otros idiomas: France es el primero de la lista.`).open).toBe(true)
  })

  it('takes many short passages for fewer long ones', () => {
    const idf = { common: {}, rest: 5 }
    const short = 'A company sells apples. The river is long. They bought a car.'
    const long = `${short} ${'Someone walks along the water and sings. '.repeat(15)}`
    const gate = (text: string) =>
      readGate('is there a company car', found([passage(1, text)], idf)).open
    expect([gate(short), gate(long)]).toEqual([true, false])
  })

  describe('whose authors wrote down how else people ask', () => {
    const TOLD = 'Wheat is sent abroad from the harbour.'
    const coverage = (question: string, text: string, ways: string[]) => {
      const phrasings = writePhrasings(ways.map((way) => ({ at: 0, text: way })))
      return readGate(question, found([passage(1, text, { phrasings })], LARGE)).coverage
    }

    it('counts a word that only those ways have a little less', () => {
      const asked = 'grain, wheat and pollination of hibiscus'
      const written = coverage(asked, `${TOLD} Grain needs pollination.`, ['wheat', 'grain'])
      const inWays = coverage(asked, TOLD, ['grain needs pollination', 'wheat', 'grain'])
      expect(inWays).toBeGreaterThan(0)
      expect(inWays).toBeLessThan(written)
    })

    it('counts a rare word that stands nowhere for more against it', () => {
      const asked = 'grain, wheat and pollination of hibiscus'
      const text = `${TOLD} Grain needs pollination.`
      expect(coverage(asked, text, ['wheat'])).toBeLessThan(coverage(asked, text, []))
    })

    it('takes nothing for repeated that stands in three of those ways', () => {
      const opens = (ways: string[]) => coverage('how do I export something', TOLD, ways) > 0
      const ways = ['export wheat', 'is wheat for export', 'export of other grain', 'can we export']
      expect([opens(ways), opens(ways.slice(0, 3))]).toEqual([true, false])
    })
  })

  it('does not mind light words beside what a heading names', () => {
    const headed = [{ ...passage(1, 'The key is missing.'), heading: 'Error 403' }]
    expect(readGate('why do i get 403 all the time', found(headed, LARGE)).open).toBe(true)
  })
})

describe('a message that says nothing new', () => {
  it('asks what was asked before', () => {
    const gate = (message: string, before: string) => readGate(message, found(), before)
    expect(gate('still doesnt work', 'i forgot my password').open).toBe(true)
    expect(gate('sigue sin funcionar', '¿Cuánto tardan los reembolsos?').open).toBe(true)
    expect(gate('still doesnt work', 'how do i fix a flat tyre').open).toBe(false)
  })
})
