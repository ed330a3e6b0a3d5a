import { describe, expect, it } from 'vitest'
import { RESERVED_ALIASES } from '../../../../../src/tenants/schema'
import { freeName, nameState } from '../../../../../src/web/console/agents/name-state'
import { agentPath } from '../../../../../src/web/console/agents/paths'
import { aliasOf, aliasState } from '../../../../../src/web/console/agents/share/alias-state'

describe('the name of an agent', () => {
  it.each([
    ['', 'empty'],
    ['  ', 'empty'],
    ['a'.repeat(65), 'long'],
    ['a/b', 'signs'],
    ['a\\b', 'signs'],
    ['..', 'signs'],
    ['draft', 'reserved'],
    ['templates', 'reserved'],
    ['a\u0007', 'signs'],
    ['desk', 'taken'],
    [' desk ', 'taken'],
    ['Empfang 2', 'ok'],
  ])('%j: %s', (name, state) => {
    expect(nameState(name, ['desk'])).toBe(state)
  })

  it('is the wanted one, or the first that is free', () => {
    expect(freeName('desk', [])).toBe('desk')
    expect(freeName('desk', ['desk', 'desk-2'])).toBe('desk-3')
  })

  it('has a place of its own, whatever it is', () => {
    expect(agentPath('new')).not.toBe('/agents/new')
    expect(decodeURIComponent(agentPath('new'))).toBe('/agents/new')
    expect(agentPath('a b', 'share')).toBe('/agents/a%20b/share')
  })
})

describe('an alias while it is written', () => {
  it('is none of the words that the server keeps', () => {
    const free = [...RESERVED_ALIASES].filter((word) => aliasState(word, null, []) === 'free')
    expect(free).toEqual([])
  })

  it.each([
    ['', null, 'none'],
    ['', 'desk', 'free'],
    ['desk', 'desk', 'same'],
    ['de', null, 'short'],
    ['Desk', null, 'signs'],
    ['de_sk', null, 'signs'],
    ['-desk', null, 'edges'],
    ['desk-', null, 'edges'],
    ['shop', null, 'taken'],
    ['help-desk', 'desk', 'free'],
  ] as const)('%j beside %j: %s', (alias, stored, state) => {
    expect(aliasState(alias, stored, ['shop', null])).toBe(state)
  })

  it('is suggested by the name, where its letters may stand in an address', () => {
    expect(aliasOf('Crème & Café')).toBe('creme-cafe')
    expect(aliasOf('مكتب')).toBe('')
    expect(aliasOf('a'.repeat(80))).toHaveLength(63)
  })
})
