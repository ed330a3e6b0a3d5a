import { createHash } from 'node:crypto'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { MIB } from '../../../src/config/limits'
import { preparePassage } from '../../../src/knowledge/prepare-passage'
import { weighSketch, weighTerms } from '../../../src/knowledge/sketch'
import { embedOffline, embedRuns } from '../../../src/text/statistical-vectors'

describe('preparePassage', () => {
  const passage = preparePassage('Refunds', {
    heading: 'Payment by card',
    text: 'The money comes back in five days. Parcels must be sealed.',
  })

  it('keeps the title apart and counts the heading to the body', () => {
    expect(passage.mode).toBe('english')
    expect(passage.words.title).toBe('refund')
    expect(passage.words.body).toBe(
      'payment by card the money come back in five day parcel must be seal',
    )
    expect(passage.letters.title.split(' ')).toContain('_ref')
    expect(passage.letters.body.split(' ')).toContain('_car')
  })

  it('sketches title with heading, then each sentence', () => {
    const share = (...tokens: string[]) =>
      weighSketch(
        passage.sketch.buffer as ArrayBuffer,
        weighTerms(
          tokens.map((token) => [token]),
          () => 1,
        ),
      )
    expect(share('refund', 'card')).toEqual({ coverage: 1, sentence: 0 })
    expect(share('money', 'parcel')).toEqual({ coverage: 1, sentence: 0.5 })
    expect(share('money', 'day')).toEqual({ coverage: 1, sentence: 1 })
  })
})

/** Letters, numbers, signs and scripts that are each cut in a way of their own. */
const SAMPLES: [title: string, heading: string | null, text: string][] = [
  [
    'Refunds',
    'Payment by card',
    'The money comes back in 1,000.5 days. E.g. v2.0beta is 3rd! Node.js too?',
  ],
  [
    'Rückgabe',
    null,
    'Das Geld kommt am 5. Mai zurück. Größe: 30 m², ½ l, ﬁx. Straßenbahnhaltestelle',
  ],
  [
    'Remboursements',
    'Délais',
    'L’argent revient après cinq journées. Les idées reçues :\n- d’abord\n- ensuite',
  ],
  [
    'Devolución',
    'Más',
    '¿Cuándo llega? La información está en la página 3.\n\n| Campo | Valor |\n| a | b |',
  ],
  ['返金について', '期間', '返金は５日以内に行われます。「はい。」と言った。カードはｶﾀｶﾅでも。'],
  ['退款', null, '退款将在五个工作日内到账。请保留收据！WiFi 密码是12345。'],
  ['환불', '기간', '환불은 5일 이내에 처리됩니다. 카드로 결제하세요.'],
  [
    'Возврат',
    'Ёлка',
    'Деньги вернутся через пять дней, т.е. быстро. Йод и мёд стоят 5 руб. за кг.',
  ],
  ['استرداد', null, 'سيتم إرجاع المال خلال خمسة أيام. هل أنت متأكد؟ ١٢٣٫٥ مُحَمَّد'],
  ['धनवापसी', 'समय', 'पैसा पाँच दिनों में वापस आता है। कृपया रसीद रखें।'],
  ['İade', null, 'Iğdır’da ıslak İstanbul ödemesi beş gün içinde yapılır. 12.500,75 TL'],
  [
    'e\u0301te\u0301',
    '\u0301x',
    'ca\u0308r \u0301start 😀 a_b__c \u00a0 \u2028 x́ “quoted.” (end.) ...and more… OK\tTab',
  ],
]

describe('what a passage becomes', () => {
  it('is what stored indexes and vectors were made of: another digest needs a migration of every base', () => {
    const hash = createHash('sha256')
    for (const [title, heading, text] of [...SAMPLES, ...SAMPLES]) {
      const { mode, words, letters, sketch } = preparePassage(title, { heading, text })
      hash.update(JSON.stringify([mode, words, letters, [...sketch]]))
      hash.update(JSON.stringify(embedOffline(`${title}\n${heading ?? ''}\n${text}`)))
    }
    expect(hash.digest('hex')).toBe(
      '1e0ba49039559aded1e4bfc707b99301098ab5f92d33ff64a9be5c6cbe0c6dce',
    )
  })

  it('has the vector of title, heading and text, however often their words were seen', () => {
    for (const [title, heading, text] of SAMPLES) {
      const { runs } = preparePassage(title, { heading, text })
      expect(embedRuns(runs)).toEqual(embedOffline(`${title}\n${heading ?? ''}\n${text}`))
    }
  })

  it('keeps no text whose words are as long as nobody writes them', () => {
    setFlagsFromString('--expose-gc')
    const collect: () => void = runInNewContext('gc')
    const held = () => {
      collect()
      return process.memoryUsage().heapUsed
    }
    const prepare = (from: number, count: number) => {
      for (let n = from; n < from + count; n++) {
        const text = createHash('shake256', { outputLength: 1000 }).update(`${n}`).digest('hex')
        const letters = text.replaceAll(/\d/gu, (digit) => 'ghijklmnop'.charAt(Number(digit)))
        preparePassage('', { text: letters, heading: null })
      }
    }
    prepare(0, 20)
    const before = held()
    prepare(20, 1000)
    expect(held() - before).toBeLessThan(4 * MIB)
  })
})
