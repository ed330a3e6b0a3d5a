const FIRST = 0x4e00
const LAST = 0x9fff

const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, n) => from + n)

/** The ideographs of a double-byte character set, as marks by code point. */
function ideographsOf(encoding: string, leads: number[], trails: number[]): Uint8Array {
  const bytes = Uint8Array.from(leads.flatMap((lead) => trails.flatMap((trail) => [lead, trail])))
  const text = new TextDecoder(encoding).decode(bytes)
  const marks = new Uint8Array(LAST - FIRST + 1)
  for (let n = 0; n < text.length; n++) {
    const code = text.charCodeAt(n)
    if (code >= FIRST && code <= LAST) marks[code - FIRST] = 1
  }
  return marks
}

let sets: { simplified: Uint8Array; traditional: Uint8Array } | null = null

/**
 * The characters of the two national standards, which the runtime's decoders know: GB 2312 was made for the simplified
 * script and Big5 for the traditional one, so what only one of them has tells. Of Big5 the frequent half: the rare one
 * is names that both scripts write. Built when first asked for, within a millisecond.
 */
function standards() {
  sets ??= {
    simplified: ideographsOf('gb18030', range(0xb0, 0xf7), range(0xa1, 0xfe)),
    traditional: ideographsOf('big5', range(0xa4, 0xc6), [
      ...range(0x40, 0x7e),
      ...range(0xa1, 0xfe),
    ]),
  }
  return sets
}

/** How many more characters of a text are of the traditional script alone than of the simplified one. */
export function leanToTraditional(text: string): number {
  const { simplified, traditional } = standards()
  let lean = 0
  for (let n = 0; n < text.length; n++) {
    const at = text.charCodeAt(n) - FIRST
    lean += (traditional[at] ?? 0) - (simplified[at] ?? 0)
  }
  return lean
}

/** Which of the two scripts a Chinese text is written in; `otherwise` where as many of its characters are of either. */
export function chineseScript(text: string, otherwise: 'zh' | 'zh-TW'): 'zh' | 'zh-TW' {
  const lean = leanToTraditional(text)
  if (lean === 0) return otherwise
  return lean > 0 ? 'zh-TW' : 'zh'
}
