import { LONGEST_REMEMBERED } from './remembered'

/** A text as comparisons see it, with each folded character's place in the source. */
export interface FoldedText {
  text: string
  /** Source offset where the character at this folded index begins… */
  starts: number[]
  /** …and where it ends. */
  ends: number[]
}

/** A base character with its marks (or a Hangul syllable in jamo): the unit that NFKC may compose. */
const CLUSTER = /[\u1100-\u115f][\u1160-\u11a7]?[\u11a8-\u11ff]?|\P{M}\p{M}*|\p{M}+/suy
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
  '`': '',
}

const SPACE = ' '

/**
 * Folds a text for finding quotes: NFKC, lower case, white space as one space (none beside Chinese or Japanese), one
 * form of quotation marks and dashes, no invisible characters, no marks of code. Linear.
 */
export function foldText(source: string): FoldedText {
  const characters: string[] = []
  const starts: number[] = []
  const ends: number[] = []
  let last = ''
  for (let at = 0; at < source.length; ) {
    const cluster = clusterAt(source, at)
    const folded = foldCluster(cluster)
    const start = at
    at += cluster.length
    if (folded === '') continue
    if (folded === SPACE && (last === '' || last === SPACE || WIDE.test(last))) continue
    if (last === SPACE && folded !== SPACE && WIDE.test(folded)) {
      characters.pop()
      starts.pop()
      ends.pop()
    }
    // One entry for each UTF-16 unit, because that is what string offsets count.
    for (let i = 0; i < folded.length; i++) {
      characters.push(folded.charAt(i))
      starts.push(start)
      ends.push(at)
    }
    last = folded
  }
  return { text: characters.join(''), starts, ends }
}

function clusterAt(source: string, at: number): string {
  if (!mayCompose(source.charCodeAt(at)) && !mayCompose(source.charCodeAt(at + 1)))
    return source.charAt(at)
  CLUSTER.lastIndex = at
  return CLUSTER.exec(source)?.[0] ?? source.charAt(at)
}

/** Whether a UTF-16 unit may be a mark, half a surrogate pair or a jamo. The plain letters of most texts are not. */
function mayCompose(code: number): boolean {
  if (code < 0x300 || Number.isNaN(code)) return false
  const isPlain =
    (code >= 0x370 && code <= 0x482) || // Greek, Cyrillic
    (code >= 0x48a && code <= 0x590) ||
    (code >= 0x620 && code <= 0x64a) || // Arabic letters
    (code >= 0x2000 && code <= 0x20cf) || // punctuation
    (code >= 0x3000 && code <= 0x3029) ||
    (code >= 0x3030 && code <= 0x3098) || // kana
    (code >= 0x309b && code <= 0xa66e) || // kana, Han
    (code >= 0xac00 && code <= 0xd7a3) || // Hangul syllables
    (code >= 0xff00 && code <= 0xffef)
  return !isPlain
}

const KNOWN_CLUSTERS = 20_000
/** Folding one character costs more than looking it up, and a text has few different ones. */
const known = new Map<string, string>()

function foldCluster(cluster: string): string {
  let folded = known.get(cluster)
  if (folded === undefined) {
    folded = computeFold(cluster)
    if (cluster.length > LONGEST_REMEMBERED) return folded
    if (known.size >= KNOWN_CLUSTERS) known.clear()
    known.set(cluster, folded)
  }
  return folded
}

function computeFold(cluster: string): string {
  if (/^[\s\p{Cc}]$/u.test(cluster)) return SPACE
  if (IGNORED.test(cluster)) return ''
  const folded = cluster.normalize('NFKC').toLowerCase().replaceAll(/\s+/gu, SPACE)
  return SAME[folded] ?? folded
}
