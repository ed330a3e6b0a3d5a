import { describe, expect, it } from 'vitest'
import { asksAnew } from '../../../src/text/asks-anew'
import { growsLinearly } from '../../support/grows'

const WISHES: Record<string, string> = {
  en: 'Shorter, please.|in Spanish please|can you say that in German?|translate that to French|more details|explain it like I’m five|as a bullet list|put it in a table|step by step|give me an example|summarize our chat|I don’t understand|are you sure?|what is the source?|That’s wrong!|you didn’t answer my question|it does not work',
  es: 'más corto|en inglés, por favor|tradúcelo al francés|explícalo más fácil|en una lista|paso a paso|dame un ejemplo|no entiendo|¿estás seguro?|¿cuál es la fuente?|no me funciona',
  fr: 'plus court|en anglais s’il te plaît|traduis-le en espagnol|plus de détails|sous forme de liste|étape par étape|je ne comprends pas|c’est écrit où ?|ça ne marche pas',
  de: 'kürzer bitte|auf Englisch bitte|mehr Details|Schritt für Schritt|gib mir ein Beispiel|verstehe ich nicht|bist du sicher?|wo steht das?|geht nicht',
  ru: 'короче|на английском, пожалуйста|переведи на испанский|подробнее|объясни проще|пошагово|приведи пример|не понял|ты уверен?|где это написано?|не работает',
  zh: '简短一点|用英文说|翻译成法语|說得簡單點|列个清单|再说一遍|给个例子|没看懂|你确定吗|出处在哪|不管用',
  ar: 'باختصار|بالإنجليزية من فضلك|ترجمها إلى الفرنسية|تفاصيل أكثر|على شكل قائمة|خطوة بخطوة|أعطني مثالا|لم أفهم|هل أنت متأكد؟|ليس هذا سؤالي',
}
const OTHERS =
  'What does it cost?|shorter sessions|how do I translate my agent|is it in German stores|steps of a storyline|source code|link Telegram|wrong password|details of the plan|short answers|what is an example agent|es gratis|quelle est la limite|kostenlos|ссылка на чат|价格|可以吗|خطأ 401|please|no|ok|да|不|'

describe('a message that wants an answer in another form', () => {
  it.each(Object.entries(WISHES))('is told in %s', (_lang, messages) => {
    expect(messages.split('|').filter((message) => !asksAnew(message))).toEqual([])
  })

  it('is none that asks for something else, or for nothing', () => {
    expect(OTHERS.split('|').filter(asksAnew)).toEqual([])
  })

  it.each(['给我', '給我', '能不能'])(
    'is read in one pass, however often it says %j',
    async (words) => {
      const read = (size: number) => expect(asksAnew(`例${words.repeat(size)}ok x`)).toBe(false)
      expect(await growsLinearly(23, read)).toBe(true)
    },
  )
})
