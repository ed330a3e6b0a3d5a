import type { Language } from '../../config/names'

type Word = 'check' | 'skip' | 'which' | 'may_i' | 'do_it' | 'do_not' | 'not_done'

/** What the platform itself says where it asks. `{title}` is what is asked for. */
const WORDS: Record<Language, Record<Word, string>> = {
  en: {
    check: 'Please check: {title}',
    skip: 'Skip',
    which: 'Which of these do you mean?',
    may_i: 'Shall I do this: {title}',
    do_it: 'Do it',
    do_not: 'Don’t',
    not_done: 'All right, I have not done it.',
  },
  zh: {
    check: '请检查：{title}',
    skip: '跳过',
    which: '您指的是哪一个？',
    may_i: '需要我执行这项操作吗：{title}',
    do_it: '执行',
    do_not: '不要',
    not_done: '好的，我没有执行。',
  },
  'zh-TW': {
    check: '請檢查：{title}',
    skip: '略過',
    which: '您指的是哪一個？',
    may_i: '需要我執行這項操作嗎：{title}',
    do_it: '執行',
    do_not: '不要',
    not_done: '好的，我沒有執行。',
  },
  es: {
    check: 'Revisa, por favor: {title}',
    skip: 'Omitir',
    which: '¿A cuál de estos te refieres?',
    may_i: '¿Hago esto? {title}',
    do_it: 'Hazlo',
    do_not: 'No lo hagas',
    not_done: 'De acuerdo, no lo he hecho.',
  },
  ru: {
    check: 'Пожалуйста, проверьте: {title}',
    skip: 'Пропустить',
    which: 'Что из этого вы имеете в виду?',
    may_i: 'Выполнить это действие: {title}',
    do_it: 'Выполнить',
    do_not: 'Не выполнять',
    not_done: 'Хорошо, я этого не делал.',
  },
  fr: {
    check: 'Merci de vérifier : {title}',
    skip: 'Passer',
    which: 'De quoi s’agit-il ?',
    may_i: 'Dois-je faire ceci : {title}',
    do_it: 'Faites-le',
    do_not: 'Ne le faites pas',
    not_done: 'D’accord, je ne l’ai pas fait.',
  },
  ar: {
    check: 'يرجى التحقق من: {title}',
    skip: 'تخطٍّ',
    which: 'أيًّا من هذه تقصد؟',
    may_i: 'هل أنفّذ هذا الإجراء: {title}',
    do_it: 'نفّذ',
    do_not: 'لا تنفّذ',
    not_done: 'حسنًا، لم أنفّذه.',
  },
}

export const askingWord = (word: Word, lang: Language, title = ''): string =>
  WORDS[lang][word].replace('{title}', () => title)

/** A word in every language. */
export const wordsOf = (word: Word): string[] => Object.values(WORDS).map((words) => words[word])
