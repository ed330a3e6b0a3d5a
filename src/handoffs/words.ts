import type { Language } from '../config/names'

type Word =
  | 'asked'
  | 'waiting'
  | 'answered'
  | 'back'
  | 'nobody'
  | 'offer'
  | 'ask_person'
  | 'no_need'

/** What the platform itself says around a handoff. */
const WORDS: Record<Language, Record<Word, string>> = {
  en: {
    asked: 'I have asked a person to take over. Their answer will appear here.',
    waiting:
      'A person has been asked and will see this message too. Their answer will appear here.',
    answered:
      'A person is in this conversation and will see this message. Their answer will appear here.',
    back: 'I am back in this conversation: ask me whatever you like.',
    nobody:
      'Sorry, nobody could answer so far. I am back in this conversation: ask me whatever you like.',
    offer: 'Shall I ask a person to take over?',
    ask_person: 'Ask a person',
    no_need: 'Not now',
  },
  zh: {
    asked: '我已请人工接手，对方的回复会显示在这里。',
    waiting: '已请人工处理，对方也会看到这条消息，回复会显示在这里。',
    answered: '人工正在处理此对话，会看到这条消息，回复会显示在这里。',
    back: '我回到了对话中，您可以随时提问。',
    nobody: '抱歉，目前还没有人能答复。我回到了对话中，您可以随时提问。',
    offer: '需要我请人工接手吗？',
    ask_person: '转人工',
    no_need: '以后再说',
  },
  'zh-TW': {
    asked: '我已請專人接手，對方的回覆會顯示在這裡。',
    waiting: '已請專人處理，對方也會看到這則訊息，回覆會顯示在這裡。',
    answered: '專人正在處理此對話，會看到這則訊息，回覆會顯示在這裡。',
    back: '我回到了對話中，您可以隨時提問。',
    nobody: '抱歉，目前還沒有人能答覆。我回到了對話中，您可以隨時提問。',
    offer: '需要我請專人接手嗎？',
    ask_person: '轉接專人',
    no_need: '以後再說',
  },
  es: {
    asked: 'He pedido a una persona que continúe. Su respuesta aparecerá aquí.',
    waiting:
      'Ya se ha avisado a una persona, que verá también este mensaje. Su respuesta aparecerá aquí.',
    answered:
      'Una persona está en esta conversación y verá este mensaje. Su respuesta aparecerá aquí.',
    back: 'Vuelvo a esta conversación: pregúntame lo que quieras.',
    nobody:
      'Lo siento, todavía nadie ha podido responder. Vuelvo a esta conversación: pregúntame lo que quieras.',
    offer: '¿Pido a una persona que continúe?',
    ask_person: 'Hablar con una persona',
    no_need: 'Ahora no',
  },
  ru: {
    asked: 'Я попросил сотрудника подключиться. Его ответ появится здесь.',
    waiting: 'Сотрудник уже приглашён и увидит это сообщение. Его ответ появится здесь.',
    answered: 'Сотрудник участвует в беседе и увидит это сообщение. Его ответ появится здесь.',
    back: 'Я снова в беседе: спрашивайте о чём угодно.',
    nobody: 'К сожалению, пока никто не смог ответить. Я снова в беседе: спрашивайте о чём угодно.',
    offer: 'Попросить сотрудника подключиться?',
    ask_person: 'Позвать сотрудника',
    no_need: 'Не сейчас',
  },
  fr: {
    asked: 'J’ai demandé à une personne de prendre le relais. Sa réponse apparaîtra ici.',
    waiting: 'Une personne a été prévenue et verra aussi ce message. Sa réponse apparaîtra ici.',
    answered:
      'Une personne suit cette conversation et verra ce message. Sa réponse apparaîtra ici.',
    back: 'Je suis de retour dans cette conversation : posez-moi vos questions.',
    nobody:
      'Désolé, personne n’a pu répondre pour l’instant. Je suis de retour : posez-moi vos questions.',
    offer: 'Dois-je demander à une personne de prendre le relais ?',
    ask_person: 'Parler à une personne',
    no_need: 'Pas maintenant',
  },
  ar: {
    asked: 'طلبت من أحد الموظفين متابعة المحادثة. سيظهر رده هنا.',
    waiting: 'طُلب من أحد الموظفين المتابعة وسيرى هذه الرسالة أيضًا. سيظهر رده هنا.',
    answered: 'يتابع أحد الموظفين هذه المحادثة وسيرى هذه الرسالة. سيظهر رده هنا.',
    back: 'عدت إلى هذه المحادثة: اسألني ما تشاء.',
    nobody: 'عذرًا، لم يتمكن أحد من الرد حتى الآن. عدت إلى هذه المحادثة: اسألني ما تشاء.',
    offer: 'هل أطلب من أحد الموظفين المتابعة؟',
    ask_person: 'التحدث إلى موظف',
    no_need: 'ليس الآن',
  },
}

export const handoffWord = (word: Word, lang: Language): string => WORDS[lang][word]
