import { describe, expect, it } from 'vitest'
import { ctaByRule, orderOf, readCta } from '../../../src/chat/cta'

const PROMPT =
  'Invite to [our trial](https://shop.example/trial), or to a call: https://shop.example/call.'

describe('what a model proposes as a call to action', () => {
  const of = (title: unknown, text: unknown = null, url: unknown = null) =>
    JSON.stringify({ title, text, url })
  const card = (text: string | null, url: string | null) => ({ title: 'Try it', text, url })
  const READ: [string, string, ReturnType<typeof card> | null][] = [
    [
      'a link of the prompt',
      of('Try it', 'Free.', 'https://shop.example/trial'),
      card('Free.', 'https://shop.example/trial'),
    ],
    [
      'a link as it ends a sentence there',
      of('Try it', null, 'https://shop.example/call'),
      card(null, 'https://shop.example/call'),
    ],
    ['a fence', `\`\`\`json\n${of('Try it')}\n\`\`\``, card(null, null)],
    ['a foreign link', of('Try it', 'Free.', 'https://evil.example/trial'), card('Free.', null)],
    [
      'a link that only begins like one',
      of('Try it', null, 'https://shop.example/trial/../evil'),
      card(null, null),
    ],
    ['a script', of('Try it', null, 'javascript:alert(1)'), card(null, null)],
    [
      'a link with another host behind @',
      of('Try it', null, 'https://shop.example@evil.example/trial'),
      card(null, null),
    ],
    ['a foreign link in the text', of('Try it', 'See https://evil.example'), card(null, null)],
    ['a host in the text', of('Try it', 'See evil.example/now'), card(null, null)],
    ['a link in the title', of('[Try](https://evil.example)'), null],
    ['hidden signs', of('Try\u202eit'), null],
    ['an essay', of('long '.repeat(30)), null],
    ['no title', of(null, 'Free.', 'https://shop.example/trial'), null],
    ['null', 'null', null],
    ['a list', '[1]', null],
    ['broken JSON', '{"title": "Try', null],
    ['prose', 'You could try it.', null],
    ['nothing', '', null],
  ]
  it.each(READ)('%s', (_name, said, shown) => {
    expect(readCta(said, PROMPT)).toEqual(shown)
  })

  it('is told which links there are, and that there is none', () => {
    expect(orderOf(PROMPT)).toContain('https://shop.example/trial https://shop.example/call')
    expect(orderOf(null)).toContain('"url" is null')
    expect(readCta(of('Try it', null, 'https://shop.example/trial'), null)).toEqual(
      card(null, null),
    )
  })
})

describe('without a model', () => {
  it.each([
    [PROMPT, { title: 'our trial', text: null, url: 'https://shop.example/trial' }],
    [
      '请访问 https://shop.example/试用。',
      { title: 'shop.example', text: null, url: 'https://shop.example/%E8%AF%95%E7%94%A8' },
    ],
    ['Invite to the shop.', null],
    [null, null],
  ])('%s', (prompt, shown) => {
    expect(ctaByRule(prompt)).toEqual(shown)
  })
})
