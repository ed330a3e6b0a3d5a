import { describe, expect, it } from 'vitest'
import { foldText } from '../../../src/text/fold'

describe('foldText', () => {
  it('brings case, width and accents together', () => {
    expect(foldText('ÉCOLE Ｐａｒｉｓ ﬁn')).toBe('ecole paris fin')
    expect(foldText('Straße Ørsted İstanbul ışık łódź')).toBe('strasse orsted istanbul isik lodz')
  })

  it('drops what is not seen', () => {
    expect(foldText('warr\u00adanty\u200b \u200fa\u2060b\ufeff')).toBe('warranty ab')
  })

  it('keeps Cyrillic letters apart but for ё', () => {
    expect(foldText('Йод ещё')).toBe('йод еще')
  })

  it('drops Arabic vowel signs and Hebrew points, keeps marks that are letters', () => {
    expect(foldText('مُدَرِّس')).toBe('مدرس')
    expect(foldText('שָׁלוֹם')).toBe('שלום')
    expect(foldText('हिन्दी が')).toBe('हिन्दी が')
  })
})
