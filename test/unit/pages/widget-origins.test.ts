import { describe, expect, it } from 'vitest'
import { frameAncestors } from '../../../src/pages/widget-origins'

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
