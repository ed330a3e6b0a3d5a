import type { CitedSource } from '../../kit/markdown/citations'

/** A document that a reply cites, with its places in the order of their marks. */
export interface CitedDocument {
  id: string
  title: string | null
  url: string | null
  places: [CitedSource, ...CitedSource[]]
}

/** One entry a document, in the order of its first mark. */
export function byDocument(cited: readonly CitedSource[]): CitedDocument[] {
  const documents = new Map<string, CitedDocument>()
  for (const place of cited) {
    const { documentId, title, url } = place.source
    const known = documents.get(documentId)
    if (known) known.places.push(place)
    else documents.set(documentId, { id: documentId, title, url, places: [place] })
  }
  return [...documents.values()]
}
