import { TrieRouter } from 'hono/router/trie-router'
import { describe, expect, it } from 'vitest'
import { LiteralRouter } from '../../../src/http/literal-router'

const TABLE = [
  ['ALL', '*', 'all'],
  ['ALL', '/v1/chat/*', 'below chat'],
  ['POST', '/v1/chat', 'chat'],
  ['GET', '/v1/chat', 'read'],
  ['GET', '/v1/:name', 'named'],
] as const
const ASKED = [
  ['POST', '/v1/chat'],
  ['GET', '/v1/chat'],
  ['DELETE', '/v1/chat'],
  ['GET', '/v1/else'],
  ['GET', '/v1/chat/deeper'],
] as const

function routers() {
  const literal = new LiteralRouter<string>(new Set(['/v1/chat']))
  const tree = new TrieRouter<string>()
  for (const [method, path, handler] of TABLE) {
    literal.add(method, path, handler)
    tree.add(method, path, handler)
  }
  return { literal, tree }
}

describe('a router that remembers literal paths', () => {
  it('finds what the tree finds, by method and path, the first time and again', () => {
    const { literal, tree } = routers()
    for (const [method, path] of [...ASKED, ...ASKED])
      expect(literal.match(method, path), `${method} ${path}`).toEqual(tree.match(method, path))
  })

  it('keeps no path that somebody made up', () => {
    const { literal } = routers()
    expect(literal.match('GET', '/v1/chat')).toBe(literal.match('GET', '/v1/chat'))
    expect(literal.match('GET', '/v1/else')).not.toBe(literal.match('GET', '/v1/else'))
  })

  it('finds what was added after the first look', () => {
    const { literal } = routers()
    const before = literal.match('GET', '/v1/chat')[0].length
    literal.add('GET', '/v1/chat', 'later')
    expect(literal.match('GET', '/v1/chat')[0]).toHaveLength(before + 1)
  })
})
