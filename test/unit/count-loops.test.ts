import { describe, expect, it } from 'vitest'
import { countLoops } from '../support/count-loops'

/** Runs counted code and tells which of its loops, by line, were reached and never ran. */
function faultsOf(code: string, given: Record<string, unknown> = {}): number[] {
  const sites = new Map<number, boolean>()
  const scope = {
    expect: () => {},
    it: { each: (list: unknown[]) => (run: () => void) => list.map(run) },
    loopReached: (site: number, value: { length?: number }, whole = false) => {
      sites.set(site, sites.get(site) || (whole && value.length !== 0))
      return value
    },
    loopRan: (site: number) => sites.set(site, true),
    ...given,
  }
  new Function(...Object.keys(scope), countLoops(code))(...Object.values(scope))
  return [...sites].filter(([, ran]) => !ran).map(([site]) => site)
}

describe('a loop that checks something and runs over nothing', () => {
  it('is reported, whatever its form', () => {
    const forms = [
      'for (const x of list) expect(x)',
      'for (const x of list) { expect(x) }',
      'for (const x of list.filter(Boolean))\n  if (x) { expect(x) }',
      'for (const x in list) expect(x)',
      'for (let i = 0; i < list.length; i++) { expect(list[i]) }',
      'let n = list.length; while (n-- > 0) expect(n)',
      'list.forEach((x) => expect(x))',
      'list.forEach((x) => {\n  expect(x)\n})',
      'it.each(list)(() => expect(1))',
      'list.map((x) => expect(x))',
      'expect(list.flatMap((x) => [expect(x)]))',
      'list.every((x) => x > 1)',
    ]
    for (const form of forms) {
      expect([form, faultsOf(form, { list: [] })]).toEqual([form, [1]])
      expect([form, faultsOf(form, { list: [7] })]).toEqual([form, []])
    }
  })

  it('counts over the whole file: an inner list may be empty now and then, one that is never filled not', () => {
    const nested = 'for (const inner of lists)\n  for (const x of inner)\n    expect(x)'
    expect(faultsOf(nested, { lists: [[], [1], []] })).toEqual([])
    expect(faultsOf(nested, { lists: [[], []] })).toEqual([2])
    expect(faultsOf(nested, { lists: [] })).toEqual([1])
  })

  it('is none where nothing is checked, or where it is not reached', () => {
    expect(faultsOf('for (const x of []) close(x)')).toEqual([])
    expect(faultsOf('expect(expect([])?.map((x) => x))', { expect: (x: unknown) => x })).toEqual([])
    expect(faultsOf('if (false) for (const x of []) expect(x)')).toEqual([])
    expect(faultsOf("(7).toString(); ({}).hasOwnProperty('x')")).toEqual([])
  })

  it('keeps every statement and its line', () => {
    const seen: unknown[] = []
    const code = `outer: for (const x of [1, 2, 3])
  for (const y of [x]) { if (y === 2) break outer; expect(y) }
throw new Error('here')`
    const counted = countLoops(code)
    expect(counted.split('\n').map((line) => line.includes('here'))).toEqual([false, false, true])
    expect(() => faultsOf(code, { expect: (y: unknown) => seen.push(y) })).toThrow('here')
    expect(seen).toEqual([1])
  })
})
