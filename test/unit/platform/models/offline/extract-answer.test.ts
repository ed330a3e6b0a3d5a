import { describe, expect, it } from 'vitest'
import { extractAnswer } from '../../../../../src/platform/models/offline/extract-answer'
import { IDF, passage } from '../../../../support/passages'

const plain = (answer: string | null) =>
  answer?.replaceAll(/\s*\[(\d+)(?:\|[^\]]*)?\]/g, ' [$1]') ?? null
const ask = (question: string, text: string, heading: string | null = null) =>
  plain(extractAnswer(question, [passage(1, text, { heading })], IDF, 'en'))

describe('an extracted answer', () => {
  it('does not quote a heading whose mark is gone, in any script', () => {
    const text = 'Key rotation\n\nTo rotate the master key, first add the new key to the ring.'
    expect(ask('How do I rotate the master key?', text)).toBe(
      'To rotate the master key, first add the new key to the ring. [1]',
    )
    expect(ask('怎样上传文档？', '上传文档\n\n要上传文档，请发送表单。')).toBe(
      '要上传文档，请发送表单。 [1]',
    )
  })

  it('takes a heading’s words along for the sentence below it', () => {
    const text = 'Opening hours\n\nMonday to Friday, nine to five.\n\nDelivery costs\n\nTwo euros.'
    expect(ask('What are the delivery costs?', text)).toBe('Two euros. [1]')
  })

  it('still quotes a short answer below a question', () => {
    expect(
      ask('Where is the office?', 'Where is the office?\n\nBerlin\n\nWhen is it open?\n\nAlways'),
    ).toContain('Berlin [1]')
  })

  it('leaves the mark of a list item out of running text', () => {
    const text = 'Sizes follow.\n\n- An upload has at most 25 MiB.\n\nLogos are smaller.'
    expect(ask('How large is an upload at most?', text)).toBe('An upload has at most 25 MiB. [1]')
  })
})
