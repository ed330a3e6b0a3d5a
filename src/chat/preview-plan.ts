import { type AgentFacts, findAgentFacts } from '../agents/resolve-agent'
import { LIMITS } from '../config/limits'
import { OPTIONAL_TOOLS, SYSTEM_TOOLS } from '../config/names'
import type { TenantContext } from '../context'
import { openPrimary } from '../db/client'
import { pickOwn } from '../db/own'
import type { AgentRow } from '../db/tables/agents'
import { knowledgeBases } from '../db/tables/knowledge'
import { skills } from '../db/tables/skills'
import { notFound } from '../errors'
import { loadThesaurus } from '../language/thesaurus'
import { loadPlan } from '../lazy'
import { createLog } from '../log'
import {
  selectDirectory,
  type ToolDirectory,
  toDirectory,
  toolProblem,
} from '../mcp/tool-directory'
import { referenceTo } from '../mcp/tool-reference'
import { type ResolvedModel, resolveChatModel } from '../models/chat-model'
import { estimateTokens } from '../models/tokens'
import { isNear, startsByItself, wordsOf } from '../storylines/starts'
import { openTenantModel } from '../tenants/byok'
import { asksForPerson } from '../text/asks-for-person'
import { fence } from '../text/fence'
import { detectIntent } from '../text/intents'
import { namesOneThing } from '../text/names-one-thing'
import { detectSmallTalk } from '../text/small-talk'
import { meterCall } from '../usage/meter-call'
import { scanUserMessage } from './guard'
import type { Choice, Step } from './plan'
import { prepareShortCall } from './short-call'

const PASSAGE_TOKENS = 300
const MAX_TOKENS = 400
const DEADLINE_MS = 10_000
const LIST_CHARS = 12_000

type OwnTool = (typeof SYSTEM_TOOLS)[number] | (typeof OPTIONAL_TOOLS)[number]

/** Each of our tools as the model of a plan knows it, and whether a goal asks for it. */
const OWN: Record<
  OwnTool,
  { description: string; wanted(goal: string, agent: AgentFacts): boolean }
> = {
  current_time: {
    description: 'The current date and time.',
    wanted: (goal) =>
      /\b(time|date|today|hour|hora|fecha|heure)\b|время|дата|时间|時間|几点|الوقت/iu.test(goal),
  },
  ip_geo: {
    description: 'Where the user is.',
    wanted: (goal) =>
      /\b(where am i|my location|near me|dónde estoy|où suis-je)\b|где я|我在哪|أين أنا/iu.test(
        goal,
      ),
  },
  weather: {
    description: 'The weather at a place.',
    wanted: (goal) =>
      /\b(weather|forecast|rain|temperature|clima|tiempo|météo)\b|погода|天气|天氣|الطقس/iu.test(
        goal,
      ),
  },
  schedule_reminder: {
    description: 'Reminds the user at a time, or says something later.',
    wanted: (goal) => detectIntent(goal)?.tool === 'schedule_reminder',
  },
  search_knowledge: {
    description: 'Searches the knowledge bases once more.',
    wanted: (_goal, { config }) => config.on_demand_context,
  },
  ask_form: { description: 'Shows the user a form to fill in.', wanted: () => false },
  handoff: { description: 'Asks for a person.', wanted: asksForPerson },
}

/**
 * The steps that a first message with this goal would lead to. What the agent's model would choose of its tools, skills and
 * storylines is asked of it; by rules where there is none, or it says nothing of use. Nothing is done.
 */
export async function planTurn(ctx: TenantContext, row: AgentRow, goal: string) {
  const { env, tenant } = ctx
  const [agent, [baseRows, skillRows, serverRows], own] = await Promise.all([
    findAgentFacts(
      env.DB,
      { tenantId: tenant.id, spaceId: '' },
      row.id,
      ctx.now,
      openPrimary(env.DB),
    ),
    ctx.db.batch([
      pickOwn(ctx.db, knowledgeBases, tenant.id, { name: knowledgeBases.name }),
      pickOwn(ctx.db, skills, tenant.id, { name: skills.name }),
      selectDirectory(ctx.db, tenant.id),
    ]),
    openTenantModel(env, tenant),
    loadThesaurus(),
  ])
  if (!agent) throw notFound('Agent')
  const model = resolveChatModel(env, agent.config.model, own) ?? resolveChatModel(env, null, own)
  const known = {
    bases: baseRows.map(({ name }) => name),
    skills: skillRows.map(({ name }) => name),
    servers: toDirectory(serverRows),
  }
  const warnings = listWarnings(agent, known)
  if (agent.config.injection_guard && scanUserMessage(goal)) {
    const reason = 'The injection guard refuses this message.'
    return present(agent, goal, [{ type: 'answer', name: agent.name, reason }], 'rules', warnings)
  }
  const choices = listChoices(agent, known.servers, goal)
  const asks = model?.info.reads === 'prompt' && choices.length > 0
  const chosen = asks ? await askModel(ctx, agent, model, choices, goal) : null
  const steps = inOrder(agent, goal, chosen ?? byRule(choices))
  return present(agent, goal, steps, chosen === null ? 'rules' : 'llm', warnings)
}

function present(
  agent: AgentFacts,
  goal: string,
  steps: readonly Step[],
  backend: 'llm' | 'rules',
  warnings: readonly string[],
) {
  const { config, bases } = agent
  return {
    plan: {
      steps: steps.map((step, index) => ({ n: index + 1, ...step })),
      knowledge_bases: bases.map(({ name }) => name),
      estimated_tokens:
        estimateTokens(`${config.soul}\n${config.task}\n${goal}`) +
        bases.length * LIMITS.searchK.default * PASSAGE_TOKENS +
        (config.max_output_tokens ?? LIMITS.maxOutputTokens.default),
    },
    backend,
    warnings,
  }
}

