import { describe, expect, it } from 'vitest'
import { withSources } from '../../../../../src/web/chat/app/with-sources'
import type { Locale } from '../../../../../src/web/chat/i18n'
import { newReply } from '../../../../../src/web/chat/model/chat'
import { sourceList } from '../../../../../src/web/kit/turn/frames'

const locale = { t: () => 'Sources' } as unknown as Locale
const replyWith = (text: string, sources: unknown) => ({
  ...newReply('r', 0),
  text,
  sources: sourceList(sources),
})

describe('a downloaded reply', () => {
  it('names each document that it rests on, once (#14.8)', () => {
    const sources = [
      { n: 1, title: 'Returns', document_id: 'a' },
      { n: 2, title: 'Returns', document_id: 'a' },
      { n: 3, title: 'Terms', document_id: 'b' },
    ]
    expect(withSources(replyWith('**Yes** [1][2]. No [3].', sources), locale)).toBe(
      'Yes. No.\n\nSources:\n- Returns\n- Terms',
    )
  })

  it('is the words alone where there are none, or none that may be shown (#14.8)', () => {
    expect(withSources(replyWith('Hello.', []), locale)).toBe('Hello.')
    expect(withSources(replyWith('Hello [1].', [{ n: 1 }]), locale)).toBe('Hello.')
  })
})
