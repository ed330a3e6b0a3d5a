import { describe, expect, it } from 'vitest'
import { plainText } from '../../../../../src/web/kit/markdown/plain-text'
import { growsLinearly } from '../../../../support/grows'

describe('plainText', () => {
  it('says the words without the signs', () => {
    const markdown = `## Returns

You have **30 days** [1], see the [guide](https://a.example).

- _Keep_ the \`receipt_no\`
1. Send it

| Item | Fee |
|---|---|
| Tools | $4 |

\`\`\`bash
run it
\`\`\``
    expect(plainText(markdown)).toBe(
      'Returns\nYou have 30 days, see the guide.\nKeep the receipt_no\nSend it\nItem, Fee\nTools, $4\nrun it',
    )
  })

  it.each(['[', '![', '![x]('])(
    'looks for the end of a link nearby, not for each %s of 40,000',
    async (opening) => {
      const read = (size: number) =>
        expect(plainText(opening.repeat(size))).toBe(opening.repeat(size))
      expect(await growsLinearly(40_000, read)).toBe(true)
    },
  )
})
