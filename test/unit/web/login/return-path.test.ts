import { describe, expect, it } from 'vitest'
import { returnPath } from '../../../../src/web/login/return-path'

const ORIGIN = 'https://app.example'
const at = (wanted: string) => returnPath(`?${new URLSearchParams({ return: wanted })}`, ORIGIN)

describe('where the login page goes on (#8.21)', () => {
  it.each(['/a/acme/desk', '/a/acme/desk?lang=ar', '/'])('%s', (path) => {
    expect(at(path)).toBe(path)
  })

  it.each([
    '',
    'a/acme/desk',
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example/',
    '\\\\evil.example/',
    '/\t/evil.example/',
    '/\n//evil.example/',
    '/.//evil.example/',
    '/x/..//evil.example/',
    '/%2e//evil.example/',
    '/.\\/evil.example/',
    'javascript:alert(1)',
    ' /a',
  ])('never elsewhere: %j', (wanted) => {
    const path = at(wanted)
    if (path === null) return
    expect(new URL(path, ORIGIN).origin).toBe(ORIGIN)
    expect(path).toMatch(/^\/(?![/\\])/)
  })

  it('is nowhere without the parameter', () => {
    expect(returnPath('', ORIGIN)).toBeNull()
  })
})
