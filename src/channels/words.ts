import type { Language } from '../config/names'

export type ChannelWord =
  | 'unlinked_hint'
  | 'bad_code'
  | 'too_many_codes'
  | 'linked'
  | 'unlinked'
  | 'new_chat'
  | 'help'
  | 'unreadable'
  | 'image_refused'
  | 'slow_down'
  | 'unavailable'
  | 'failed'
  | 'agent_gone'
  | 'sources'
  | 'reminder'

/** What the product itself says at a messaging channel. `{tenant}` and `{agent}` are names. */
const WORDS: Record<Language, Record<ChannelWord, string>> = {
  en: {
    unlinked_hint:
      'This chat is not linked yet. Sign in at {tenant}, open your account, choose “Messaging app” and send the code shown there to this chat.',
    bad_code:
      'This code is not valid. Codes work once, within 10 minutes. Ask for a new one in your account at {tenant}.',
    too_many_codes: 'Too many attempts. Please try again in an hour.',
    linked:
      'This chat is linked. You are talking to {agent}. Just write your question. /new starts a new chat, /stop ends the link.',
    unlinked: 'The link has ended. Nothing more is sent to this chat.',
    new_chat: 'A new chat has started.',
    help: 'Write your question to {agent}, or send a picture. /new starts a new chat, /stop ends the link.',
    unreadable: 'I can read text and pictures here. Please write your question in words.',
    image_refused:
      'This picture cannot be read. Please send a PNG, JPEG, WebP or GIF of at most 5 MB.',
    slow_down: 'That was a lot of messages at once. Please try again in a minute.',
    unavailable: 'No answers can be given at the moment. Please try again later.',
    failed: 'Your message could not be answered. Please send it again.',
    agent_gone:
      'This assistant is no longer available. Link the chat again in your account at {tenant}.',
    sources: 'Sources',
    reminder: 'Reminder',
  },
  zh: {
    unlinked_hint:
      '此聊天尚未绑定。请登录{tenant}，打开您的账户，选择“消息应用”，并将显示的代码发送到此聊天。',
    bad_code: '此代码无效。代码仅可使用一次，有效期为 10 分钟。请在{tenant}的账户中获取新代码。',
    too_many_codes: '尝试次数过多，请一小时后再试。',
    linked:
      '此聊天已绑定。您正在与{agent}对话，直接写下您的问题即可。/new 开始新的聊天，/stop 解除绑定。',
    unlinked: '绑定已解除，不会再向此聊天发送内容。',
    new_chat: '已开始新的聊天。',
    help: '请向{agent}写下您的问题，或发送图片。/new 开始新的聊天，/stop 解除绑定。',
    unreadable: '我在这里可以阅读文字和图片。请用文字写下您的问题。',
    image_refused: '无法读取此图片。请发送不超过 5 MB 的 PNG、JPEG、WebP 或 GIF。',
    slow_down: '消息发送过于频繁，请一分钟后再试。',
    unavailable: '目前无法回答，请稍后再试。',
    failed: '未能回答您的消息，请重新发送。',
    agent_gone: '此助手已不可用。请在{tenant}的账户中重新绑定聊天。',
    sources: '来源',
    reminder: '提醒',
  },
  'zh-TW': {
    unlinked_hint:
      '此聊天尚未綁定。請登入{tenant}，開啟您的帳戶，選擇「訊息應用程式」，並將顯示的代碼傳送到此聊天。',
    bad_code: '此代碼無效。代碼只能使用一次，有效時間為 10 分鐘。請在{tenant}的帳戶中取得新代碼。',
    too_many_codes: '嘗試次數過多，請一小時後再試。',
    linked:
      '此聊天已綁定。您正在與{agent}對話，直接寫下您的問題即可。/new 開始新的聊天，/stop 解除綁定。',
    unlinked: '綁定已解除，不會再向此聊天傳送內容。',
    new_chat: '已開始新的聊天。',
    help: '請向{agent}寫下您的問題，或傳送圖片。/new 開始新的聊天，/stop 解除綁定。',
    unreadable: '我在這裡可以閱讀文字和圖片。請用文字寫下您的問題。',
    image_refused: '無法讀取此圖片。請傳送不超過 5 MB 的 PNG、JPEG、WebP 或 GIF。',
    slow_down: '訊息傳送過於頻繁，請一分鐘後再試。',
    unavailable: '目前無法回答，請稍後再試。',
    failed: '未能回答您的訊息，請重新傳送。',
    agent_gone: '此助理已無法使用。請在{tenant}的帳戶中重新綁定聊天。',
    sources: '來源',
    reminder: '提醒',
  },
  es: {
    unlinked_hint:
      'Este chat aún no está vinculado. Inicia sesión en {tenant}, abre tu cuenta, elige «Aplicación de mensajería» y envía a este chat el código que aparece.',
    bad_code:
      'Este código no es válido. Los códigos funcionan una sola vez, durante 10 minutos. Pide uno nuevo en tu cuenta de {tenant}.',
    too_many_codes: 'Demasiados intentos. Vuelve a probar dentro de una hora.',
    linked:
      'Este chat está vinculado. Hablas con {agent}. Escribe tu pregunta sin más. /new empieza un chat nuevo, /stop termina el vínculo.',
    unlinked: 'El vínculo ha terminado. No se enviará nada más a este chat.',
    new_chat: 'Ha empezado un chat nuevo.',
    help: 'Escribe tu pregunta a {agent} o envía una imagen. /new empieza un chat nuevo, /stop termina el vínculo.',
    unreadable: 'Aquí puedo leer texto e imágenes. Escribe tu pregunta con palabras.',
    image_refused:
      'No se puede leer esta imagen. Envía un PNG, JPEG, WebP o GIF de 5 MB como máximo.',
    slow_down: 'Han sido muchos mensajes a la vez. Vuelve a probar dentro de un minuto.',
    unavailable: 'Ahora mismo no se pueden dar respuestas. Vuelve a probar más tarde.',
    failed: 'No se ha podido responder a tu mensaje. Envíalo otra vez.',
    agent_gone:
      'Este asistente ya no está disponible. Vuelve a vincular el chat en tu cuenta de {tenant}.',
    sources: 'Fuentes',
    reminder: 'Recordatorio',
  },
  ru: {
    unlinked_hint:
      'Этот чат ещё не привязан. Войдите на {tenant}, откройте свой аккаунт, выберите «Мессенджер» и отправьте показанный код в этот чат.',
    bad_code:
      'Код недействителен. Код действует один раз в течение 10 минут. Запросите новый в своём аккаунте на {tenant}.',
    too_many_codes: 'Слишком много попыток. Попробуйте через час.',
    linked:
      'Чат привязан. Вы общаетесь с {agent}. Просто напишите вопрос. /new начинает новый чат, /stop отвязывает чат.',
    unlinked: 'Чат отвязан. Больше сюда ничего не придёт.',
    new_chat: 'Начат новый чат.',
    help: 'Напишите вопрос для {agent} или отправьте изображение. /new начинает новый чат, /stop отвязывает чат.',
    unreadable: 'Здесь я читаю текст и изображения. Напишите вопрос словами.',
    image_refused:
      'Это изображение не удалось прочитать. Отправьте PNG, JPEG, WebP или GIF размером до 5 МБ.',
    slow_down: 'Слишком много сообщений сразу. Попробуйте через минуту.',
    unavailable: 'Сейчас ответы недоступны. Попробуйте позже.',
    failed: 'Не удалось ответить на сообщение. Отправьте его ещё раз.',
    agent_gone:
      'Этот ассистент больше недоступен. Привяжите чат заново в своём аккаунте на {tenant}.',
    sources: 'Источники',
    reminder: 'Напоминание',
  },
  fr: {
    unlinked_hint:
      'Cette conversation n’est pas encore liée. Connectez-vous chez {tenant}, ouvrez votre compte, choisissez « Messagerie » et envoyez ici le code affiché.',
    bad_code:
      'Ce code n’est pas valable. Un code fonctionne une seule fois, pendant 10 minutes. Demandez-en un nouveau dans votre compte chez {tenant}.',
    too_many_codes: 'Trop de tentatives. Réessayez dans une heure.',
    linked:
      'Cette conversation est liée. Vous parlez à {agent}. Écrivez simplement votre question. /new commence une nouvelle conversation, /stop met fin au lien.',
    unlinked: 'Le lien est terminé. Plus rien ne sera envoyé ici.',
    new_chat: 'Une nouvelle conversation a commencé.',
    help: 'Écrivez votre question à {agent} ou envoyez une image. /new commence une nouvelle conversation, /stop met fin au lien.',
    unreadable: 'Ici, je peux lire le texte et les images. Écrivez votre question avec des mots.',
    image_refused:
      'Cette image ne peut pas être lue. Envoyez un PNG, JPEG, WebP ou GIF de 5 Mo au plus.',
    slow_down: 'Cela fait beaucoup de messages à la fois. Réessayez dans une minute.',
    unavailable: 'Aucune réponse ne peut être donnée pour le moment. Réessayez plus tard.',
    failed: 'Votre message n’a pas pu recevoir de réponse. Envoyez-le à nouveau.',
    agent_gone:
      'Cet assistant n’est plus disponible. Liez à nouveau la conversation dans votre compte chez {tenant}.',
    sources: 'Sources',
    reminder: 'Rappel',
  },
  ar: {
    unlinked_hint:
      'هذه المحادثة غير مرتبطة بعد. سجّل الدخول لدى {tenant}، وافتح حسابك، واختر «تطبيق المراسلة»، ثم أرسل الرمز الظاهر إلى هذه المحادثة.',
    bad_code:
      'هذا الرمز غير صالح. يعمل الرمز مرة واحدة خلال 10 دقائق. اطلب رمزًا جديدًا من حسابك لدى {tenant}.',
    too_many_codes: 'محاولات كثيرة جدًا. حاول مرة أخرى بعد ساعة.',
    linked:
      'تم ربط هذه المحادثة. أنت تتحدث مع {agent}. اكتب سؤالك مباشرة. ‎/new يبدأ محادثة جديدة، و‎/stop ينهي الربط.',
    unlinked: 'انتهى الربط. لن يُرسل أي شيء آخر إلى هذه المحادثة.',
    new_chat: 'بدأت محادثة جديدة.',
    help: 'اكتب سؤالك إلى {agent} أو أرسل صورة. ‎/new يبدأ محادثة جديدة، و‎/stop ينهي الربط.',
    unreadable: 'يمكنني هنا قراءة النصوص والصور. اكتب سؤالك بالكلمات.',
    image_refused:
      'تعذرت قراءة هذه الصورة. أرسل صورة PNG أو JPEG أو WebP أو GIF لا تتجاوز 5 ميغابايت.',
    slow_down: 'وصلت رسائل كثيرة دفعة واحدة. حاول مرة أخرى بعد دقيقة.',
    unavailable: 'لا يمكن تقديم إجابات حاليًا. حاول مرة أخرى لاحقًا.',
    failed: 'تعذرت الإجابة عن رسالتك. أرسلها مرة أخرى.',
    agent_gone: 'لم يعد هذا المساعد متاحًا. اربط المحادثة من جديد من حسابك لدى {tenant}.',
    sources: 'المصادر',
    reminder: 'تذكير',
  },
}

export function channelWord(
  word: ChannelWord,
  lang: Language,
  names: { tenant?: string; agent?: string } = {},
): string {
  return WORDS[lang][word]
    .replaceAll('{tenant}', () => names.tenant ?? '')
    .replaceAll('{agent}', () => names.agent ?? '')
}
