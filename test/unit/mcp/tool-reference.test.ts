import { describe, expect, it } from 'vitest'
import { takeTools } from '../../../src/mcp/facts'
import { resultText } from '../../../src/mcp/result-text'
import {
  currentReference,
  isReferred,
  modelName,
  parseReference,
} from '../../../src/mcp/tool-reference'

describe('parseReference', () => {
  it.each<[string, ReturnType<typeof parseReference>]>([
    ['mcp:files', { server: 'files', tool: null }],
    ['mcp:files/read', { server: 'files', tool: 'read' }],
    ['mcp:my files/a/b', { server: 'my files', tool: 'a/b' }],
    ['mcp:', null],
    ['mcp:/read', null],
    ['mcp:files/', null],
    ['weather', null],
    ['MCP:files', null],
  ])('%s', (text, reference) => {
    expect(parseReference(text)).toEqual(reference)
  })
})

describe('currentReference', () => {
  const shop = { id: 's1', name: 'shop', formerNames: ['store', 'kiosk'] }
  const other = { id: 's2', name: 'store', formerNames: ['kiosk'] }
  it.each([
    ['what has the id has the name', { store: 's1' }, 'mcp:store/buy', 'mcp:shop/buy'],
    ['a whole server too', { store: 's1' }, 'mcp:store', 'mcp:shop'],
    ['without an id, who has the name now', undefined, 'mcp:store/buy', 'mcp:store/buy'],
    ['the same where the id’s server is gone', { store: 's0' }, 'mcp:store/buy', 'mcp:store/buy'],
    ['then who had it, the first of them', {}, 'mcp:kiosk/a/b', 'mcp:shop/a/b'],
    ['nobody', {}, 'mcp:stall/buy', 'mcp:stall/buy'],
    ['a tool of our own', { weather: 's1' }, 'weather', 'weather'],
  ])('%s', (_why, ids, reference, current) => {
    expect(currentReference(reference, ids, [shop, other])).toBe(current)
  })
})

describe('isReferred', () => {
  it('by the whole server or by the tool, by no part of a name', () => {
    expect(isReferred(['mcp:files'], 'files', 'read')).toBe(true)
    expect(isReferred(['mcp:files/read'], 'files', 'read')).toBe(true)
    expect(isReferred(['mcp:files/read'], 'files', 'rea')).toBe(false)
    expect(isReferred(['mcp:files/re'], 'files', 'read')).toBe(false)
    expect(isReferred(['mcp:file'], 'files', 'read')).toBe(false)
  })
})

describe('modelName', () => {
  it('is a function name that no built-in tool has, unlike every other', () => {
    const taken = new Set<string>()
    const names = [
      modelName('files', 'read', taken),
      modelName('files', 'read!', taken),
      modelName('fi les', 'read', taken),
      modelName('fi\tles', 'read', taken),
      modelName('文件', '读', taken),
      modelName('名前', '読', taken),
      modelName('x'.repeat(64), 'y'.repeat(128), taken),
      modelName('x'.repeat(64), 'z'.repeat(128), taken),
    ]
    expect(names.slice(0, 4)).toEqual([
      'mcp_files_read',
      'mcp_files_read_',
      'mcp_fi_les_read',
      'mcp_fi_les_read_2',
    ])
    expect(new Set(names).size).toBe(names.length)
    for (const name of names) expect(name).toMatch(/^mcp_[A-Za-z0-9_-]{0,60}$/)
  })
})

describe('takeTools', () => {
  const tool = (name: string, length = 10) => ({
    name,
    description: 'x'.repeat(length),
    notes: '',
    schema: {},
    hash: name,
  })
  it('takes what is referred to, as far as there is room', () => {
    const tools = [tool('a'), tool('big', 1000), tool('b'), tool('c'), tool('other')]
    const references = ['a', 'big', 'b', 'c'].map((name) => `mcp:s/${name}`)
    const [taken, room] = takeTools(tools, 's', references, { tools: 2, characters: 100 })
    expect(taken.map(({ name }) => name)).toEqual(['a', 'b'])
    expect(room).toEqual({ tools: 0, characters: 76 })
  })
})

describe('resultText', () => {
  it('joins what can be read and names what cannot', () => {
    expect(
      resultText({
        content: [
          { type: 'text', text: 'One.' },
          { type: 'image', data: 'aGk=', mimeType: 'image/png' },
          { type: 'resource', resource: { uri: 'a:b', text: 'Two.' } },
          { type: 'resource', resource: { uri: 'a:b', blob: 'aGk=', mimeType: 'application/pdf' } },
          { type: 'resource_link', name: 'Three', uri: 'https://example.com/3' },
        ],
      }).split('\n'),
    ).toEqual([
      'One.',
      '[image that cannot be shown here: image/png]',
      'Two.',
      '[a file that cannot be read here: application/pdf]',
      'Three: https://example.com/3',
    ])
    expect(resultText({ content: [], structuredContent: { sum: 42 } })).toBe('{"sum":42}')
  })
})
