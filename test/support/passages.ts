import type { IdfTable, Passage } from '../../src/knowledge/types'

/** A passage for tests of rules: only what a test names differs from these values. */
export function passage(n: number, text: string, more: Partial<Passage> = {}): Passage {
  const start = more.start ?? 0
  return {
    n,
    base: 'guides',
    documentId: `document-${n}`,
    documentName: `guide-${n}.md`,
    chunkId: `chunk-${n}`,
    title: `Guide ${n}`,
    url: null,
    heading: null,
    page: null,
    text,
    start,
    end: start + text.length,
    score: 1 / n,
    distance: 0,
    coverage: 0,
    ...more,
  }
}

/** Function words light, everything else heavy: enough of an idf table for texts of a few sentences. */
export const IDF: IdfTable = {
  common: Object.fromEntries(
    'the a an is are of to in and for it you be on by de la el los en y que le les des et est un une и в на с не 的 是 在 了 和'
      .split(' ')
      .map((word) => [word, 0.3]),
  ),
  rest: 3,
}
