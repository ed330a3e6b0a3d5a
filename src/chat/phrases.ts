import type { Language } from '../config/names'

type Phrase = 'no_match' | 'search_failed' | 'images_unseen' | 'images_left_out' | 'no_answer'

/** Sentences the platform itself says in a chat. */
const PHRASES: Record<Phrase, Record<Language, string>> = {
  no_match: {
    en: 'I could not find an answer to this in my sources.',
    zh: '我在资料中没有找到这个问题的答案。',
    'zh-TW': '我在資料中找不到這個問題的答案。',
    es: 'No he encontrado una respuesta a esto en mis fuentes.',
    ru: 'Я не нашёл ответа на этот вопрос в своих источниках.',
    fr: 'Je n’ai pas trouvé de réponse à cette question dans mes sources.',
    ar: 'لم أجد إجابة عن هذا السؤال في مصادري.',
  },
  search_failed: {
    en: 'My sources cannot be searched right now. Please try again in a moment.',
    zh: '目前无法检索资料，请稍后再试。',
    'zh-TW': '目前無法檢索資料，請稍後再試。',
    es: 'Ahora mismo no puedo consultar mis fuentes. Inténtalo de nuevo en un momento.',
    ru: 'Сейчас источники недоступны для поиска. Попробуйте ещё раз чуть позже.',
    fr: 'Mes sources ne peuvent pas être consultées pour le moment. Réessayez dans un instant.',
    ar: 'لا يمكن البحث في مصادري الآن. حاول مرة أخرى بعد قليل.',
  },
  images_unseen: {
    en: 'I cannot see images here. Describe in words what you would like to know.',
    zh: '我在这里看不到图片，请用文字描述您想了解的内容。',
    'zh-TW': '我在這裡看不到圖片，請用文字描述您想了解的內容。',
    es: 'Aquí no puedo ver imágenes. Describe con palabras lo que quieres saber.',
    ru: 'Здесь я не вижу изображений. Опишите словами, что вы хотите узнать.',
    fr: 'Je ne peux pas voir les images ici. Décrivez avec des mots ce que vous voulez savoir.',
    ar: 'لا أستطيع رؤية الصور هنا. صِف بالكلمات ما تريد معرفته.',
  },
  images_left_out: {
    en: 'I cannot see images here, so I answer your words alone.',
    zh: '我在这里看不到图片，只能根据您的文字回答。',
    'zh-TW': '我在這裡看不到圖片，只能根據您的文字回答。',
    es: 'Aquí no puedo ver imágenes, así que respondo solo a tus palabras.',
    ru: 'Здесь я не вижу изображений и отвечаю только на текст.',
    fr: 'Je ne peux pas voir les images ici ; je réponds donc uniquement à votre texte.',
    ar: 'لا أستطيع رؤية الصور هنا، لذلك أجيب عن نصّك وحده.',
  },
  no_answer: {
    en: 'I could not come up with an answer just now. Please try again.',
    zh: '我暂时没能给出回答，请再试一次。',
    'zh-TW': '我暫時沒能給出回答，請再試一次。',
    es: 'Ahora mismo no he podido dar una respuesta. Inténtalo de nuevo.',
    ru: 'Сейчас у меня не получилось ответить. Попробуйте ещё раз.',
    fr: 'Je n’ai pas réussi à répondre pour le moment. Veuillez réessayer.',
    ar: 'لم أتمكن من تقديم إجابة الآن. يُرجى المحاولة مرة أخرى.',
  },
}

export function phrase(name: Phrase, lang: Language): string {
  return PHRASES[name][lang]
}
