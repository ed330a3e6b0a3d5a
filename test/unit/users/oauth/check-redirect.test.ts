import { describe, expect, it } from 'vitest'
import { checkRedirect } from '../../../../src/users/oauth/check-redirect'

const check = (redirect: string, hosts: string[] = ['help.acme.example']) =>
  checkRedirect('https://app.example', redirect, hosts)

describe('checkRedirect', () => {
  it('takes paths of the app and https addresses of proven hosts, without their fragment', () => {
    expect(check('/a/x?y=1#z')).toBe('https://app.example/a/x?y=1')
    expect(check('/')).toBe('https://app.example/')
    expect(check('https://help.acme.example/back')).toBe('https://help.acme.example/back')
  })

  it.each([
    '//evil.example/',
    '/\\evil.example',
    '\\/evil.example',
    'https:evil.example',
    'http://help.acme.example/',
    'https://help.acme.example:8443/',
    'https://user@help.acme.example/',
    'https://help.acme.example.evil.example/',
    'https://evil.example/',
    'javascript:alert(1)',
    'data:text/html,x',
    '/a\nb',
    '/\t/evil.example',
    'a/b',
    '',
    `/${'a'.repeat(2048)}`,
  ])('refuses %j', (redirect) => {
    expect(check(redirect)).toBe(null)
  })

  it('takes no address of a host that is not proven', () => {
    expect(check('https://help.acme.example/back', [])).toBe(null)
  })
})
