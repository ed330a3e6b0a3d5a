import type * as z from 'zod'
import { SKILL_DESCRIPTION } from '../config/limits'
import { type ToolDirectory, toolProblem } from '../mcp/tool-directory'
import type { SkillConfig, SkillWarning } from './schema'

type Warning = z.output<typeof SkillWarning>

/** What the tenant's other objects say about a skill. */
export interface SkillSurroundings {
  baseNames: ReadonlySet<string>
  /** Names of skills that at least one agent has. */
  usedSkills: ReadonlySet<string>
  servers: ToolDirectory
}

/** What is probably not meant, though it is kept: the model picks a skill by name and description alone. Pure. */
export function warnAboutSkill(
  name: string,
  skill: SkillConfig,
  { baseNames, usedSkills, servers }: SkillSurroundings,
): Warning[] {
  const warnings: Warning[] = []
  const warn = (
    field: string,
    code: Warning['code'],
    message: string,
    severity: Warning['severity'] = 'warning',
  ) => {
    warnings.push({ field, code, message, severity })
  }

  const length = [...skill.description.trim()].length
  if (length < SKILL_DESCRIPTION.shortLength) {
    warn(
      'description',
      'description_too_short',
      `The model chooses a skill by its description; this one has ${length} characters, ${SKILL_DESCRIPTION.shortLength} or more are better.`,
    )
  }
  if (skill.instructions.trim() === '') {
    warn(
      'instructions',
      'instructions_empty',
      'There is nothing to follow once the skill is loaded.',
    )
  }
  for (const tool of skill.tools) {
    const problem = toolProblem(tool, servers)
    if (problem !== null) warn('tools', 'unknown_tool', problem)
  }
  for (const base of skill.knowledge_bases.filter((candidate) => !baseNames.has(candidate))) {
    warn(
      'knowledge_bases',
      'unknown_knowledge_base',
      `Unknown knowledge base "${base}" is skipped.`,
    )
  }
  if (skill.menu_prompt && !skill.menu_label) {
    warn(
      'menu_label',
      'menu_prompt_without_label',
      'Without a label the prompt has no chip to be sent by.',
    )
  }
  if (!usedSkills.has(name)) {
    warn('name', 'unused', 'No agent has this skill.', 'info')
  }
  return warnings
}
