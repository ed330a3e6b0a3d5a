import { useFormat } from '../../words'
import { spanOf } from '../model/funnel'

/** A median time in the reader's language; a dash where there is none. */
export function useSpan(): (seconds: number | null) => string {
  const { lang } = useFormat()
  return (seconds) => {
    if (seconds === null) return '–'
    const { n, unit } = spanOf(seconds)
    return new Intl.NumberFormat(lang, { style: 'unit', unit, unitDisplay: 'short' }).format(n)
  }
}
