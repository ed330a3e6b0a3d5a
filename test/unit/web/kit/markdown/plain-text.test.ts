import { describe, expect, it } from 'vitest'
import { plainText } from '../../../../../src/web/kit/markdown/plain-text'
import { cpuTime } from '../../../../support/cpu-time'

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

  it('looks for the end of a link nearby: thousands that never end cost a moment', () => {
    const start = cpuTime()
    for (const opening of ['[', '![', '![x]('])
      expect(plainText(opening.repeat(40_000))).toBe(opening.repeat(40_000))
    expect(cpuTime() - start).toBeLessThan(2000)
  })
})
