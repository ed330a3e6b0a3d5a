import type { Language } from '../../config/names'

type Word = 'check' | 'skip' | 'which'

/** What the platform itself says where it asks. `{title}` is what is asked for. */
const WORDS: Record<Language, Record<Word, string>> = {
  en: {
    check: 'Please check: {title}',
    skip: 'Skip',
    which: 'Which of these do you mean?',
  },
  zh: {
    check: '请检查：{title}',
    skip: '跳过',
    which: '您指的是哪一个？',
  },
  'zh-TW': {
    check: '請檢查：{title}',
    skip: '略過',
    which: '您指的是哪一個？',
  },
  es: {
    check: 'Revisa, por favor: {title}',
    skip: 'Omitir',
    which: '¿A cuál de estos te refieres?',
  },
  ru: {
    check: 'Пожалуйста, проверьте: {title}',
    skip: 'Пропустить',
    which: 'Что из этого вы имеете в виду?',
  },
  fr: {
    check: 'Merci de vérifier : {title}',
    skip: 'Passer',
    which: 'De quoi s’agit-il ?',
  },
  ar: {
    check: 'يرجى التحقق من: {title}',
    skip: 'تخطٍّ',
    which: 'أيًّا من هذه تقصد؟',
  },
}

export const askingWord = (word: Word, lang: Language, title = ''): string =>
  WORDS[lang][word].replace('{title}', () => title)

/** Whether a text is a word of the platform's, in whichever language. */
export const isWord = (word: Word, text: string): boolean =>
  Object.values(WORDS).some((words) => words[word] === text)
