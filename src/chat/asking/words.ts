import type { Language } from '../../config/names'

type Word = 'check' | 'skip'

/** What the platform itself says where it asks. `{title}` is what is asked for. */
const WORDS: Record<Language, Record<Word, string>> = {
  en: {
    check: 'Please check: {title}',
    skip: 'Skip',
  },
  zh: {
    check: '请检查：{title}',
    skip: '跳过',
  },
  'zh-TW': {
    check: '請檢查：{title}',
    skip: '略過',
  },
  es: {
    check: 'Revisa, por favor: {title}',
    skip: 'Omitir',
  },
  ru: {
    check: 'Пожалуйста, проверьте: {title}',
    skip: 'Пропустить',
  },
  fr: {
    check: 'Merci de vérifier : {title}',
    skip: 'Passer',
  },
  ar: {
    check: 'يرجى التحقق من: {title}',
    skip: 'تخطٍّ',
  },
}

export const askingWord = (word: Word, lang: Language, title = ''): string =>
  WORDS[lang][word].replace('{title}', () => title)

/** Whether a text is a word of the platform's, in whichever language. */
export const isWord = (word: Word, text: string): boolean =>
  Object.values(WORDS).some((words) => words[word] === text)
