/** What the launcher is called where the site gives it no name. */
const NAMES: Record<string, string> = {
  zh: '聊天',
  ru: 'Чат',
  fr: 'Discussion',
  ar: 'محادثة',
}

/** In the language that is wanted, else the browser's, else in English, which Spanish and others share. */
export const nameIn = (wanted: string): string =>
  NAMES[(wanted === 'auto' ? navigator.language : wanted).slice(0, 2)] ?? 'Chat'
