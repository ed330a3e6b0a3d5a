import { beforeAll, describe, expect, it } from 'vitest'
import { loadThesaurus } from '../../../src/language/thesaurus'
import { foldText } from '../../../src/text/fold'
import { mendTypos } from '../../../src/text/mend-typos'

const WORDS =
  'Parley supports webhooks and documents. Une intégration se branche en un clic. Коронки стоят дорого. تدعم القاعدة ملفات كثيرة.'
const words = () => foldText(WORDS).match(/[\p{L}\p{M}]+/gu) ?? []
const mend = (message: string) => mendTypos(message, words)

describe('a message with slips of the pen', () => {
  beforeAll(() => loadThesaurus())

  it.each([
    ['does it take webhoks', 'does it take webhooks'],
    ['Is thre an app for documnets?', 'Is there an app for documents?'],
    ['whre do i find it', 'where do i find it'],
    ['are dogs alowed', 'are dogs allowed'],
    ['are webhoks alowed', 'are webhooks allowed'],
    ['y a-t-il une intgration', 'y a-t-il une integration'],
    ['сколько стоят каронки', 'сколько стоят коронки'],
    ['怎么注册一个webhok', '怎么注册一个webhooks'],
    ['is there parkign', 'is there parking'],
    ['how many days hoilday do i get', 'how many days holiday do i get'],
    ['во сколько октрываетесь', 'во сколько открываетесь'],
    ['как поменять каронкой', 'как поменять коронки'],
  ])('has the words that are meant: %s', (message, meant) => {
    expect(mend(message)).toBe(meant)
  })

  it.each([
    ['words of the passages', 'which documents and webhooks'],
    ['words that the language knows', 'can i store it in the parlour'],
    ['another form of a word', 'which documente or webhook'],
    ['names, shorthand and code', 'does Parly run on iOS, WEBHOKS or web_hoks and web-hoks'],
    ['short words', 'clik it'],
    ['what no word is near', 'does it speak klingon'],
    ['scripts without spaces', '怎么上传文档'],
  ])('keeps %s', (_name, message) => {
    expect(mend(message)).toBe(message)
  })

  it('reads the passages only for words that nobody knows', () => {
    const never = () => {
      throw new Error('asked for')
    }
    expect(mendTypos('How do I change the colour of it?', never)).toBe(
      'How do I change the colour of it?',
    )
    expect(() => mendTypos('what is a webhok', never)).toThrow('asked for')
  })

  it('looks up no more than a few words of a long message', () => {
    const many = Array.from({ length: 500 }, (_, at) => `webh${'ok'.repeat(1 + (at % 3))}x${at}`)
    const message = `${'zzqxv '.repeat(2000)} webhoks ${many.join(' ')}`
    expect(mend(message)).toBe(message)
  })
})
