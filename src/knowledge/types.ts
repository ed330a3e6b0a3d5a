/** A part of a document's text that is indexed, retrieved and cited as one. Offsets count characters of the extracted text. */
export interface Chunk {
  n: number
  text: string
  heading: string | null
  /** Other ways to ask what stands here (see `text/phrasings.ts`). */
  phrasings?: string | null
  page: number | null
  start: number
  end: number
}

/** A structural part of a parsed document, in reading order; offsets into `ParsedDocument.text`. */
export type Block =
  | { kind: 'heading'; level: number; start: number; end: number; phrasings?: string[] }
  | { kind: 'paragraph' | 'list' | 'table' | 'code'; start: number; end: number }

/** What every reader returns, whatever the file format. */
export interface ParsedDocument {
  title: string | null
  text: string
  blocks: Block[]
  /** Offset of each page's first character where the format has pages, else null. */
  pageStarts: number[] | null
}

/** One hit of a base's search. `distance` is 1 − cosine, or 1 − coverage where the base has no vectors. */
export interface SearchHit {
  documentId: string
  documentName: string
  chunkId: string
  title: string
  url: string | null
  heading: string | null
  /** As in `Chunk`. */
  phrasings?: string | null
  page: number | null
  text: string
  start: number
  end: number
  score: number
  distance: number
  /** Share of the question's idf mass found in this chunk, 0 to 1. */
  coverage: number
}

/** A retrieved chunk as one turn sees it: numbered for citation, tagged with its base. */
export interface Passage extends SearchHit {
  n: number
  base: string
}

/** A passage as it stands in its document, between the one before and the one after it. */
export interface PassageInContext {
  /** Of the document, whose original is stored under it. */
  version: string
  title: string
  passage: PlacedPassage
  previous: PlacedPassage | null
  next: PlacedPassage | null
}

export type PlacedPassage = Pick<
  SearchHit,
  'chunkId' | 'heading' | 'page' | 'text' | 'start' | 'end'
>

/** idf of a base's most frequent tokens; every other token weighs `rest`. Lets a caller weigh sentences without another call. */
export interface IdfTable {
  common: Record<string, number>
  rest: number
}

/** What a base answers: the table is left out where the caller has its edition. */
export type FoundPassages = Omit<SearchResult, 'idf'> & { idf: IdfTable | null; edition: string }

export interface SearchResult {
  hits: SearchHit[]
  idf: IdfTable
  /** Best coverage and best cosine among the hits; the gate looks at the cosine. */
  coverage: number
  cosine: number | null
  embedder: string | null
}
