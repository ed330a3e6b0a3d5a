import type { CitedSource } from '../chat/check'
import type { Source } from '../chat/events'
import { isAllowedLink } from '../text/safe-url'

/** A cited passage with every field; `hideDetails` takes away what only tenants and public sources show. */
export function presentSource(cited: CitedSource): Source {
  const { passage } = cited
  return {
    document_id: passage.documentId,
    distance: Math.round(passage.distance * 10_000) / 10_000,
    n: cited.n,
    chunk_id: passage.chunkId,
    title: passage.title || passage.documentName,
    heading: passage.heading,
    url: passage.url !== null && isAllowedLink(passage.url) ? passage.url : null,
    page: passage.page,
    quote: cited.quote,
    start: cited.start,
    end: cited.end,
    quotes: cited.spans,
  }
}

/** The same sources for a text in which `place` tells where each character of the checked one is. */
export function moveSentences(
  cited: readonly CitedSource[],
  place: (offset: number) => number,
): CitedSource[] {
  return cited.map((source) => ({
    ...source,
    spans: source.spans.map((span) => ({
      ...span,
      sentences: span.sentences.map(({ start, end }) => ({ start: place(start), end: place(end) })),
    })),
  }))
}

/** To end users of an agent without public sources: ids, distance and the mark's number. */
export function hideDetails(source: Source): Source {
  return {
    document_id: source.document_id,
    distance: source.distance,
    ...(source.n === undefined ? {} : { n: source.n }),
  }
}
