import { describe, expect, it } from 'vitest'
import { bareText, findSentence } from '../../../../../src/web/chat/proof/sentences'

const find = (reply: string, sentence: string, shown: string) => {
  const start = reply.indexOf(sentence)
  const bare = bareText(shown)
  const found = findSentence(reply, { start, end: start + sentence.length }, bare.text)
  if (found === null) return null
  return shown.slice(bare.at[found.from], (bare.at[found.to - 1] ?? 0) + 1)
}

describe('findSentence', () => {
  it('finds a sentence below its Markdown', () => {
    const reply = 'Hello. You can **return** it within [30 days](https://x.example/a_b) [2]. Bye.'
    const sentence = 'You can **return** it within [30 days](https://x.example/a_b) [2].'
    const shown = 'Hello. You can return it within 30 days 2. Bye.'
    expect(find(reply, sentence, shown.replace(' 2', ''))).toBe('You can return it within 30 days')
  })

  it('leaves out the signs of a list, a heading and code', () => {
    const reply = '## Steps\n\n1. Open it.\n2. Print `RMA_1`.\n\n```sh\ncurl x\n```\nDone now.'
    const shown = 'StepsOpen it.Print RMA_1.curl xDone now.'
    expect(find(reply, '2. Print `RMA_1`.', shown)).toBe('Print RMA_1')
    expect(find(reply, 'Done now.', shown)).toBe('Done now')
    expect(find(reply, '```sh\ncurl x\n```', shown)).toBe('curl x')
  })

  it('takes the one in its place of two that say the same', () => {
    const filler = 'And so on, word after word, for quite a while until it is said once more. '
    const text = `It is so. ${filler.repeat(3)}It is so.`
    const end = text.length
    const found = findSentence(text, { start: end - 9, end }, bareText(text).text)
    expect(bareText(text).at[found?.from ?? 0]).toBe(end - 9)
  })

  it('knows every script, and characters of two units', () => {
    const reply = '退款需要**五个**工作日。𠮷野家在那里。'
    expect(find(reply, '退款需要**五个**工作日。', '退款需要五个工作日。𠮷野家在那里。')).toBe(
      '退款需要五个工作日',
    )
    expect(find(reply, '𠮷野家在那里。', '退款需要五个工作日。𠮷野家在那里。')).toBe('𠮷野家在那里')
  })

  it('finds nothing where nothing of it is shown', () => {
    expect(find('[1]', '[1]', 'x')).toBeNull()
    expect(find('Here.', 'Here.', 'There')).toBeNull()
  })
})
