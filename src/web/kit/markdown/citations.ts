import type { Source } from '../turn/frames'

/** A source as the reply shows it: `mark` is its number in the text, `label` the number that the reader sees. */
export interface CitedSource {
  mark: number
  label: number
  source: Source
}

const MARK = /\[(\d{1,3})\](?!\()/g

/**
 * Numbers a reply's sources by first use. A mark counts only when its source is listed. Sources without numbers,
 * which an agent keeps private, follow the order of the marks; a listed source that the text never names comes last.
 */
export function citedSources(text: string, sources: readonly Source[]): CitedSource[] {
  const marks = [...new Set([...withoutCode(text).matchAll(MARK)].map((m) => Number(m[1])))]
  const byNumber = new Map(sources.flatMap((s) => (s.n === null ? [] : [[s.n, s] as const])))
  const unnumbered = sources.filter((s) => s.n === null)
  const cited: CitedSource[] = []
  for (const mark of marks) {
    const source = byNumber.get(mark) ?? unnumbered.shift()
    if (source) cited.push({ mark, label: cited.length + 1, source })
  }
  const used = new Set(cited.map((c) => c.source))
  for (const source of sources) {
    if (!used.has(source)) {
      cited.push({ mark: source.n ?? -1, label: cited.length + 1, source })
    }
  }
  return cited
}

/** Labels of the marks while the sources are not known yet. */
export function provisionalLabels(text: string): Map<number, number> {
  const labels = new Map<number, number>()
  for (const match of withoutCode(text).matchAll(MARK)) {
    const mark = Number(match[1])
    if (!labels.has(mark)) labels.set(mark, labels.size + 1)
  }
  return labels
}

function withoutCode(text: string): string {
  return text.replace(/```[\s\S]*?(```|$)|`[^`\n]*`/g, '')
}
