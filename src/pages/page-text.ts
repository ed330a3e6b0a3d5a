import type { Language } from '../config/names'

interface PageText {
  description: (agent: string, tenant: string) => string
  needsScript: string
  notLoaded: string
  notFoundTitle: string
  notFoundText: string
  chooseAgent: string
  noAgents: string
}

/** The few sentences that the server itself writes into a page; everything else is in the app's language files. */
export const PAGE_TEXT: Record<Language, PageText> = {
  en: {
    description: (agent, tenant) => `Ask ${agent} by ${tenant}. Answers name their sources.`,
    needsScript: 'This chat needs JavaScript. Please switch it on and reload the page.',
    notLoaded: 'The chat could not be loaded. Please check your connection and reload the page.',
    notFoundTitle: 'Page not found',
    notFoundText: 'There is nothing at this address. Please check the link that you followed.',
    chooseAgent: 'Whom would you like to ask?',
    noAgents: 'There is no assistant here at the moment.',
  },
  zh: {
    description: (agent, tenant) => `向${tenant}的${agent}提问，回答均注明来源。`,
    needsScript: '此聊天需要 JavaScript。请启用后重新加载页面。',
    notLoaded: '聊天未能加载。请检查网络连接并重新加载页面。',
    notFoundTitle: '未找到页面',
    notFoundText: '此地址没有内容。请检查您打开的链接。',
    chooseAgent: '您想咨询哪位助手？',
    noAgents: '目前这里没有助手。',
  },
  'zh-TW': {
    description: (agent, tenant) => `向${tenant}的${agent}提問，回答均註明來源。`,
    needsScript: '此聊天需要 JavaScript。請啟用後重新載入頁面。',
    notLoaded: '聊天無法載入。請檢查網路連線並重新載入頁面。',
    notFoundTitle: '找不到頁面',
    notFoundText: '此網址沒有內容。請檢查您開啟的連結。',
    chooseAgent: '您想詢問哪位助理？',
    noAgents: '目前這裡沒有助理。',
  },
  es: {
    description: (agent, tenant) =>
      `Pregunta a ${agent} de ${tenant}. Las respuestas citan sus fuentes.`,
    needsScript: 'Este chat necesita JavaScript. Actívalo y vuelve a cargar la página.',
    notLoaded: 'No se ha podido cargar el chat. Comprueba tu conexión y vuelve a cargar la página.',
    notFoundTitle: 'Página no encontrada',
    notFoundText: 'No hay nada en esta dirección. Comprueba el enlace que has seguido.',
    chooseAgent: '¿A quién quieres preguntar?',
    noAgents: 'Ahora mismo no hay ningún asistente aquí.',
  },
  ru: {
    description: (agent, tenant) =>
      `Задайте вопрос: ${agent}, ${tenant}. Ответы содержат ссылки на источники.`,
    needsScript: 'Для этого чата нужен JavaScript. Включите его и обновите страницу.',
    notLoaded: 'Не удалось загрузить чат. Проверьте подключение и обновите страницу.',
    notFoundTitle: 'Страница не найдена',
    notFoundText: 'По этому адресу ничего нет. Проверьте ссылку, по которой вы перешли.',
    chooseAgent: 'Кому вы хотите задать вопрос?',
    noAgents: 'Сейчас здесь нет ни одного ассистента.',
  },
  fr: {
    description: (agent, tenant) =>
      `Posez vos questions à ${agent} de ${tenant}. Les réponses citent leurs sources.`,
    needsScript: 'Cette discussion nécessite JavaScript. Activez-le puis rechargez la page.',
    notLoaded:
      'La discussion n’a pas pu être chargée. Vérifiez votre connexion puis rechargez la page.',
    notFoundTitle: 'Page introuvable',
    notFoundText: 'Il n’y a rien à cette adresse. Vérifiez le lien que vous avez suivi.',
    chooseAgent: 'À qui souhaitez-vous poser votre question ?',
    noAgents: 'Aucun assistant n’est disponible ici pour le moment.',
  },
  ar: {
    description: (agent, tenant) => `اسأل ${agent} من ${tenant}. كل إجابة تذكر مصادرها.`,
    needsScript: 'تحتاج هذه المحادثة إلى JavaScript. فعّله ثم أعد تحميل الصفحة.',
    notLoaded: 'تعذر تحميل المحادثة. تحقق من اتصالك ثم أعد تحميل الصفحة.',
    notFoundTitle: 'الصفحة غير موجودة',
    notFoundText: 'لا يوجد شيء في هذا العنوان. تحقق من الرابط الذي اتبعته.',
    chooseAgent: 'من تود أن تسأل؟',
    noAgents: 'لا يوجد مساعد هنا حاليًا.',
  },
}

/** Writing direction of a language of the product. */
export function directionOf(lang: Language): 'ltr' | 'rtl' {
  return lang === 'ar' ? 'rtl' : 'ltr'
}
