import type { Language } from '../config'

type Phrase = 'no_match' | 'search_failed' | 'images_unseen'

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
}

export function phrase(name: Phrase, lang: Language): string {
  return PHRASES[name][lang]
}
