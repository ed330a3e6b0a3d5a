import { describe, expect, it } from 'vitest'
import {
  cleanDraft,
  cleanTranslations,
  type Draft,
  draftWarnings,
  menuChips,
} from '../../../../../src/web/console/agents/build/draft'
import {
  choose,
  chosenOf,
  serverUse,
  setServerUse,
  unknownTools,
} from '../../../../../src/web/console/agents/build/tool-choices'
import { readImport } from '../../../../../src/web/console/agents/read-import'
import { changedElsewhere } from '../../../../../src/web/console/parts/changed-elsewhere'

const SHOP = {
  id: '1',
  name: 'shop',
  enabled: true,
  tools: [
    { name: 'find', description: '' },
    { name: 'order', description: '' },
  ],
}

describe('what is sent of a draft', () => {
  it('unsets what was left empty, and keeps what was not touched away', () => {
    expect(cleanDraft({ greeting: ' ', model: '', soul: '', menu_items: ['a', ' '] })).toEqual({
      greeting: null,
      model: null,
      soul: '',
      menu_items: ['a'],
    })
    expect(cleanDraft({ menu_items: [''] })).toEqual({ menu_items: null })
    expect(cleanDraft({})).toEqual({})
  })

  it('keeps only languages in which something is said', () => {
    expect(cleanTranslations({ fr: { greeting: 'Bonjour', display_name: '' }, es: {} })).toEqual({
      fr: { greeting: 'Bonjour' },
    })
    expect(cleanTranslations({ fr: { menu_items: [' '] } })).toBeNull()
  })
})

describe('tools of a server', () => {
  it('are all, some or none, and nothing of another server or of the platform is touched', () => {
    const tools = ['weather', 'mcp:shop', 'mcp:shopping/find']
    expect(serverUse(tools, 'shop')).toBe('all')
    expect(serverUse(tools, 'shopping')).toBe('some')
    expect(serverUse(tools, 'other')).toBe('none')
    expect(setServerUse(tools, SHOP, 'none')).toEqual(['weather', 'mcp:shopping/find'])
    const some = setServerUse(tools, SHOP, 'some')
    expect(chosenOf(some, 'shop')).toEqual(['find', 'order'])
    expect(choose(some, 'shop', ['order'])).toEqual([
      'weather',
      'mcp:shopping/find',
      'mcp:shop/order',
    ])
    expect(setServerUse(some, SHOP, 'all')).toEqual(['weather', 'mcp:shopping/find', 'mcp:shop'])
  })

  it('are unknown where nobody offers them', () => {
    const tools = ['weather', 'mcp:shop', 'mcp:shop/gone', 'mcp:shop/find', 'mcp:other', 'bogus']
    expect(unknownTools(tools, [SHOP])).toEqual(['mcp:shop/gone', 'mcp:other', 'bogus'])
    expect(unknownTools(['mcp:shop/any'], [{ ...SHOP, tools: [] }])).toEqual([])
  })
})

describe('warnings of a draft', () => {
  const draft = {
    tools: ['search_knowledge', 'bogus'],
    skills: ['a', 'b'],
    knowledge_bases: [] as string[],
    grounding_required: false,
    on_demand_context: false,
  } as Draft
  const there = { skills: [{ name: 'a' }], bases: [], servers: [SHOP] }

  it('name what is not there, and what cannot work without a base', () => {
    expect(draftWarnings(draft, there)).toEqual([
      { kind: 'skill', name: 'b' },
      { kind: 'tool', name: 'bogus' },
      { kind: 'noSearch', name: '' },
    ])
    expect(draftWarnings({ ...draft, grounding_required: true }, there).at(-1)?.kind).toBe('noBase')
    expect(draftWarnings({ ...draft, knowledge_bases: ['gone'] }, there)).toContainEqual({
      kind: 'base',
      name: 'gone',
    })
  })
})

it('chips of the menu say what a skill says of itself', () => {
  const skill = { name: 'returns', description: '', menu_label: 'Send back', menu_prompt: null }
  expect(menuChips(['returns', 'Hours?'], [skill])).toEqual([
    { label: 'Send back', value: 'returns' },
    { label: 'Hours?', value: 'Hours?' },
  ])
  expect(menuChips(null, [])).toEqual([])
})

it('only what both changed, and not alike, is changed elsewhere', () => {
  const read = { a: 1, b: [1], c: { x: 1, y: 2 } }
  const now = { a: 2, b: [1, 2], c: { y: 2, x: 1 } }
  expect(changedElsewhere(read, now, { a: 3 })).toEqual(['a'])
  expect(changedElsewhere(read, now, { a: 2, c: { x: 5, y: 2 } })).toEqual([])
  expect(changedElsewhere(read, now, { b: [3] })).toEqual(['b'])
})

describe('a file to import', () => {
  it.each([
    ['{', 'notJson'],
    ['[]', 'notJson'],
    ['{"kind":"storyline","name":"a","schema_version":1}', 'otherKind'],
    ['{"schema_version":1}', 'otherKind'],
    ['{"name":"a","schema_version":2}', 'otherVersion'],
  ])('%s: %s', (text, reason) => {
    expect(readImport(text)).toEqual({ ok: false, reason })
  })

  it('is an agent with whatever it holds', () => {
    const body = { schema_version: 1, kind: 'agent', name: 'a', soul: 's', extra: 1 }
    expect(readImport(JSON.stringify(body))).toEqual({ ok: true, name: 'a', body })
  })
})
