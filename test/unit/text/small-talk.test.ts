import { describe, expect, it } from 'vitest'
import { KnownMessage } from '../../../src/chat/known-message'
import { detectLanguage, sameLanguage } from '../../../src/text/detect-language'
import { detectRemark } from '../../../src/text/remarks'
import { detectSmallTalk, isNoted } from '../../../src/text/small-talk'

describe('small talk', () => {
  it.each([
    ['who are you and what can you do for me', 'help'],
    ['who\u200b are\u200b you\u200b and what can you do for me', 'help'],
    ['hola y gra\u00adcias', 'thanks'],
    ['hola y gracias', 'thanks'],
  ] as const)('is two parts that an "and" joins: %s', (message, kind) => {
    expect(detectSmallTalk(message)).toBe(kind)
    expect(detectSmallTalk('who are you and what is the price of a room')).toBeNull()
  })

  it.each([
    'thanks, I will try it later',
    'awesome, thanks so much for the quick answer',
    'great, that answers it',
    'gracias por todo, me sirvió mucho',
    'ok merci je vais essayer',
    'ладно, спасибо, пойду пробовать',
    '好的谢谢，我试试',
    '太感謝了',
    'شكرا على الرد السريع',
  ])('is thanks with what is said around them: %s', (message) => {
    expect(detectSmallTalk(message)).toBe('thanks')
  })

  it.each([
    'thanks, where is the invoice',
    'thanks but it still does not work',
    'gracias pero no me sirve',
    '谢谢，但是还是不行',
    'thanks, is it free?',
    'I will try it later',
    'great dane food',
  ])('is no thanks that ask or object: %s', (message) => {
    expect(detectSmallTalk(message)).toBeNull()
    expect(detectRemark(message)).toBeNull()
  })

  it('may be thanks with a remark of whatever words, where nothing is found for them', () => {
    expect(detectSmallTalk('muchas gracias, eres un crack del teclado')).toBeNull()
    expect(detectRemark('muchas gracias, eres un crack del teclado')).toBe('thanks')
    expect(detectRemark('感謝你～幫大忙了')).toBe('thanks')
    expect(detectRemark('Merciiii, j’étais coincée depuis hier')).toBe('thanks')
    expect(detectRemark('так, мне пора на автобус, до завтра')).toBe('bye')
    expect(detectRemark('hows life in there')).toBe('howAreYou')
    expect(detectRemark('how are you supposed to cook brown rice in a pan')).toBeNull()
    expect(detectRemark('thanks, my order of two bikes came yesterday by post and fits')).toBeNull()
  })

  it.each([
    ["lol you're actually pretty quick for a robot, how's your day going", 'howAreYou'],
    ['jajaja qué majo eres, ¿te aburres mucho aquí?', 'howAreYou'],
    ['ну ты даёшь, прям как живой) как настроение?', 'howAreYou'],
    ['哈哈你还挺聪明的,你叫什么名字呀', 'who'],
    ['ما شاء الله عليك ردودك حلوة، مين علمك؟', 'who'],
  ])('may stand behind a remark: %s', (message, kind) => {
    expect(detectSmallTalk(message)).toBeNull()
    expect(detectRemark(message)).toBe(kind)
  })

  it.each([
    'how do you do refunds for damaged parcels',
    'how are you going to handle our data',
    'cómo está mi pedido de ayer',
    'как вы доставляете в Казань',
    '你叫什么名字的字段必填吗',
  ])('does not begin a question for something else: %s', (message) => {
    expect(detectRemark(message)).toBeNull()
  })

  it.each([
    ['Hello!', 'hello'],
    ['hi there 👋', 'hello'],
    ['Good morning', 'hello'],
    ['¡Buenos días!', 'hello'],
    ['Bonjour', 'hello'],
    ['Здравствуйте!', 'hello'],
    ['你好', 'hello'],
    ['您好！', 'hello'],
    ['مرحبًا', 'hello'],
    ['Thank you very much!', 'thanks'],
    ['Hello, thanks!', 'thanks'],
    ['多謝', 'thanks'],
    ['Большое спасибо', 'thanks'],
    ['merci beaucoup', 'thanks'],
    ['شكرا جزيلا', 'thanks'],
    ['bye', 'bye'],
    ['Hasta luego', 'bye'],
    ['再见', 'bye'],
    ['Who are you?', 'who'],
    ['¿Quién eres?', 'who'],
    ['你是谁？', 'who'],
    ['что ты умеешь?', 'help'],
    ['How are you?', 'howAreYou'],
    ['hi, how are you doing today?', 'howAreYou'],
    ['¿Cómo estás?', 'howAreYou'],
    ['как дела?', 'howAreYou'],
    ['comment ça va ?', 'howAreYou'],
    ['你好吗？', 'howAreYou'],
    ['最近怎麼樣', 'howAreYou'],
    ['كيف حالك؟', 'howAreYou'],
    ['Can you help me?', 'help'],
    ['ok so can you help me', 'help'],
    ['¿Puedes ayudarme?', 'help'],
    ['Вы можете мне помочь?', 'help'],
    ['能帮我吗', 'help'],
    ['pouvez-vous m’aider ?', 'help'],
    ['هل يمكنك مساعدتي؟', 'help'],
    ['are you an AI?', 'who'],
    ['what is this?', 'who'],
    ['¿Qué es esto?', 'who'],
    ["c'est quoi ça ?", 'who'],
    ['что это такое?', 'who'],
    ['这是什么？', 'who'],
    ['這是什麼？', 'who'],
    ['ما هذا؟', 'who'],
    ['quick question: are you a real person?', 'who'],
    ['thnak you', 'thanks'],
    ['just wanted to say thank you', 'thanks'],
    ['goodbey', 'bye'],
    ['Can you see my picture?', 'picture'],
    ['你能看到我的图片吗？', 'picture'],
    ['Wer bist du?', 'who'],
    ['teşekkürler', 'thanks'],
    ['ありがとうございます', 'thanks'],
  ])('%s is %s', (message, kind) => {
    expect(detectSmallTalk(message)).toBe(kind)
  })

  it.each([
    'Hello, how do I reset my password?',
    'thanks, and what about refunds?',
    'Who are your customers?',
    'help me with my order',
    'Can you help me change the port?',
    'ok so what does it cost',
    'please tell me',
    'Can you see the error in my log?',
    '你好，怎么退款？',
    'Спасибо, а как удалить аккаунт?',
    'bye bye button does not work',
    '',
    '???',
    '!',
  ])('%j is none', (message) => {
    expect(detectSmallTalk(message)).toBeNull()
  })
})

