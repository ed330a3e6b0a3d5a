import type { Language } from '../../../config/names'

/** The chart stands on screens of several folders, so it brings its few words along. */
export const CHART_WORDS: Record<Language, { table: string; total: string }> = {
  en: { table: 'Show as a table', total: 'Total' },
  zh: { table: '显示为表格', total: '合计' },
  'zh-TW': { table: '顯示為表格', total: '合計' },
  es: { table: 'Ver como tabla', total: 'Total' },
  ru: { table: 'Показать таблицей', total: 'Всего' },
  fr: { table: 'Afficher en tableau', total: 'Total' },
  ar: { table: 'عرض كجدول', total: 'المجموع' },
}
