export const RICH_SOURCES = [
  {
    document_id: 'doc-1',
    n: 1,
    title: 'Terms of sale',
    url: null,
    page: 12,
    quote: 'Software whose seal has been broken cannot be returned.',
    distance: 0.31,
  },
  {
    document_id: 'doc-2',
    n: 2,
    title: 'Returns and exchanges',
    url: 'https://acme.example/returns',
    page: null,
    quote: 'Most items may be returned within 30 days of delivery. A printed label is required.',
    distance: 0.12,
  },
  {
    document_id: 'doc-3',
    n: 3,
    title: 'Payment and refunds handbook for shops, counters and the online store',
    url: 'https://acme.example/refunds',
    page: 4,
    quote: 'Refunds are made to the original payment method within five working days.',
    distance: 0.2,
  },
]

/** What the API tells of a source in its context. */
export function contextOf(n: number) {
  const source = RICH_SOURCES[n - 1] ?? RICH_SOURCES[0]
  if (!source) throw new Error('There are no sources')
  const lead = 'This page says what holds in all shops and in the online store.\n\n'
  return {
    n,
    document_id: source.document_id,
    chunk_id: `chunk-${n}`,
    title: source.title,
    // A document that has no heading but its title.
    heading: n === 2 ? source.title : 'What holds in every shop',
    page: source.page,
    url: source.url,
    text: `${lead}${source.quote} Whoever is in doubt asks at the counter, where the order is looked up.`,
    quotes: [{ quote: source.quote, start: lead.length, end: lead.length + source.quote.length }],
    previous: { chunk_id: 'before', heading: null, page: null, text: 'Words of the page before.' },
    next: n === 3 ? null : { chunk_id: 'after', heading: null, page: null, text: 'Words after.' },
    downloadable: n === 1,
  }
}
