import { LIMITS } from '../config/limits'
import { SYSTEM_TOOLS } from '../config/names'
import type { TenantContext } from '../context'
import { selectOwn } from '../db/own'
import { type AgentRow, knowledgeBases, skills } from '../db/tables'
import {
  selectDirectory,
  type ToolDirectory,
  toDirectory,
  toolProblem,
} from '../mcp/tool-directory'
import { estimateTokens } from '../models/tokens'
import { withDefaults } from './agent-config'

type StepType = 'clarify' | 'retrieve' | 'tool' | 'skill' | 'storyline' | 'answer'
interface Step {
  type: StepType
  name: string
  reason: string
}

const SHORT_GOAL = 12
const TOOL_WORDS: Record<(typeof SYSTEM_TOOLS)[number], RegExp> = {
  current_time: /\b(time|date|today|hour|hora|fecha|heure)\b|время|дата|时间|時間|几点|الوقت/iu,
  ip_geo: /\b(where am i|my location|near me|dónde estoy|où suis-je)\b|где я|我在哪|أين أنا/iu,
  weather: /\b(weather|forecast|rain|temperature|clima|tiempo|météo)\b|погода|天气|天氣|الطقس/iu,
}

/** Which steps the agent would take for a goal, by rules alone: no model call, no side effects. */
export async function planAnswer(ctx: TenantContext, agent: AgentRow, goal: string) {
  const config = withDefaults(agent.config)
  const [skillRows, baseRows, serverRows] = await ctx.db.batch([
    selectOwn(ctx.db, skills, ctx.tenant.id),
    selectOwn(ctx.db, knowledgeBases, ctx.tenant.id),
    selectDirectory(ctx.db, ctx.tenant.id),
  ])
  const bases = config.knowledge_bases.filter((name) => baseRows.some((row) => row.name === name))
  const steps: Step[] = []
  if (config.ambiguity_check && goal.trim().length < SHORT_GOAL) {
    steps.push({
      type: 'clarify',
      name: 'ambiguity_check',
      reason: 'The goal is short; the agent may ask which reading is meant.',
    })
  }
  for (const row of skillRows.filter((skill) => config.skills.includes(skill.name))) {
    if (sharesWord(goal, `${row.name} ${row.config.description ?? ''}`)) {
      steps.push({
        type: 'skill',
        name: row.name,
        reason: 'The goal shares words with the skill’s description.',
      })
    }
  }
  for (const name of bases) {
    steps.push({
      type: 'retrieve',
      name,
      reason: config.on_demand_context
        ? 'The model may search this base.'
        : 'Every message is looked up in this base.',
    })
  }
  for (const tool of SYSTEM_TOOLS) {
    if (config.tools.includes(tool) && TOOL_WORDS[tool].test(goal))
      steps.push({ type: 'tool', name: tool, reason: 'The goal asks for it.' })
  }
  const reason = config.grounding_required
    ? 'Every sentence must be supported by a retrieved passage.'
    : 'The model answers from what was gathered.'
  steps.push({ type: 'answer', name: agent.name, reason })
  const promptTokens = estimateTokens(`${config.soul}\n${config.task}\n${goal}`)
  return {
    plan: {
      steps: steps.map((step, index) => ({ n: index + 1, ...step })),
      knowledge_bases: bases,
      estimated_tokens:
        promptTokens +
        bases.length * LIMITS.searchK.default * 300 +
        (config.max_output_tokens ?? LIMITS.maxOutputTokens.default),
    },
    backend: 'rules' as const,
    warnings: listWarnings(
      config,
      skillRows.map((row) => row.name),
      baseRows.map((row) => row.name),
      toDirectory(serverRows),
    ),
  }
}

function listWarnings(
  config: ReturnType<typeof withDefaults>,
  skillNames: string[],
  baseNames: string[],
  servers: ToolDirectory,
): string[] {
  return [
    ...config.skills
      .filter((name) => !skillNames.includes(name))
      .map((name) => `Unknown skill "${name}" is skipped.`),
    ...config.knowledge_bases
      .filter((name) => !baseNames.includes(name))
      .map((name) => `Unknown knowledge base "${name}" is skipped.`),
    ...config.tools.map((name) => toolProblem(name, servers)).filter((problem) => problem !== null),
    ...(config.grounding_required && config.knowledge_bases.length === 0
      ? ['Grounding is required but the agent has no knowledge base.']
      : []),
  ]
}

function sharesWord(a: string, b: string): boolean {
  const words = (text: string) => new Set(text.toLowerCase().match(/[\p{L}\p{N}]{4,}/gu) ?? [])
  const other = words(b)
  return [...words(a)].some((word) => other.has(word))
}
