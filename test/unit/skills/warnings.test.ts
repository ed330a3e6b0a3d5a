import { describe, expect, it } from 'vitest'
import { SKILL_DEFAULTS, type SkillConfig } from '../../../src/skills/schema'
import { warnAboutSkill } from '../../../src/skills/warnings'

const GOOD: SkillConfig = { ...SKILL_DEFAULTS, description: 'x'.repeat(20), instructions: 'Do it.' }
const AROUND = {
  baseNames: new Set(['guide']),
  usedSkills: new Set(['used']),
  servers: new Map([
    ['files', { enabled: true, tools: new Map([['read', 'ready' as const]]) }],
    ['off', { enabled: false, tools: null }],
  ]),
}
const codes = (change: Partial<SkillConfig>, name = 'used') =>
  warnAboutSkill(name, { ...GOOD, ...change }, AROUND).map(({ code }) => code)

describe('warnAboutSkill', () => {
  it('says nothing about a good one', () => {
    expect(
      codes({
        tools: ['weather', 'search_knowledge', 'mcp:files', 'mcp:files/read'],
        knowledge_bases: ['guide'],
      }),
    ).toEqual([])
  })

  it.each<[string, Partial<SkillConfig>]>([
    ['description_too_short', { description: ` ${'x'.repeat(19)} ` }],
    ['instructions_empty', { instructions: ' \n' }],
    ['unknown_tool', { tools: ['mcp:', 'weather'] }],
    ['unknown_tool', { tools: ['mcp:nobody/read'] }],
    ['unknown_tool', { tools: ['mcp:files/write'] }],
    ['unknown_tool', { tools: ['mcp:off/read'] }],
    ['unknown_knowledge_base', { knowledge_bases: ['guide', 'Guide'] }],
    ['menu_prompt_without_label', { menu_prompt: 'Go' }],
  ])('%s', (code, change) => {
    expect(codes(change)).toEqual([code])
  })

  it('unused, which is no fault', () => {
    expect(warnAboutSkill('other', GOOD, AROUND)).toEqual([
      { field: 'name', code: 'unused', message: expect.any(String), severity: 'info' },
    ])
  })

  it('counts characters, not code units', () => {
    expect(codes({ description: '😀'.repeat(19) })).toEqual(['description_too_short'])
    expect(codes({ description: '😀'.repeat(20) })).toEqual([])
  })
})