/** What the turn offers its model: the agent's own tools and those of its skills, remote ones by their references. */
function listChoices(agent: AgentFacts, servers: ToolDirectory, goal: string): Choice[] {
  const words = wordsOf(goal)
  const shares = (text: string) => [...wordsOf(text)].some((word) => words.has(word))
  const named = new Set([...agent.config.tools, ...agent.skills.flatMap(({ tools }) => tools)])
  return [
    ...(agent.storylines ?? [])
      .filter((one) => startsByItself(one) || one.allowAgentEnroll)
      .map((one): Choice => {
        const begins = startsByItself(one) && one.trigger !== 'intent'
        const { displayName: name, description } = one
        return { type: 'storyline', name, description, wanted: begins || isNear(goal, one) }
      }),
    ...agent.skills.map(({ name, description }): Choice => {
      return { type: 'skill', name, description, wanted: shares(`${name} ${description}`) }
    }),
    ...[...SYSTEM_TOOLS, ...OPTIONAL_TOOLS]
      .filter((name) => named.has(name) && (name !== 'search_knowledge' || agent.bases.length > 0))
      .map((name): Choice => {
        const { description, wanted } = OWN[name]
        return { type: 'tool', name, description, wanted: wanted(goal, agent) }
      }),
    ...agent.mcp.flatMap((server): Choice[] => {
      if (server.tools === null)
        return server.references
          .filter((name) => toolProblem(name, servers) === null)
          .map((name) => ({ type: 'tool', name, description: 'A remote tool.', wanted: false }))
      return server.tools.map(({ name, description }) => ({
        type: 'tool',
        name: referenceTo(server.name, name),
        description,
        wanted: shares(`${name.replaceAll(/[_-]+/gu, ' ')} ${description}`),
      }))
    }),
  ]
}

const RULE_REASONS: Record<Choice['type'], string> = {
  skill: 'The goal shares words with the skill’s description.',
  storyline: 'The goal is near to what starts it.',
  tool: 'The goal asks for it.',
}

const byRule = (choices: readonly Choice[]): Step[] =>
  choices
    .filter(({ wanted }) => wanted)
    .map(({ type, name }) => ({ type, name, reason: RULE_REASONS[type] }))

/** One metered call; null without quota, and where nothing of use came. */
async function askModel(
  { env, tenant }: TenantContext,
  agent: AgentFacts,
  model: ResolvedModel,
  choices: readonly Choice[],
  goal: string,
): Promise<Step[] | null> {
  const { PLAN_ORDER, planList, readPlan } = await loadPlan()
  const { soul, task } = agent.config
  const parts = { agent: `${soul}\n${task}`, 'what it may use': planList(choices), goal }
  const prompt = fence(
    Object.entries(parts).map(([label, text]) => ({ n: null, label, text })),
    crypto.randomUUID().slice(0, 8),
    LIST_CHARS,
  )
  const { tokens, run } = prepareShortCall(model, {
    order: PLAN_ORDER,
    prompt,
    maxTokens: MAX_TOKENS,
    deadlineMs: DEADLINE_MS,
  })
  const call = { id: `plan:${crypto.randomUUID()}`, agentId: agent.id, userId: '' }
  try {
    return await meterCall(env, tenant, { ...call, kind: 'draft' }, tokens, async () => {
      const { text, usage } = await run()
      return { value: readPlan(text, choices), model: model.name, ...usage }
    })
  } catch (error) {
    createLog('agents').error('plan_failed', error, { agent_id: agent.id })
    return null
  }
}

/** What is chosen in the order of a turn, with what every turn does by itself. */
function inOrder(agent: AgentFacts, goal: string, chosen: readonly Step[]): Step[] {
  const { config, bases } = agent
  const of = (type: Step['type']) => chosen.filter((step) => step.type === type)
  const isSmallTalk = detectSmallTalk(goal) !== null
  const reason = config.on_demand_context
    ? 'The model may search this base.'
    : 'Every message is looked up in this base.'
  const clarify: Step = {
    type: 'clarify',
    name: 'ambiguity_check',
    reason: 'The goal names one thing; the agent may ask which one is meant.',
  }
  return [
    ...(config.ambiguity_check && bases.length > 0 && namesOneThing(goal) ? [clarify] : []),
    ...of('storyline'),
    ...of('skill'),
    ...(isSmallTalk ? [] : bases.map(({ name }): Step => ({ type: 'retrieve', name, reason }))),
    ...of('tool'),
    { type: 'answer', name: agent.name, reason: answerReason(agent, isSmallTalk) },
  ]
}

function answerReason({ config }: AgentFacts, isSmallTalk: boolean): string {
  if (isSmallTalk) return 'Small talk needs no source.'
  if (config.deep_research)
    return 'A question of several parts is answered part by part, and the report says what was not found.'
  return config.grounding_required
    ? 'Every sentence must be supported by a retrieved passage.'
    : 'The model answers from what was gathered.'
}

function listWarnings(
  { config }: AgentFacts,
  known: { bases: readonly string[]; skills: readonly string[]; servers: ToolDirectory },
): string[] {
  return [
    ...config.skills
      .filter((name) => !known.skills.includes(name))
      .map((name) => `Unknown skill "${name}" is skipped.`),
    ...config.knowledge_bases
      .filter((name) => !known.bases.includes(name))
      .map((name) => `Unknown knowledge base "${name}" is skipped.`),
    ...config.tools
      .map((name) => toolProblem(name, known.servers))
      .filter((problem) => problem !== null),
    ...(config.grounding_required && config.knowledge_bases.length === 0
      ? ['Grounding is required but the agent has no knowledge base.']
      : []),
  ]
}
