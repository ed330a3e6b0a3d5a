import { describe, expect, it } from 'vitest'
import { changedFields, lineDiff } from '../../../../src/web/console/parts/find-changes'

describe('what differs between two states', () => {
  it('is told field by field, lists as wholes, and what is missing too', () => {
    const before = { name: 'a', limits: { tokens: 1, turns: 2 }, tools: ['x'], gone: true }
    const after = { name: 'a', limits: { tokens: 5, turns: 2 }, tools: ['x', 'y'], fresh: null }
    expect(changedFields(before, after)).toEqual([
      { path: 'limits.tokens', from: 1, to: 5 },
      { path: 'tools', from: ['x'], to: ['x', 'y'] },
      { path: 'gone', from: true, to: undefined },
      { path: 'fresh', from: undefined, to: null },
    ])
    expect(changedFields(null, { a: 1 })).toEqual([{ path: '', from: null, to: { a: 1 } }])
    expect(changedFields(after, structuredClone(after))).toEqual([])
  })

  it('shows changed lines with those beside them', () => {
    const before = ['1', '2', '3', '4', '5', '6', '7', '8'].join('\n')
    const after = ['1', '2', '3', '4', 'five', '6', '7', '8', '9'].join('\n')
    const shown = lineDiff(before, after).map(({ kind, text }) => `${kind} ${text}`)
    expect(shown).toEqual([
      'same 3',
      'same 4',
      'removed 5',
      'added five',
      'same 6',
      'same 7',
      'same 8',
      'added 9',
    ])
    expect(lineDiff('', 'new')).toEqual([{ kind: 'added', text: 'new' }])
    expect(lineDiff('same', 'same')).toEqual([])
  })

  it('of texts of thousands of lines is told without comparing each with each', () => {
    const long = Array.from({ length: 5000 }, (_, i) => `line ${i}`).join('\n')
    expect(lineDiff(long, `${long}\nend`)).toHaveLength(10_001)
  })
})
