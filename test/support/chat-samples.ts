import type { ScriptedFrame } from './chat-server'
import { reply } from './chat-server'

/** A reply that shows everything a reply may show, for looking at and for the accessibility checks. */
export const RICH_TEXT = `You can return most items within **30 days** of delivery [2]. Opened software is excluded [1].

## How to return an item

1. Open your order and choose *Return*.
2. Print the label; the carrier needs the \`RMA_NUMBER\` on it [2].
3. Drop the parcel off.

| Item | Window | Fee |
|---|---|---|
| Tools | 30 days | none |
| Batteries | 14 days | $4.90 |

\`\`\`bash
curl https://acme.example/v1/returns -d order_id=1042
\`\`\`

- Keep the receipt
- See the [returns guide](https://acme.example/returns) or write to [us](mailto:help@acme.example)

> Refunds arrive within five working days [3].`

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

export function richReply(): ScriptedFrame[] {
  return reply(RICH_TEXT, {
    sources: RICH_SOURCES,
    before: [{ event: 'status', data: { stage: 'retrieve' } }],
    done: {
      suggestions: [
        'What if the item is damaged?',
        'Can I exchange instead?',
        'Who pays for the parcel?',
      ],
    },
  })
}
