import { describe, expect, it } from 'vitest'
import { detectLanguage, tellsNoLanguage } from '../../../src/text/detect-language'

const TOLD: Record<string, string[]> = {
  en: [
    'how do i delte a docment',
    'Am I able to exchange currencies?',
    "I don't recognise a card payment",
    'Show me the page of Der Spiegel, please',
  ],
  es: [
    '¿Envían a México?',
    'como subo documentos',
    'La fotosíntesis usa la energía del oxígeno del agua.',
    'hola, quería saber si el envío es gratis',
    'borrar un agente',
    'perdi la clave de api',
    'se puede ir a portugal',
  ],
  fr: [
    "c'est ouvert le lundi ?",
    'combien coute la livraison',
    'Livrez-vous en Belgique ?',
    'ajouter un compte utilisateur',
    'la carte 10 entrées expire quand',
    'je peux rendre un thé deja ouvert',
  ],
  ru: ['как установить JSZip', 'Какие файлы можно загрузить в Parley Knowledge Bases?'],
  ar: ['كم مدة الحصة مع المدرب؟', 'كيف أستخدم Parley؟'],
  zh: ['怎么删除一个文档？', '你们几点开门', '退款需要多久？', '马云是谁？', '这个怎么用'],
  'zh-TW': ['禮拜六下午有看診嗎', '怎麼退貨？', '客製化商品可以退嗎？', '可以做牙齒矯正嗎？'],
}
const GREETINGS = [
  ['Bonjour', 'fr'],
  ['merci beaucoup', 'fr'],
  ['Hola', 'es'],
  ['gracias', 'es'],
  ['Hi there', 'en'],
  ['thanks', 'en'],
  ['Привет', 'ru'],
  ['谢谢', 'zh'],
  ['مرحبا', 'ar'],
] as const
const OTHER = [
  'was kostet der versand',
  'In welchem Stadion findet das statt?',
  'Kargo ne zaman ücretsiz?',
  'İkiz asal nedir?',
  'Quanto custa o envio?',
  'Kiedy przyjdzie paczka i co z nią jest?',
  '送料はいくらですか',
  'Де мої гроші?',
  'Thế nào là tổ ấm?',
]
const UNTOLD = ['', '42', 'zod/README.md', 'Parley', 'DE12345678', 'de-4711']

describe('the language of a text', () => {
  it.each(Object.entries(TOLD))('%s is told by script and small words', (language, texts) => {
    for (const text of texts) expect([text, detectLanguage(text)]).toEqual([text, language])
  })

  it.each([
    ['Il y a une caution à payer, quel montant ?', 'fr'],
    ['Una tarta con fruta fresca no te la pueden llevar a casa.', 'es'],
    ['Nos vamos de vacaciones, ¿pueden cuidar al perro una semana?', 'es'],
    ['Başhekim perşembe günleri hasta kabul eder.', null],
  ])('of %j is the same in NFD and with soft hyphens', (text, language) => {
    const hyphened = text.replaceAll(/\p{L}{3}(?=\p{L}{3})/gu, '$&\u00ad')
    expect([text, text.normalize('NFD'), hyphened].map((one) => detectLanguage(one))).toEqual(
      Array(3).fill(language),
    )
  })

  it.each(GREETINGS)('of %j is %s', (text, language) => {
    expect(detectLanguage(text)).toBe(language)
  })

  it.each([...OTHER, ...UNTOLD])('is none of ours in %j', (text) => {
    expect(detectLanguage(text)).toBe(null)
  })

  it.each([
    ['csv de 50000 lignes', 'fr'],
    ['différence entre un gérant et un vendeur', 'fr'],
    ['la durée de la session', 'fr'],
    ['diferencia entre un agente y un gerente', 'es'],
    ['chat de groupe', 'fr'],
    ['délai de livraison', 'fr'],
    ['prix de la licence', 'fr'],
    ['precio de la licencia', 'es'],
    ['limites de peticiones', 'es'],
    ['hay imagen de docker', 'es'],
    ['me sale 403', 'es'],
    ['on peut mettre sa propre clé openai', 'fr'],
  ])('of %j is %s by endings and letters where small words are of both', (text, language) => {
    expect(detectLanguage(text)).toBe(language)
  })

  it('is in the reader’s own script where its characters are of either', () => {
    expect(detectLanguage('多久可以弄好')).toBe('zh')
    expect(detectLanguage('多久可以弄好', 'zh-TW')).toBe('zh-TW')
    expect(detectLanguage('怎么开发票', 'zh-TW')).toBe('zh')
  })

  it('is that of most of its characters where a name is rare or of the other script', () => {
    expect(detectLanguage('请问朱鎔基的书在哪里可以买到？')).toBe('zh')
    expect(detectLanguage('請問「头条」這個詞是什麼意思？')).toBe('zh-TW')
  })

  it('is not told by names and terms alone', () => {
    for (const text of ['SDK', 'webhook?', 'OpenAI GPT-5'])
      expect([text, tellsNoLanguage(text)]).toEqual([text, true])
    for (const text of ['What is an SDK?', 'что такое SDK', 'SDK是什么', 'Wie geht das?', '?', ''])
      expect([text, tellsNoLanguage(text)]).toEqual([text, false])
  })
})
