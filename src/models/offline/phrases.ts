import type { Language } from '../../config/names'
import type { SmallTalk } from '../../text/small-talk'

/** Everything the offline answerer says in its own words. Placeholders: {time} {zone} {place} {text}. */
export interface Phrases {
  smallTalk: Record<SmallTalk, string>
  notFound: string
  noKnowledge: string
  time: string
  weather: string
  weatherUnknown: string
  here: string
  hereUnknown: string
  toolFailed: string
  reminded: string
  remembered: string
}

export const PHRASES: Record<Language, Phrases> = {
  en: {
    smallTalk: {
      hello: 'Hello! What would you like to know?',
      thanks: 'You are welcome.',
      bye: 'Goodbye!',
      who: 'I am an assistant that answers with sentences quoted from this agent’s documents. No language model is connected at the moment, so I quote rather than write freely.',
      howAreYou: 'I am well, thank you. What would you like to know?',
      help: 'Gladly: ask a question, and I answer with sentences from this agent’s documents, each with its source.',
      picture: 'I cannot see pictures here. Describe in words what you would like to know.',
    },
    notFound: 'I found nothing about that in the knowledge base.',
    noKnowledge:
      'I am an extractive answerer: I quote sentences from documents, and no language model or knowledge base is connected here. I can still tell you the time or the weather.',
    time: 'It is {time} ({zone}).',
    weather: 'Weather in {place}: {text}.',
    weatherUnknown: 'I could not get the weather for {place}.',
    here: 'You seem to be in {place}.',
    hereUnknown: 'I cannot tell where you are: your connection gives no location.',
    toolFailed: 'I could not look that up just now.',
    reminded: 'I will remind you on {time} ({zone}).',
    remembered: 'You told me: {text}',
  },
  zh: {
    smallTalk: {
      hello: '你好！你想了解什么？',
      thanks: '不客气。',
      bye: '再见！',
      who: '我是一个助手，用本智能体文档中的原句来回答问题。目前没有接入语言模型，所以我只引用原文，不自由发挥。',
      howAreYou: '我很好，谢谢！你想了解什么？',
      help: '当然可以：请提问，我会用本智能体文档中的句子回答，并注明出处。',
      picture: '我在这里看不到图片，请用文字描述你想了解的内容。',
    },
    notFound: '我在知识库中没有找到相关内容。',
    noKnowledge:
      '我是一个摘录式应答器：只引用文档中的句子，这里没有接入语言模型或知识库。我仍然可以告诉你时间或天气。',
    time: '现在是 {time}（{zone}）。',
    weather: '{place}的天气：{text}。',
    weatherUnknown: '我无法获取{place}的天气。',
    here: '你似乎在{place}。',
    hereUnknown: '我无法判断你在哪里：你的连接没有提供位置信息。',
    toolFailed: '我暂时无法查询。',
    reminded: '我会在 {time}（{zone}）提醒你。',
    remembered: '你告诉过我：{text}',
  },
  'zh-TW': {
    smallTalk: {
      hello: '你好！你想了解什麼？',
      thanks: '不客氣。',
      bye: '再見！',
      who: '我是一個助手，用本智能體文件中的原句來回答問題。目前沒有接入語言模型，所以我只引用原文，不自由發揮。',
      howAreYou: '我很好，謝謝！你想了解什麼？',
      help: '當然可以：請提問，我會用本智能體文件中的句子回答，並註明出處。',
      picture: '我在這裡看不到圖片，請用文字描述你想了解的內容。',
    },
    notFound: '我在知識庫中沒有找到相關內容。',
    noKnowledge:
      '我是一個摘錄式應答器：只引用文件中的句子，這裡沒有接入語言模型或知識庫。我仍然可以告訴你時間或天氣。',
    time: '現在是 {time}（{zone}）。',
    weather: '{place}的天氣：{text}。',
    weatherUnknown: '我無法取得{place}的天氣。',
    here: '你似乎在{place}。',
    hereUnknown: '我無法判斷你在哪裡：你的連線沒有提供位置資訊。',
    toolFailed: '我暫時無法查詢。',
    reminded: '我會在 {time}（{zone}）提醒你。',
    remembered: '你告訴過我：{text}',
  },
  es: {
    smallTalk: {
      hello: '¡Hola! ¿Qué quieres saber?',
      thanks: 'De nada.',
      bye: '¡Adiós!',
      who: 'Soy un asistente que responde con frases citadas de los documentos de este agente. Ahora no hay ningún modelo de lenguaje conectado, así que cito en lugar de redactar libremente.',
      howAreYou: 'Muy bien, gracias. ¿Qué quieres saber?',
      help: 'Con gusto: haz una pregunta y respondo con frases de los documentos de este agente, cada una con su fuente.',
      picture: 'Aquí no puedo ver imágenes. Describe con palabras lo que quieres saber.',
    },
    notFound: 'No he encontrado nada sobre eso en la base de conocimiento.',
    noKnowledge:
      'Soy un respondedor extractivo: cito frases de documentos, y aquí no hay conectado ningún modelo de lenguaje ni base de conocimiento. Aun así puedo decirte la hora o el tiempo.',
    time: 'Son las {time} ({zone}).',
    weather: 'El tiempo en {place}: {text}.',
    weatherUnknown: 'No he podido obtener el tiempo de {place}.',
    here: 'Parece que estás en {place}.',
    hereUnknown: 'No puedo saber dónde estás: tu conexión no indica ninguna ubicación.',
    toolFailed: 'No he podido consultarlo en este momento.',
    reminded: 'Te lo recordaré: {time} ({zone}).',
    remembered: 'Me contaste: {text}',
  },
  ru: {
    smallTalk: {
      hello: 'Здравствуйте! Что вы хотите узнать?',
      thanks: 'Пожалуйста.',
      bye: 'До свидания!',
      who: 'Я помощник, который отвечает цитатами из документов этого агента. Языковая модель сейчас не подключена, поэтому я цитирую, а не пишу свободно.',
      howAreYou: 'Всё хорошо, спасибо. Что вы хотите узнать?',
      help: 'С удовольствием: задайте вопрос, и я отвечу фразами из документов этого агента, каждую с источником.',
      picture: 'Здесь я не вижу изображений. Опишите словами, что вы хотите узнать.',
    },
    notFound: 'Я ничего не нашёл об этом в базе знаний.',
    noKnowledge:
      'Я отвечаю цитатами из документов, а языковая модель и база знаний здесь не подключены. Время и погоду я всё же могу подсказать.',
    time: 'Сейчас {time} ({zone}).',
    weather: 'Погода, {place}: {text}.',
    weatherUnknown: 'Не удалось узнать погоду, {place}.',
    here: 'Похоже, вы находитесь здесь: {place}.',
    hereUnknown: 'Я не могу определить, где вы: соединение не сообщает местоположение.',
    toolFailed: 'Сейчас не удалось это узнать.',
    reminded: 'Я напомню вам: {time} ({zone}).',
    remembered: 'Вы мне рассказали: {text}',
  },
  fr: {
    smallTalk: {
      hello: 'Bonjour ! Que souhaitez-vous savoir ?',
      thanks: 'Je vous en prie.',
      bye: 'Au revoir !',
      who: 'Je suis un assistant qui répond par des phrases citées des documents de cet agent. Aucun modèle de langage n’est connecté pour le moment : je cite, je ne rédige pas librement.',
      howAreYou: 'Je vais bien, merci. Que souhaitez-vous savoir ?',
      help: 'Volontiers : posez une question, et je réponds par des phrases des documents de cet agent, chacune avec sa source.',
      picture:
        'Je ne peux pas voir les images ici. Décrivez avec des mots ce que vous voulez savoir.',
    },
    notFound: 'Je n’ai rien trouvé à ce sujet dans la base de connaissances.',
    noKnowledge:
      'Je suis un répondeur extractif : je cite des phrases de documents, et aucun modèle de langage ni base de connaissances n’est connecté ici. Je peux tout de même vous donner l’heure ou la météo.',
    time: 'Il est {time} ({zone}).',
    weather: 'Météo à {place} : {text}.',
    weatherUnknown: 'Je n’ai pas pu obtenir la météo pour {place}.',
    here: 'Vous semblez être à {place}.',
    hereUnknown: 'Je ne peux pas savoir où vous êtes : votre connexion n’indique aucune position.',
    toolFailed: 'Je n’ai pas pu le vérifier pour le moment.',
    reminded: 'Je vous le rappellerai : {time} ({zone}).',
    remembered: 'Vous m’avez dit : {text}',
  },
  ar: {
    smallTalk: {
      hello: 'مرحبًا! ماذا تود أن تعرف؟',
      thanks: 'على الرحب والسعة.',
      bye: 'إلى اللقاء!',
      who: 'أنا مساعد يجيب بجمل مقتبسة من وثائق هذا الوكيل. لا يوجد نموذج لغوي متصل الآن، لذلك أقتبس ولا أكتب بحرية.',
      howAreYou: 'أنا بخير، شكرًا. ماذا تود أن تعرف؟',
      help: 'بكل سرور: اطرح سؤالًا وسأجيب بجمل من وثائق هذا الوكيل، مع مصدر كل منها.',
      picture: 'لا أستطيع رؤية الصور هنا. صِف بالكلمات ما تريد معرفته.',
    },
    notFound: 'لم أجد شيئًا عن ذلك في قاعدة المعرفة.',
    noKnowledge:
      'أنا مجيب اقتباسي: أقتبس جملًا من الوثائق، ولا يوجد هنا نموذج لغوي أو قاعدة معرفة متصلة. ما زال بإمكاني إخبارك بالوقت أو الطقس.',
    time: 'الساعة الآن {time} ({zone}).',
    weather: 'الطقس في {place}: {text}.',
    weatherUnknown: 'تعذر الحصول على الطقس في {place}.',
    here: 'يبدو أنك في {place}.',
    hereUnknown: 'لا أستطيع معرفة مكانك: اتصالك لا يقدم أي موقع.',
    toolFailed: 'تعذر البحث عن ذلك الآن.',
    reminded: 'سأذكّرك: {time} ({zone}).',
    remembered: 'لقد أخبرتني: {text}',
  },
}

/** Fills a phrase's placeholders. */
export function fill(phrase: string, values: Record<string, string>): string {
  return phrase.replaceAll(/\{(\w+)\}/gu, (whole, key: string) => values[key] ?? whole)
}