describe('a reply that was read', () => {
  it.each([
    'OK',
    'Okay.',
    'Got it!',
    'I see',
    'alright',
    '👍',
    '👌🏽 👍🏿',
    'Alles klar',
    'Vale.',
    'D’accord',
    'понятно',
    '好的',
    '瞭解',
    'حسنًا',
    'わかりました。',
    'tamam',
  ])('%j asks nothing', (message) => {
    expect(isNoted(message)).toBe(true)
    expect(new KnownMessage(message, []).smallTalk).toBe(true)
    const history = (content: string) => [
      { role: 'user', content: 'How much is it?' },
      { role: 'assistant', content },
    ]
    expect(new KnownMessage(message, history('It is five euros. [1]')).smallTalk).toBe(true)
    for (const question of ['Shall I tell you more?', '要继续吗？', 'هل تريد المزيد؟ [1]'])
      expect(new KnownMessage(message, history(question)).smallTalk).toBe(false)
    // A step of a storyline takes it for what it says.
    expect(detectSmallTalk(message)).toBeNull()
  })

  it.each([
    'yes',
    'no',
    'да',
    '',
    '?',
    '...',
    '😡',
    'ok so what does it cost',
    'good question',
    'is it ok',
  ])('%j is something else', (message) => {
    expect(isNoted(message)).toBe(false)
  })
})

describe('the language of a text', () => {
  it.each([
    ['How do I reset my password?', 'en'],
    ['¿Cómo restablezco mi contraseña?', 'es'],
    ['Como cambio el plan de mi cuenta', 'es'],
    ['Comment réinitialiser mon mot de passe ?', 'fr'],
    ['Как сбросить пароль?', 'ru'],
    ['如何重置密码？', 'zh'],
    ['怎么退款', 'zh'],
    ['如何重設密碼？請說明', 'zh-TW'],
    ['滷肉飯要怎麼煮？', 'zh-TW'],
    ['檔案上限是多少', 'zh-TW'],
    ['文件大小上限是多少', 'zh'],
    ['كيف أعيد تعيين كلمة المرور؟', 'ar'],
    ['Wie setze ich mein Passwort zurück?', null],
    ['パスワードを再設定するには？', null],
    ['Як скинути пароль?', 'ru'],
    ['چگونه گذرواژه را بازنشانی کنم؟', null],
    ['SKU-1234', null],
    ['كم وزن Brewmaster 300؟', 'ar'],
    ['Есть ли Dreamliner Comfort XL?', 'ru'],
    ['What does مرحبا mean?', 'en'],
    ['Was heißt привет?', null],
    ['', null],
  ])('%j: %s', (text, expected) => {
    expect(detectLanguage(text)).toBe(expected)
  })

  it('takes both Chinese scripts for one when it compares', () => {
    expect(sameLanguage('zh', 'zh-TW')).toBe(true)
    expect(sameLanguage('zh', 'en')).toBe(false)
    expect(sameLanguage(null, null)).toBe(false)
  })
})
