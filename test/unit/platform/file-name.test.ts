import { describe, expect, it } from 'vitest'
import { fileName, textName } from '../../../src/platform/uploads/file-name'

describe('what an upload is called', () => {
  it.each([
    ['invoice\u202efdp.txt', 'invoicefdp.txt', 'invoicefdp.txt.txt'],
    ['a\u2066b\u2069\u202a\u202b\u202c\u202d.md', 'ab.md', 'ab.md.txt'],
    ['\u202e', 'document', '.txt'],
    ['دليل\u200f.pdf', 'دليل\u200f.pdf', 'دليل\u200f.pdf.txt'],
    ['C:\\temp\\cafe\u0301.md ', 'café.md', 'C: temp café.md.txt'],
  ])('turns no direction: %j', (name, file, text) => {
    expect([fileName(name), textName(name)]).toEqual([file, text])
  })

  it('keeps its extension however long it is', () => {
    const long = fileName(`${'long '.repeat(60)}.xlsx`)
    expect(long).toMatch(/^long .*\.xlsx$/)
    expect(long.length).toBeLessThanOrEqual(200)
  })
})
