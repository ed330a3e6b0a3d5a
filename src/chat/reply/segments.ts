import { once } from '../../text/once'

const segmenter = once(() => new Intl.Segmenter('zh', { granularity: 'word' }))

/** The words of an unspaced text, as a dictionary cuts them. */
export const segmentsOf = (text: string): string[] =>
  Array.from(segmenter().segment(text), ({ segment }) => segment)
