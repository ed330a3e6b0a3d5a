import { describe, expect, it } from 'vitest'
import {
  headerChanges,
  headerRows,
  isHalf,
  newHeader,
} from '../../../../../src/web/console/mcp/headers'
import { changeOf, shareOf } from '../../../../../src/web/console/mcp/server'

describe('what an agent has of a server', () => {
  it('is all of it, some tools or nothing; another server of a longer name is another one', () => {
    expect(shareOf(['weather', 'mcp:desk'], 'desk')).toEqual({ kind: 'all' })
    expect(shareOf(['mcp:desk/find', 'mcp:desk/a/b'], 'desk')).toEqual({
      kind: 'some',
      tools: ['find', 'a/b'],
    })
    expect(shareOf(['mcp:desk two', 'mcp:desk two/find', 'weather'], 'desk')).toEqual({
      kind: 'none',
    })
  })

  it('is changed by what is added and taken away alone', () => {
    const tools = ['weather', 'mcp:desk/find', 'mcp:desk/book', 'mcp:desk two']
    expect(changeOf(tools, 'desk', { kind: 'all' })).toEqual({
      tools_add: ['mcp:desk'],
      tools_remove: ['mcp:desk/find', 'mcp:desk/book'],
    })
    expect(changeOf(tools, 'desk', { kind: 'some', tools: ['find', 'list'] })).toEqual({
      tools_add: ['mcp:desk/list'],
      tools_remove: ['mcp:desk/book'],
    })
    expect(changeOf(['mcp:desk'], 'desk', { kind: 'none' })).toEqual({
      tools_add: [],
      tools_remove: ['mcp:desk'],
    })
  })
})

describe('headers', () => {
  it('stored ones stay unless they are replaced or taken away', () => {
    const [kept, replaced, gone] = headerRows(['A', 'B', 'C'])
    const rows = [
      { ...newHeader(), ...kept },
      { ...newHeader(), ...replaced, value: 'new' },
      { ...newHeader(), ...gone, isRemoved: true },
      { ...newHeader(' D '), value: 'four' },
      newHeader(),
    ]
    expect(headerChanges(rows)).toEqual({ B: 'new', C: null, D: 'four' })
    expect(headerChanges(headerRows(['A']))).toEqual({})
  })

  it('one that is begun asks for its other half', () => {
    expect(isHalf(newHeader('Authorization'))).toBe(true)
    expect(isHalf({ ...newHeader(), value: 'Bearer x' })).toBe(true)
    expect([newHeader(), newHeader('A', true)].map(isHalf)).toEqual([false, false])
  })
})
