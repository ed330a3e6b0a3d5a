import parseRobots from 'robots-parser'
import { describe, expect, it } from 'vitest'
import { readRobots } from '../../../../src/knowledge/read/read-robots'
import { growsLinearly } from '../../../support/grows'

const ORIGIN = 'https://site.example'
const at = (path: string) => new URL(ORIGIN + path)
const rules = (...lines: string[]) => readRobots(ORIGIN, ['User-agent: *', ...lines].join('\n'))

describe('robots.txt', () => {
  it.each([
    ['a path that begins so', ['Disallow: /private'], '/private/a', false],
    ['another path', ['Disallow: /private'], '/public', true],
    ['the longest rule', ['Disallow: /a', 'Allow: /a/b'], '/a/b/c', true],
    ['of two as long the one that allows', ['Disallow: /a', 'Allow: /a'], '/a', true],
    ['a star', ['Disallow: /*.pdf'], '/guides/a.pdf?x', false],
    ['a whole path', ['Disallow: /*.pdf$'], '/guides/a.pdf?x', true],
    ['a whole path without a star', ['Disallow: /a$'], '/a', false],
    ['no path shorter than its ends', ['Disallow: /aba*ba$'], '/aba', true],
    ['escapes in small and capital letters', ['Disallow: /%c3%a9'], '/é', false],
    ['nothing behind the colon', ['Disallow:'], '/a', true],
  ])('%s', (_, lines, path, allowed) => {
    expect(rules(...lines).allows(at(path))).toBe(allowed)
  })

  it('what is said to us goes before what is said to all', () => {
    const text =
      'User-agent: *\nDisallow: /\n\nUser-agent: Other\nUser-agent: Parley/1.0\nAllow: /a'
    expect(readRobots(ORIGIN, text).allows(at('/b'))).toBe(true)
    expect(readRobots(ORIGIN, text.replace('Parley', 'Nobody')).allows(at('/b'))).toBe(false)
  })

  it('tells the pace within bounds, and the maps', () => {
    const { delayS, sitemaps } = rules('Crawl-delay: 2.5', 'Sitemap: /map.xml # all')
    expect(delayS).toBe(3)
    expect(sitemaps.map(String)).toEqual([`${ORIGIN}/map.xml`])
    expect(rules('Crawl-delay: 9000').delayS).toBe(30)
  })

  it('reads as another reader does', () => {
    const signs = ['a', 'b', '/', '*', '**', '?', '%c3', 'é', '$', '.']
    let state = 7
    const any = <T>(list: readonly T[]): T => {
      state = (state * 48_271) % 2_147_483_647
      return list[state % list.length] as T
    }
    const word = () => Array.from({ length: any([0, 1, 2, 4, 6]) }, () => any(signs)).join('')
    const line = () =>
      any([
        `User-agent: ${any(['*', 'Parley', 'parley/1.0 # us', 'other'])}`,
        `Allow: /${word()}`,
        `Disallow: /${word()}`,
        `Disallow:${any(['', ' ', ` ${word()}`])}`,
        `Crawl-delay: ${any(['3', 'x', '2.5'])}`,
        'words',
      ])
    for (let n = 0; n < 3000; n++) {
      const text = ['User-agent: *', line(), line(), line(), line()].join(any(['\n', '\r\n']))
      const [ours, theirs] = [readRobots(ORIGIN, text), parseRobots(`${ORIGIN}/robots.txt`, text)]
      const url = at(`/${word().replaceAll('*', 'b')}`)
      const wanted = theirs.isAllowed(url.href, 'Parley') !== false
      expect(ours.allows(url), `${JSON.stringify(text)} ${url}`).toBe(wanted)
    }
  })

  it.each([
    ['stars', 'Disallow: /', '*'],
    ['stars between letters', 'Disallow: /', '*a'],
    ['rules', '', 'Disallow: /*a*b\n'],
  ])('looks at 500 addresses in time for 130,000 signs of %s', async (_, opening, piece) => {
    const look = (size: number) => {
      const robots = rules(`${opening}${piece.repeat(size / piece.length)}b`)
      for (let n = 0; n < 500; n++) robots.allows(at(`/${'a'.repeat(size / 65)}${n}`))
    }
    expect(await growsLinearly(130_000, look)).toBe(true)
  })

  it.each(['other', '*'])('keeps no rule for each of the thousands called %s', async (name) => {
    const read = (size: number) => {
      const names = Array.from(
        { length: size },
        (_, n) => `User-agent: ${name}${name === '*' ? '' : n}`,
      )
      const robots = readRobots(ORIGIN, [...names, ...Array(size).fill('Disallow: /a')].join('\n'))
      expect(robots.allows(at('/a'))).toBe(name !== '*')
    }
    // Each with rules of its own, these are four million.
    expect(await growsLinearly(2000, read)).toBe(true)
  })
})
