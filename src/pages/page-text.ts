import type { Language } from '../config/names'

interface PageText {
  description: (agent: string, tenant: string) => string
  needsScript: string
  notLoaded: string
  notFoundTitle: string
  notFoundText: string
  frontText: string
  problemTitle: string
  problemText: string
  chooseAgent: string
  noAgents: string
  notHereTitle: string
  notHereText: string
  close: string
}

/** The few sentences that the server itself writes into a page; everything else is in the app's language files. */
export const PAGE_TEXT: Record<Language, PageText> = {
  en: {
    description: (agent, tenant) => `Ask ${agent} by ${tenant}. Answers name their sources.`,
    needsScript: 'This page needs JavaScript. Please switch it on and reload the page.',
    notLoaded: 'The chat could not be loaded. Please check your connection and reload the page.',
    notFoundTitle: 'Page not found',
    notFoundText: 'There is nothing at this address. Please check the link that you followed.',
    frontText:
      'People talk here with the assistants of organisations. Please follow the link that you were given.',
    problemTitle: 'This did not work',
    problemText: 'The page cannot be shown at the moment. Please try again later.',
    chooseAgent: 'Whom would you like to ask?',
    noAgents: 'There is no assistant here at the moment.',
    notHereTitle: 'This chat is not available',
    notHereText: 'It cannot be shown on this site at the moment.',
    close: 'Close',
  },
  zh: {
    description: (agent, tenant) => `向${tenant}的${agent}提问，回答均注明来源。`,
    needsScript: '此页面需要 JavaScript。请启用后重新加载页面。',
    notLoaded: '聊天未能加载。请检查网络连接并重新加载页面。',
    notFoundTitle: '未找到页面',
    notFoundText: '此地址没有内容。请检查您打开的链接。',
    frontText: '人们在这里与各机构的助手交谈。请打开您收到的链接。',
    problemTitle: '操作未成功',
    problemText: '目前无法显示此页面。请稍后重试。',
    chooseAgent: '您想咨询哪位助手？',
    noAgents: '目前这里没有助手。',
    notHereTitle: '此聊天不可用',
    notHereText: '目前无法在此网站上显示。',
    close: '关闭',
  },
  'zh-TW': {
    description: (agent, tenant) => `向${tenant}的${agent}提問，回答均註明來源。`,
    needsScript: '此頁面需要 JavaScript。請啟用後重新載入頁面。',
    notLoaded: '聊天無法載入。請檢查網路連線並重新載入頁面。',
    notFoundTitle: '找不到頁面',
    notFoundText: '此網址沒有內容。請檢查您開啟的連結。',
    frontText: '人們在這裡與各機構的助理交談。請開啟您收到的連結。',
    problemTitle: '操作未成功',
    problemText: '目前無法顯示此頁面。請稍後再試。',
    chooseAgent: '您想詢問哪位助理？',
    noAgents: '目前這裡沒有助理。',
    notHereTitle: '此聊天無法使用',
    notHereText: '目前無法在此網站上顯示。',
    close: '關閉',
  },
  es: {
    description: (agent, tenant) =>
      `Pregunta a ${agent} de ${tenant}. Las respuestas citan sus fuentes.`,
    needsScript: 'Esta página necesita JavaScript. Actívalo y vuelve a cargarla.',
    notLoaded: 'No se ha podido cargar el chat. Comprueba tu conexión y vuelve a cargar la página.',
    notFoundTitle: 'Página no encontrada',
    notFoundText: 'No hay nada en esta dirección. Comprueba el enlace que has seguido.',
    frontText: 'Aquí se habla con los asistentes de organizaciones. Sigue el enlace que te dieron.',
    problemTitle: 'No ha funcionado',
    problemText: 'La página no se puede mostrar en este momento. Inténtalo más tarde.',
    chooseAgent: '¿A quién quieres preguntar?',
    noAgents: 'Ahora mismo no hay ningún asistente aquí.',
    notHereTitle: 'Este chat no está disponible',
    notHereText: 'Ahora mismo no se puede mostrar en este sitio.',
    close: 'Cerrar',
  },
  ru: {
    description: (agent, tenant) =>
      `Задайте вопрос: ${agent}, ${tenant}. Ответы содержат ссылки на источники.`,
    needsScript: 'Для этой страницы нужен JavaScript. Включите его и обновите страницу.',
    notLoaded: 'Не удалось загрузить чат. Проверьте подключение и обновите страницу.',
    notFoundTitle: 'Страница не найдена',
    notFoundText: 'По этому адресу ничего нет. Проверьте ссылку, по которой вы перешли.',
    frontText:
      'Здесь разговаривают с ассистентами организаций. Перейдите по ссылке, которую вам дали.',
    problemTitle: 'Не получилось',
    problemText: 'Сейчас страницу нельзя показать. Повторите попытку позже.',
    chooseAgent: 'Кому вы хотите задать вопрос?',
    noAgents: 'Сейчас здесь нет ни одного ассистента.',
    notHereTitle: 'Этот чат недоступен',
    notHereText: 'Сейчас его нельзя показать на этом сайте.',
    close: 'Закрыть',
  },
  fr: {
    description: (agent, tenant) =>
      `Posez vos questions à ${agent} de ${tenant}. Les réponses citent leurs sources.`,
    needsScript: 'Cette page nécessite JavaScript. Activez-le puis rechargez-la.',
    notLoaded:
      'La discussion n’a pas pu être chargée. Vérifiez votre connexion puis rechargez la page.',
    notFoundTitle: 'Page introuvable',
    notFoundText: 'Il n’y a rien à cette adresse. Vérifiez le lien que vous avez suivi.',
    frontText:
      'Ici, on parle avec les assistants d’organisations. Suivez le lien que vous avez reçu.',
    problemTitle: 'Cela n’a pas fonctionné',
    problemText: 'La page ne peut pas s’afficher pour le moment. Réessayez plus tard.',
    chooseAgent: 'À qui souhaitez-vous poser votre question ?',
    noAgents: 'Aucun assistant n’est disponible ici pour le moment.',
    notHereTitle: 'Cette discussion n’est pas disponible',
    notHereText: 'Elle ne peut pas s’afficher sur ce site pour le moment.',
    close: 'Fermer',
  },
  ar: {
    description: (agent, tenant) => `اسأل ${agent} من ${tenant}. كل إجابة تذكر مصادرها.`,
    needsScript: 'تحتاج هذه الصفحة إلى JavaScript. فعّله ثم أعد تحميلها.',
    notLoaded: 'تعذر تحميل المحادثة. تحقق من اتصالك ثم أعد تحميل الصفحة.',
    notFoundTitle: 'الصفحة غير موجودة',
    notFoundText: 'لا يوجد شيء في هذا العنوان. تحقق من الرابط الذي اتبعته.',
    frontText: 'يتحدث الناس هنا مع مساعدي المؤسسات. اتبع الرابط الذي وصلك.',
    problemTitle: 'تعذر ذلك',
    problemText: 'لا يمكن عرض الصفحة الآن. أعد المحاولة لاحقًا.',
    chooseAgent: 'من تود أن تسأل؟',
    noAgents: 'لا يوجد مساعد هنا حاليًا.',
    notHereTitle: 'هذه المحادثة غير متاحة',
    notHereText: 'لا يمكن عرضها على هذا الموقع الآن.',
    close: 'إغلاق',
  },
}

/** Writing direction of a language of the product. */
export function directionOf(lang: Language): 'ltr' | 'rtl' {
  return lang === 'ar' ? 'rtl' : 'ltr'
}
