/** A text as comparisons see it, with each folded character's place in the source. */
export interface FoldedText {
  text: string
  /** Source offset where the character at this folded index begins… */
  starts: number[]
  /** …and where it ends. */
  ends: number[]
}

/** A base character with its marks (or a Hangul syllable in jamo): the unit that NFKC may compose. */
const CLUSTER = /[\u1100-\u115f][\u1160-\u11a7]?[\u11a8-\u11ff]?|\P{M}\p{M}*|\p{M}+/gsu
const IGNORED = /^(?:\p{Default_Ignorable_Code_Point}|\p{Cf})+$/u
const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uffef]/u
const SAME: Record<string, string> = {
  '“': '"',
  '”': '"',
  '„': '"',
  '«': '"',
  '»': '"',
  '‘': "'",
  '’': "'",
  '‚': "'",
  '‐': '-',
  '‑': '-',
  '–': '-',
  '—': '-',
  '−': '-',
  ς: 'σ',
}

/**
 * Folds a text for finding quotes: NFKC, lower case, white space as one space (none beside Chinese or Japanese), one
 * form of quotation marks and dashes, no invisible characters. Linear.
 */
export function foldText(source: string): FoldedText {
  let text = ''
  const starts: number[] = []
  const ends: number[] = []
  for (const match of source.matchAll(CLUSTER)) {
    const cluster = match[0]
    if (IGNORED.test(cluster)) continue
    const start = match.index
    let folded = foldCluster(cluster)
    if (folded === ' ' && (text === '' || text.endsWith(' ') || WIDE.test(text.slice(-1)))) continue
    if (text.endsWith(' ') && WIDE.test(folded)) {
      text = text.slice(0, -1)
      starts.pop()
      ends.pop()
    }
    folded = folded.replaceAll(/\s+/gu, ' ')
    text += folded
    for (let i = 0; i < folded.length; i++) {
      starts.push(start)
      ends.push(start + cluster.length)
    }
  }
  return { text, starts, ends }
}

function foldCluster(cluster: string): string {
  if (/^\s$/u.test(cluster)) return ' '
  const folded = cluster.normalize('NFKC').toLowerCase()
  return SAME[folded] ?? folded
}
