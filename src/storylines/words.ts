import type { Language } from '../config/names'

type Word =
  | 'start'
  | 'not_now'
  | 'leave'
  | 'yes'
  | 'no'
  | 'ask'
  | 'ask_form'
  | 'again'
  | 'confirm'
  | 'offer'
  | 'declined'
  | 'left'
  | 'stay'
  | 'steer'
  | 'done'
  | 'go_on'

/** What the platform itself says in a storyline. `{name}` is a storyline, `{title}` what is asked for. */
const WORDS: Record<Language, Record<Word, string>> = {
  en: {
    start: 'Start',
    not_now: 'Not now',
    leave: 'Leave',
    yes: 'Yes',
    no: 'No',
    ask: '{title}?',
    ask_form: 'Please fill in:',
    again: 'Sorry, I could not read an answer in that.',
    confirm: 'Is this right?',
    offer: 'Shall we go through “{name}” together?',
    declined: 'All right. Just ask when you need something.',
    left: 'All right, “{name}” ends here.',
    stay: 'This cannot be left before its end. What is still open:',
    steer: 'Let us stay with this for now.',
    done: 'That was all. Is there anything else?',
    go_on: 'Please go on: what would you like to say or ask?',
  },
  zh: {
    start: '开始',
    not_now: '以后再说',
    leave: '退出',
    yes: '是',
    no: '否',
    ask: '{title}？',
    ask_form: '请填写：',
    again: '抱歉，我没能从中读出答案。',
    confirm: '以上是否正确？',
    offer: '要一起完成“{name}”吗？',
    declined: '好的。需要时随时问我。',
    left: '好的，“{name}”到此结束。',
    stay: '在完成之前无法退出。还需要：',
    steer: '我们先继续当前的内容。',
    done: '到此完成。还有其他需要吗？',
    go_on: '请继续：您想说什么或问什么？',
  },
  'zh-TW': {
    start: '開始',
    not_now: '以後再說',
    leave: '離開',
    yes: '是',
    no: '否',
    ask: '{title}？',
    ask_form: '請填寫：',
    again: '抱歉，我無法從中讀出答案。',
    confirm: '以上是否正確？',
    offer: '要一起完成「{name}」嗎？',
    declined: '好的。需要時隨時問我。',
    left: '好的，「{name}」到此結束。',
    stay: '在完成之前無法離開。還需要：',
    steer: '我們先繼續目前的內容。',
    done: '到此完成。還有其他需要嗎？',
    go_on: '請繼續：您想說什麼或問什麼？',
  },
  es: {
    start: 'Empezar',
    not_now: 'Ahora no',
    leave: 'Salir',
    yes: 'Sí',
    no: 'No',
    ask: '¿{title}?',
    ask_form: 'Rellena, por favor:',
    again: 'Perdona, no he encontrado ahí una respuesta.',
    confirm: '¿Es correcto?',
    offer: '¿Vemos juntos «{name}»?',
    declined: 'De acuerdo. Pregunta cuando lo necesites.',
    left: 'De acuerdo, «{name}» termina aquí.',
    stay: 'No se puede salir antes del final. Queda pendiente:',
    steer: 'Sigamos por ahora con esto.',
    done: 'Eso es todo. ¿Necesitas algo más?',
    go_on: 'Continúa, por favor: ¿qué quieres decir o preguntar?',
  },
  ru: {
    start: 'Начать',
    not_now: 'Не сейчас',
    leave: 'Выйти',
    yes: 'Да',
    no: 'Нет',
    ask: '{title}?',
    ask_form: 'Заполните, пожалуйста:',
    again: 'Извините, я не нашёл в этом ответа.',
    confirm: 'Всё верно?',
    offer: 'Пройдём вместе «{name}»?',
    declined: 'Хорошо. Спрашивайте, когда понадобится.',
    left: 'Хорошо, «{name}» на этом заканчивается.',
    stay: 'До конца выйти нельзя. Осталось:',
    steer: 'Давайте пока останемся на этом.',
    done: 'Это всё. Нужно что-нибудь ещё?',
    go_on: 'Продолжайте: что вы хотите сказать или спросить?',
  },
  fr: {
    start: 'Commencer',
    not_now: 'Pas maintenant',
    leave: 'Quitter',
    yes: 'Oui',
    no: 'Non',
    ask: '{title} ?',
    ask_form: 'Merci de remplir :',
    again: 'Désolé, je n’y ai pas trouvé de réponse.',
    confirm: 'Est-ce exact ?',
    offer: 'Voulez-vous suivre « {name} » ensemble ?',
    declined: 'Entendu. Demandez quand vous voulez.',
    left: 'Entendu, « {name} » s’arrête ici.',
    stay: 'On ne peut pas quitter avant la fin. Il reste :',
    steer: 'Restons-en là pour le moment.',
    done: 'C’est tout. Autre chose ?',
    go_on: 'Continuez : que voulez-vous dire ou demander ?',
  },
  ar: {
    start: 'ابدأ',
    not_now: 'ليس الآن',
    leave: 'خروج',
    yes: 'نعم',
    no: 'لا',
    ask: '{title}؟',
    ask_form: 'يُرجى ملء ما يلي:',
    again: 'عذرًا، لم أجد إجابة في ذلك.',
    confirm: 'هل هذا صحيح؟',
    offer: 'هل نمر معًا على «{name}»؟',
    declined: 'حسنًا. اسأل متى احتجت.',
    left: 'حسنًا، ينتهي «{name}» هنا.',
    stay: 'لا يمكن الخروج قبل النهاية. المتبقي:',
    steer: 'لنبقَ الآن عند هذا الأمر.',
    done: 'هذا كل شيء. هل تحتاج شيئًا آخر؟',
    go_on: 'تفضل: ماذا تود أن تقول أو تسأل؟',
  },
}

export function storyWord(
  word: Word,
  lang: Language,
  names: { name?: string; title?: string } = {},
): string {
  return WORDS[lang][word].replaceAll(
    /\{(name|title)\}/gu,
    (_, key: 'name' | 'title') => names[key] ?? '',
  )
}

/** A word in every language: what is written on a button is known whoever sends it. */
export const inEveryLanguage = (word: Word): readonly string[] =>
  Object.values(WORDS).map((words) => words[word])
