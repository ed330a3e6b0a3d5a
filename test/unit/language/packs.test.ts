import { describe, expect, it } from 'vitest'
import { EVIDENCE_PACKS } from '../../../src/language/packs'

/** Where a language's months differ by country, each of their names. */
const LOCALES: Readonly<Record<string, readonly string[]>> = {
  ar: ['ar', 'ar-SY', 'ar-MA'],
  de: ['de', 'de-AT'],
  en: ['en', 'en-GB'],
}

// The packs hold these as data, since the platform's lists cost more to open than a whole reply to check.
describe.each(EVIDENCE_PACKS)('what the pack of $code has of the platform', (pack) => {
  it('is how the platform joins two things', () => {
    const joint = (type: Intl.ListFormatType) =>
      new Intl.ListFormat(pack.code, { type })
        .formatToParts(['1', '2'])
        .find((part) => part.type === 'literal')?.value
    expect(pack.joints).toEqual({ and: joint('conjunction'), or: joint('disjunction') })
  })

  it('is how the platform names the months, where they are named', () => {
    if (pack.unspaced) return expect(pack.months).toBeUndefined()
    const known = [...(pack.months?.long ?? []), ...(pack.months?.short ?? [])].map((line) =>
      line.split(', '),
    )
    for (const locale of LOCALES[pack.code] ?? [pack.code])
      for (const month of ['long', 'short'] as const) {
        const format = new Intl.DateTimeFormat(locale, { month, timeZone: 'UTC' })
        for (let at = 0; at < 12; at++) {
          const name = format.format(Date.UTC(2024, at, 1)).replace(/\.$/u, '')
          expect(known.map((names) => names[at])).toContain(name)
        }
      }
  })
})
