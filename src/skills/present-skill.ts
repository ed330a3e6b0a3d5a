import type { SkillRow } from '../db/tables/skills'
import { withSkillDefaults } from './skill-config'
import { type SkillSurroundings, warnAboutSkill } from './warnings'

export function presentSkill(row: SkillRow, surroundings: SkillSurroundings) {
  return {
    ...snapshotSkill(row),
    warnings: warnAboutSkill(row.name, withSkillDefaults(row.config), surroundings),
  }
}

/** The skill itself, for revisions and the audit trail: warnings depend on other objects. */
export function snapshotSkill(row: SkillRow) {
  const {
    description,
    instructions,
    tools,
    knowledge_bases,
    model,
    menu_label,
    menu_prompt,
    menu_anchors,
  } = withSkillDefaults(row.config)
  return {
    name: row.name,
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
