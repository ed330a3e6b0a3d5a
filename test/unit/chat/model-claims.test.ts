import { beforeAll, describe, expect, it } from 'vitest'
import { loadOpposites } from '../../../src/language/opposites'
import { loadThesaurus } from '../../../src/language/thesaurus'
import { judged } from '../../support/judged'

beforeAll(() => Promise.all([loadOpposites(), loadThesaurus()]))

/** How models say what they read: each of these fell, and a reader may say that it is so. */
describe('Arabic small words and letters at the words behind them', () => {
  const IMPORT = 'يقرأ استيراد الموقع 100 صفحة افتراضيًا، و500 على الأكثر، داخل الموقع نفسه.'
  it.each([
    ['a figure behind "and"', IMPORT, 'يقرأ استيراد الموقع 100 صفحة افتراضيًا، وعلى الأكثر 500.'],
    [
      '"as long as not", which has the stem of May',
      'يتحمل العميل تكلفة الشحن إلا إذا كان المنتج معيبًا.',
      'تكلفة شحن المنتج على العميل ما لم يكن المنتج معيبًا.',
    ],
    [
      'a denial behind "and"',
      'يمكن إرجاع المنتجات بشرط أن تكون في عبوتها الأصلية وغير مستعملة.',
      'يمكن إرجاع المنتج إذا كان غير مستعمل وفي عبوته الأصلية.',
    ],
    [
      'a denial behind "so"',
      'لا تُقبل مستحضرات التجميل بعد فتحها.',
      'أما مستحضرات التجميل فلا تُقبل بعد فتحها.',
    ],
  ])('%s', (_, said, claim) => {
    expect(judged(said, claim)).not.toBe('falls')
  })

  it.each([
    [IMPORT, 'يقرأ استيراد الموقع 100 صفحة افتراضيًا، وعلى الأكثر 600.'],
    ['المنتجات في عبوتها الأصلية وغير مستعملة.', 'المنتجات في عبوتها الأصلية ومستعملة.'],
  ])('fall as ever where they are other ones: %#', (said, claim) => {
    expect(judged(said, claim)).toBe('falls')
  })
})
