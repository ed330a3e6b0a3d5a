import { expect, it } from 'vitest'
import { OPTIONAL_TOOLS, SYSTEM_TOOLS } from '../../../../../src/config/names'
import { SKILL_DEFAULTS } from '../../../../../src/skills/schema'
import { changesOf, namesWith } from '../../../../../src/web/console/skills/choose-agents'
import {
  fieldsOf,
  findSkills,
  NO_SKILL,
  type Skill,
  textOrNull,
} from '../../../../../src/web/console/skills/skill'
import { OWN_TOOLS, toolChoices } from '../../../../../src/web/console/skills/tool-choices'

it('knows every field and every tool of the platform', () => {
  expect(NO_SKILL).toEqual(SKILL_DEFAULTS)
  expect(fieldsOf({ ...NO_SKILL, name: 'x' } as Skill)).toEqual(NO_SKILL)
  expect([...OWN_TOOLS].sort()).toEqual([...SYSTEM_TOOLS, ...OPTIONAL_TOOLS].sort())
})

it('offers a server whole and by its tools', () => {
  const server = { name: 'desk', enabled: true, tools: [{ name: 'find', description: 'Finds.' }] }
  expect(toolChoices([server]).slice(OWN_TOOLS.length)).toEqual([
    { value: 'mcp:desk', kind: 'server', server: 'desk', label: 'desk' },
    { value: 'mcp:desk/find', kind: 'remote', server: 'desk', label: 'find', hint: 'Finds.' },
  ])
})

it('finds skills by letters of name and description', () => {
  const skills = [
    { name: 'Refunds', description: 'When money goes back' },
    { name: 'Booking', description: '' },
  ] as Skill[]
  const found = (letters: string) => findSkills(skills, letters).map(({ name }) => name)
  expect([found(' MONEY '), found('book'), found(''), found('x')]).toEqual([
    ['Refunds'],
    ['Booking'],
    ['Refunds', 'Booking'],
    [],
  ])
})

it('keeps nothing of an empty text', () => {
  expect([textOrNull('  '), textOrNull(' a ')]).toEqual([null, ' a '])
})

it('writes to the agents that are to have it and do not, or have it and are not to', () => {
  const agent = (name: string, ...bases: string[]) => ({
    name,
    skills: [],
    knowledge_bases: bases,
    source: 'tenant',
  })
  const agents = [agent('a', 'rules'), agent('b'), agent('c', 'rules', 'fees'), agent('d')]
  expect(changesOf(agents, 'knowledge_bases', 'rules', ['a', 'b'])).toEqual([
    { agent: 'b', body: { knowledge_bases_add: ['rules'] } },
    { agent: 'c', body: { knowledge_bases_remove: ['rules'] } },
  ])
  expect(namesWith(agents, 'knowledge_bases', 'rules')).toEqual(['a', 'c'])
})
