import type * as z from 'zod'
import type { SkillIn, SkillOut } from '../../../skills/schema'
export type Skill = z.output<typeof SkillOut>
export type SkillWarning = Skill['warnings'][number]
/** What can be written of a skill. */
export type SkillFields = Required<{ [K in keyof z.output<typeof SkillIn>]: Skill[K] }>
export type SetField = <K extends keyof SkillFields>(name: K, value: SkillFields[K]) => void

export const NO_SKILL: SkillFields = {
  description: '',
  instructions: '',
  tools: [],
  knowledge_bases: [],
  model: null,
  menu_label: null,
  menu_prompt: null,
  menu_anchors: null,
}

export function fieldsOf(skill: SkillFields): SkillFields {
  const {
    description,
    instructions,
    tools,
    knowledge_bases,
    model,
    menu_label,
    menu_prompt,
    menu_anchors,
  } = skill
  return {
    description,
    instructions,
    tools,
    knowledge_bases,
    model,
    menu_label,
    menu_prompt,
    menu_anchors,
  }
}

/** Of an empty text nothing is kept. */
export const textOrNull = (text: string): string | null => (text.trim() === '' ? null : text)

/** Skills with some letters in their name or description. */
export function findSkills(skills: readonly Skill[], letters: string): Skill[] {
  const wanted = letters.trim().toLowerCase()
  return skills.filter(({ name, description }) =>
    `${name}\n${description}`.toLowerCase().includes(wanted),
  )
}
