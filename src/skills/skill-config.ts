import { changeList, completeFields, patchFields } from '../revisions/fields'
import { SKILL_DEFAULTS, type SkillConfig, type SkillIn, type SkillPatch } from './schema'

/** POST and PUT: what is omitted or null takes its default. */
export const completeSkill = (input: SkillIn): SkillConfig => completeFields(SKILL_DEFAULTS, input)

/** PATCH: only what is sent changes, null resets; lists are set first, then added to, then removed from. Pure. */
export function patchSkillConfig(config: SkillConfig, patch: SkillPatch): SkillConfig {
  const next = patchFields(SKILL_DEFAULTS, config, patch)
  next.tools = changeList(next.tools, patch.tools_add, patch.tools_remove)
  next.knowledge_bases = changeList(
    next.knowledge_bases,
    patch.knowledge_bases_add,
    patch.knowledge_bases_remove,
  )
  return next
}

/** Stored configurations may lack fields that were added later. */
export function withSkillDefaults(config: SkillConfig): SkillConfig {
  return { ...structuredClone(SKILL_DEFAULTS), ...config }
}
