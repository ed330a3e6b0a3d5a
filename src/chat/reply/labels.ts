import { EVIDENCE_PACKS } from '../../language/packs'

const all = (read: (pack: (typeof EVIDENCE_PACKS)[number]) => readonly string[]) => [
  ...new Set(EVIDENCE_PACKS.flatMap(read)),
]

/** The words that models put above their answer, and above the list of what it rests on, in every language. */
export const LETTER_LABELS = {
  answer: all((pack) => pack.labels.answer),
  sources: all((pack) => pack.labels.sources),
}
