import { describe, expect, it } from 'vitest'
import { readTitle } from '../../../src/sessions/read-title'
import { cutText } from '../../../src/text/cut'
import { growsLinearly } from '../../support/grows'

describe('the title that a model wrote', () => {
  it.each([
    ['Returning a kettle', 'Returning a kettle'],
    ['"Returning a kettle."', 'Returning a kettle'],
    ['**Title:** Returning a kettle', 'Returning a kettle'],
    ['# Returning a kettle', 'Returning a kettle'],
    ['Sure! Here is a title:\n\n"Returning a kettle"', 'Returning a kettle'],
    ['Returning a kettle\n\nLet me know if you want another.', 'Returning a kettle'],
    ['标题：退货\n', '退货'],
    ['«Возврат чайника»', 'Возврат чайника'],
    ['Returning\t a  kettle', 'Returning a kettle'],
    ['Here it is:', 'Here it is'],
    ['می\u200cخواهم برگردانم', 'می\u200cخواهم برگردانم'],
    ['क्\u200dष और 👩\u200d💻', 'क्\u200dष और 👩\u200d💻'],
    ['Re\u200dturning\u202e a \u200ckettle', 'Returning a kettle'],
    ['  \n ', ''],
  ])('%j', (text, title) => {
    expect(readTitle(text)).toBe(title)
  })

  it.each(['”', ' ', '_'])('is bared in one pass, however many %j stand in it', async (sign) => {
    const read = (size: number) => expect(readTitle(`a${sign.repeat(size)}b`)).toMatch(/^a.+b$/)
    expect(await growsLinearly(16_000, read)).toBe(true)
  })

  it('is cut without half a character', () => {
    expect(cutText('ab😀', 3)).toBe('ab')
    expect(cutText('ab😀', 4)).toBe('ab😀')
    expect(cutText('ab', 9)).toBe('ab')
  })
})
