import * as z from 'zod'
import { LIMITS } from '../config/limits'
import { referenceField } from '../wire/fields'

const names = z.array(referenceField).max(100)
const baseNames = z.array(referenceField).max(20)

const shape = {
  description: z.string().max(1000).describe('By it the model chooses the skill.'),
  instructions: z.string().max(LIMITS.promptLength),
  tools: names,
  knowledge_bases: baseNames,
  model: z.string().min(1).max(200).nullable(),
  menu_label: z.string().max(LIMITS.menuItemLength).nullable().describe('What its button shows.'),
  menu_prompt: z.string().max(4000).nullable().describe('What its button sends.'),
  menu_anchors: z
    .string()
    .max(1000)
    .nullable()
    .describe('Words, separated by commas: an answer with one is followed by the button.'),
}

export const SkillConfig = z.object(shape)
export type SkillConfig = z.output<typeof SkillConfig>

export const SKILL_DEFAULTS: SkillConfig = {
  description: '',
  instructions: '',
  tools: [],
  knowledge_bases: [],
  model: null,
  menu_label: null,
  menu_prompt: null,
  menu_anchors: null,
}
type SkillFieldName = keyof SkillConfig

const writable = Object.fromEntries(
  Object.entries(shape).map(([name, schema]) => [name, schema.nullable().optional()]),
) as {
  [K in SkillFieldName]: z.ZodOptional<z.ZodNullable<(typeof shape)[K]>>
}
export const SkillIn = z.object(writable)
export type SkillIn = z.output<typeof SkillIn>
export const SkillPatch = SkillIn.extend({
  tools_add: names.nullable().optional(),
  tools_remove: names.nullable().optional(),
  knowledge_bases_add: baseNames.nullable().optional(),
  knowledge_bases_remove: baseNames.nullable().optional(),
})
export type SkillPatch = z.output<typeof SkillPatch>

export const SkillWarning = z.object({
  field: z.string(),
  code: z.enum([
    'description_too_short',
    'instructions_empty',
    'unknown_tool',
    'unknown_knowledge_base',
    'menu_prompt_without_label',
    'unused',
  ]),
  message: z.string(),
  severity: z.enum(['info', 'warning']),
})
export const SkillOut = z.object({ name: z.string(), ...shape, warnings: z.array(SkillWarning) })
