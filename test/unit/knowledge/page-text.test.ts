import { describe, expect, it } from 'vitest'
import { toUtf8 } from '../../../src/knowledge/page-text'

const bytes = (hex: string) => new Uint8Array(Buffer.from(hex, 'hex'))
/** Привет, in Windows-1251. */
const HELLO = 'cff0e8e2e5f2'
const within = (head: string, hex: string) =>
  new Uint8Array(Buffer.concat([Buffer.from(head, 'latin1'), Buffer.from(hex, 'hex')]))
const read = (input: Uint8Array<ArrayBuffer>, type: string) =>
  Buffer.from(toUtf8(input, type)).toString()

describe('toUtf8', () => {
  it.each([
    ['text/plain; charset=windows-1251', HELLO, 'Привет'],
    ['text/html;charset="CP1251"', HELLO, 'Привет'],
    ['text/csv; header=present; charset=koi8-r', 'f0d2c9d7c5d4', 'Привет'],
    ['text/html; charset=euc-kr', 'b9ddbcdb', '반송'],
    ['text/html; charset=gb2312', 'cdcbbbf5', '退货'],
    ['application/xhtml+xml; charset=iso-8859-1', '4772f6df65', 'Größe'],
  ])('reads %s', (type, hex, text) => {
    expect(read(bytes(hex), type)).toBe(text)
  })

  it.each([
    '<html><head><meta charset="windows-1251">',
    "<meta content='text/html; charset=windows-1251' http-equiv='Content-Type'>",
    '<META CHARSET = windows-1251 >',
  ])('asks the page itself: %s', (head) => {
    expect(read(within(head, HELLO), 'text/html')).toBe(`${head}Привет`)
  })

  it.each([
    ['no encoding named', 'text/plain', HELLO],
    ['one that nobody knows', 'text/html; charset=klingon', HELLO],
    ['UTF-8', 'text/html; charset=utf-8', HELLO],
    ['bytes that are not of it', 'text/html; charset=shift_jis', 'ff80'],
    ['a mark of UTF-16', 'text/html; charset=windows-1251', 'fffe3f04'],
    ['no text', 'application/pdf; charset=windows-1251', HELLO],
    ['a page’s word in a text', 'text/plain', Buffer.from('<meta charset=koi8-r>').toString('hex')],
  ])('leaves the bytes where it finds %s', (_, type, hex) => {
    expect(toUtf8(bytes(hex), type)).toEqual(bytes(hex))
  })
})
