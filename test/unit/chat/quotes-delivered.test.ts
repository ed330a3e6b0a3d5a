import { describe, expect, it } from 'vitest'
import { createChecker } from '../../../src/chat/check'
import { createReplySanitizer } from '../../../src/chat/sanitize-reply'
import { moveSentences } from '../../../src/wire/present-source'
import { IDF, passage } from '../../support/passages'

const PASSAGES = [
  passage(1, 'Refunds are paid within five working days. They go back to the card used.', {
    start: 100,
  }),
  passage(2, 'Open the settings page. Press reset password. The file limit is 25 MB.'),
]

/** A reply as it is delivered: checked, then made safe to show. */
function deliver(reply: string, step = reply.length) {
  const checker = createChecker({ passages: PASSAGES, idf: IDF, grounded: true })
  const sanitizer = createReplySanitizer({ imagePrefixes: [] })
  let text = ''
  for (let at = 0; at < reply.length; at += step)
    for (const piece of checker.push(reply.slice(at, at + step))) text += sanitizer.push(piece.text)
  const { pieces, cited } = checker.end()
  for (const piece of pieces) text += sanitizer.push(piece.text)
  text += sanitizer.end()
  return { text, cited: moveSentences(cited, (offset) => sanitizer.placeOf(offset)) }
}

const REPLY =
  '## Refunds\n\nRefunds are <script> paid within five working days [1]. ![x](https://e.example/x.png)\n\n- The file limit is 25 MB [2|file limit is 25 MB]\n- Press reset password (2).\n\nThey go back to the card used ¹.'

describe('delivered quotes', () => {
  it('every marked sentence has the place that it rests on', () => {
    const { text, cited } = deliver(REPLY)
    const sentences = cited.flatMap(({ n, spans }) =>
      spans.flatMap((span) =>
        span.sentences.map(({ start, end }) => [n, span.quote, text.slice(start, end)]),
      ),
    )
    expect(sentences).toEqual([
      [
        1,
        'Refunds are paid within five working days.',
        'Refunds are \\<script> paid within five working days [1].',
      ],
      [1, 'They go back to the card used.', 'They go back to the card used [1].'],
      [2, 'file limit is 25 MB', 'The file limit is 25 MB [2]'],
      [2, 'Press reset password.', 'Press reset password [2].'],
    ])
    for (const { spans, passage: source } of cited)
      for (const { quote, start, end } of spans)
        expect(source.text.slice(start - source.start, end - source.start)).toBe(quote)
  })

  it('are the same however the stream is cut', () => {
    for (const step of [1, 3, 17]) expect(deliver(REPLY, step)).toEqual(deliver(REPLY))
  })
})
