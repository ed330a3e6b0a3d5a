export type SmallTalk = 'hello' | 'thanks' | 'bye' | 'who'

const MAX_LENGTH = 80
/** What may stand around a phrase and changes nothing: "hi there!", "много спасибо, Parley". */
const FILLER =
  /(?<![\p{L}])(?:there|everyone|all|again|so|very|much|really|you|parley|bot|friend|team|a lot|lot|hay|amigos?|equipo|mucho|tout le monde|beaucoup|encore|всем|большое|огромное|вам|тебе|ещё раз|جدا|جزيلا|لك|لكم|大家|你们|您|啊|呀|哦|了|很|非常|太|各位|吧|妳)(?![\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Arabic}])/gu

const PHRASES: Record<SmallTalk, readonly string[]> = {
  hello: [
    ...'hello,hi,hey,hiya,howdy,greetings,good morning,good afternoon,good evening,good day,how are you,how are you doing,nice to meet you'.split(
      ',',
    ),
    ...'hola,buenas,buenos dias,buenas tardes,buenas noches,que tal,como estas,como esta,saludos,hola que tal'.split(
      ',',
    ),
    ...'bonjour,salut,bonsoir,coucou,comment allez-vous,comment ca va,ca va'.split(','),
    ...'привет,здравствуйте,здравствуй,добрыи день,доброе утро,добрыи вечер,приветствую,как дела,добрый день,добрый вечер'.split(
      ',',
    ),
    ...'你好,您好,嗨,哈喽,哈囉,早上好,早安,下午好,晚上好,午安,晚安你好,你们好,大家好,在吗,在嗎,你好吗,你好嗎'.split(
      ',',
    ),
    ...'مرحبا,اهلا,اهلا وسهلا,السلام عليكم,صباح الخير,مساء الخير,كيف حالك,مرحبا كيف حالك'.split(
      ',',
    ),
  ],
  thanks: [
    ...'thanks,thank,thx,ty,cheers,thank you,many thanks,thanks for your help,thank you for your help,great thanks,ok thanks,perfect thanks,that helps,that helped'.split(
      ',',
    ),
    ...'gracias,muchas gracias,mil gracias,gracias por tu ayuda,gracias por su ayuda,te lo agradezco'.split(
      ',',
    ),
    ...'merci,merci bien,merci pour votre aide,merci pour ton aide,mille mercis,je vous remercie'.split(
      ',',
    ),
    ...'спасибо,благодарю,спасибо за помощь,спс'.split(','),
    ...'谢谢,謝謝,多谢,多謝,感谢,感謝,谢谢你,謝謝你,谢谢您,謝謝您,谢谢你的帮助,謝謝你的幫助,辛苦'.split(
      ',',
    ),
    ...'شكرا,شكرا لك,شكرا جزيلا,متشكر,شكرا على المساعدة'.split(','),
  ],
  bye: [
    ...'bye,goodbye,bye bye,see you,see you later,good night,have a nice day,have a good day,take care'.split(
      ',',
    ),
    ...'adios,hasta luego,hasta pronto,chao,nos vemos,hasta manana,buen dia'.split(','),
    ...'au revoir,a bientot,bonne journee,bonne soiree,bonne nuit,a plus,a demain'.split(','),
    ...'пока,до свидания,до встречи,всего доброго,спокойнои ночи,спокойной ночи,хорошего дня'.split(
      ',',
    ),
    ...'再见,再見,拜拜,回头见,明天见,明天見,晚安,掰掰'.split(','),
    ...'مع السلامة,الى اللقاء,وداعا,تصبح على خير,يوم سعيد'.split(','),
  ],
  who: [
    ...'who are you,what are you,what can you do,what do you do,are you a bot,are you human,are you a robot,are you an ai,what is your name,help,how can you help,how can you help me,what can you help me with,what can i ask'.split(
      ',',
    ),
    ...'quien eres,que eres,que puedes hacer,eres un bot,eres humano,como te llamas,ayuda,en que puedes ayudarme,que puedo preguntar'.split(
      ',',
    ),
    ...'qui es-tu,qui etes-vous,que peux-tu faire,que pouvez-vous faire,es-tu un robot,etes-vous un robot,comment tu t appelles,aide,comment pouvez-vous m aider'.split(
      ',',
    ),
    ...'кто ты,кто вы,что ты умеешь,что вы умеете,ты бот,вы бот,ты человек,как тебя зовут,помощь,чем ты можешь помочь,чем вы можете помочь'.split(
      ',',
    ),
    ...'你是谁,你是誰,您是谁,您是誰,你是什么,你是什麼,你能做什么,你能做什麼,你会什么,你會什麼,你是机器人吗,你是機器人嗎,你叫什么,你叫什麼,你叫什么名字,你叫什麼名字,帮助,幫助,你可以做什么,你可以做什麼,你能帮我什么,你能幫我什麼'.split(
      ',',
    ),
    ...'من انت,ماذا تفعل,ماذا يمكنك ان تفعل,هل انت روبوت,هل انت انسان,ما اسمك,مساعدة,كيف يمكنك مساعدتي'.split(
      ',',
    ),
  ],
}

const INDEX = new Map<string, SmallTalk>()
for (const kind of ['hello', 'thanks', 'bye', 'who'] as const)
  for (const phrase of PHRASES[kind]) INDEX.set(normalize(phrase), kind)

/**
 * The kind of small talk that a whole message is, or null. Only a message that is nothing but a known phrase (seven
 * languages), so that "hello, how do I reset my password?" stays a question.
 */
export function detectSmallTalk(message: string): SmallTalk | null {
  if (message.length > MAX_LENGTH) return null
  const plain = normalize(message)
  const whole = INDEX.get(plain)
  if (whole !== undefined) return whole
  const kinds = message
    .split(/[,.!?;~，。！？；～،؟\n]+/u)
    .map((part) => normalize(part))
    .filter((part) => part !== '')
    .map((part) => INDEX.get(part) ?? INDEX.get(normalize(part.replaceAll(FILLER, ' '))))
  const known = kinds.filter((kind) => kind !== undefined)
  return kinds.length > 0 && known.length === kinds.length ? (known.at(-1) ?? null) : null
}

/** Lower case without marks, punctuation and emoji, so that "¡Buenos días! 🙂" equals "buenos dias". */
function normalize(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[\p{M}\u0640]/gu, '')
    .replaceAll(/[^\p{L}\p{N}\s-]+/gu, ' ')
    .replaceAll(/\s+/gu, ' ')
    .trim()
}
