import * as z from 'zod'
import type { Source } from '../chat/events'
import type { PlacedPassage } from '../knowledge/types'
import { isAllowedLink } from '../text/safe-url'
import type { SourceInContext } from './read-source'

const Passage = z.object({
  chunk_id: z.string(),
  heading: z.string().nullable(),
  page: z.int().nullable(),
  text: z.string(),
})

export const SourceInContextOut = Passage.extend({
  n: z.int(),
  document_id: z.string(),
  title: z.string(),
  url: z.string().nullable(),
  quotes: z
    .array(z.object({ quote: z.string(), start: z.int(), end: z.int() }))
    .describe('The places of `text` that the reply rests on (UTF-16 offsets).'),
  previous: Passage.nullable(),
  next: Passage.nullable(),
  downloadable: z.boolean().describe('Whether `…/original` gives the file.'),
})

export function presentSourceInContext({ source, context, downloadable }: SourceInContext) {
  const { passage, previous, next, title } = context
  const url = source.url ?? null
  return {
    ...presentPassage(passage),
    n: source.n ?? 0,
    document_id: source.document_id,
    title: title || (source.title ?? ''),
    url: url !== null && isAllowedLink(url) ? url : null,
    quotes: placesIn(source, passage),
    previous: previous && presentPassage(previous),
    next: next && presentPassage(next),
    downloadable,
  }
}

/** What a source quotes, by its place in the passage: a source tells it by its place in the document. */
export function placesIn({ quote, start, end, quotes }: Source, passage: { start: number }) {
  const first = quote == null || start == null || end == null ? [] : [{ quote, start, end }]
  return (quotes ?? first).map((place) => ({
    quote: place.quote,
    start: place.start - passage.start,
    end: place.end - passage.start,
  }))
}

const presentPassage = ({ chunkId, heading, page, text }: PlacedPassage) => ({
  chunk_id: chunkId,
  heading,
  page,
  text,
})
