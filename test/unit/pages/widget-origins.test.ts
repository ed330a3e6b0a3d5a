import { describe, expect, it } from 'vitest'
import { frameAncestors, isRefused } from '../../../src/pages/widget-origins'

describe('frameAncestors', () => {
  it('lets any site in while the tenant names none (#14.1)', () => {
    expect([undefined, null].map(frameAncestors)).toEqual(['*', '*'])
  })

  it('lets in the sites that the tenant names, subdomains too where it says so (#14.1)', () => {
    const origins = ['https://Shop.example/', 'https://*.shop.example', 'http://localhost:8080']
    expect(frameAncestors(origins)).toBe(
      'https://shop.example https://*.shop.example http://localhost:8080',
    )
    expect(frameAncestors('https://shop.example')).toBe('https://shop.example')
  })

  it.each([
    [[]],
    [''],
    [['*']],
    [[7]],
    [{}],
    [['shop.example']],
    [['https://a.example; script-src *']],
    [['https://a.example https://b.example']],
    [['https://a.example,https://b.example']],
    [['javascript:alert(1)']],
  ])('lets nobody in where it names no site that could be: %j (#14.1)', (origins) => {
    expect(frameAncestors(origins)).toBe("'none'")
  })

  it('keeps the good among the bad (#14.1)', () => {
    expect(frameAncestors(['*', 'https://shop.example', "'self'"])).toBe('https://shop.example')
  })
})

describe('isRefused', () => {
  const origins = ['https://shop.example', 'http://*.old.example', 'https://far.example:8443', '*']

  it.each([
    ['https://shop.example/', false],
    ['http://shop.example/', true],
    ['https://evil-shop.example/', true],
    ['https://shop.example.evil.example/', true],
    ['http://a.b.old.example/path', false],
    ['https://a.old.example/', false],
    ['http://old.example/', true],
    ['https://far.example:8443/', false],
    ['https://far.example/', true],
    ['not an address', false],
    [undefined, false],
  ])('says of %s what the browser will do: %s (#14.1)', (referrer, refused) => {
    expect(isRefused(origins, referrer)).toBe(refused)
  })

  it('refuses no site while none is named, and each where none could be (#14.1)', () => {
    expect(isRefused(undefined, 'https://shop.example/')).toBe(false)
    expect(isRefused([], 'https://shop.example/')).toBe(true)
  })
})
