import { eq } from 'drizzle-orm'
import { withDefaults } from '../agents/agent-config'
import { prepareJudging } from '../chat/storyline/judge'
import { STORYLINES } from '../config/limits'
import type { TenantContext } from '../context'
import { findOwn } from '../db/own'
import { agents } from '../db/tables/agents'
import type { StorylineRow } from '../db/tables/storylines'
import { ApiError, invalid } from '../errors'
import { loadRules } from '../lazy'
import { createLog } from '../log'
import { type ResolvedModel, resolveChatModel } from '../models/chat-model'
import { refusal } from '../storylines/refusal'
import type { SimulateIn } from '../storylines/schema'
import type { Profile, SlotValue } from '../storylines/slots'
import type { Story } from '../storylines/story-state'
import { subjectOf } from '../storylines/surroundings'
import { openTenantModel } from '../tenants/byok'
import { isoOf } from '../time'
import { meterCall } from '../usage/meter-call'
import { type SimulatedJudge, type SimulatedTurn, simulate } from './simulate'

/** As in a turn, an answer that is not what was asked for is asked for once more. */
const ATTEMPTS = 2

/**
 * Runs the working copy, of which no more is wanted than that it is a graph. What the request does not say of judged exits is asked of the agent's
 * model, where there is one that reads.
 * @throws ApiError 422 for what is no graph, and for a profile that the slots refuse; quotaExceeded.
 */
export async function simulateStoryline(
  ctx: TenantContext,
  row: StorylineRow,
  input: SimulateIn,
): Promise<{ model: string | null; turns: unknown[] }> {
  const story = await workingStory(row)
  const profile = readProfile(story, input.profile)
  requireExits(story, input.judge)
  const asked = await askAgent(ctx, row)
  const simulation = { ...input, profile }
  const turns = await simulate(story, row.displayName, simulation, ctx.now, asked?.judge ?? null)
  return { model: asked?.model ?? null, turns: turns.map(presentTurn) }
}

/** The working copy, ready to run. @throws ApiError 422 for what is no graph. */
export async function workingStory(row: StorylineRow): Promise<Story> {
  const { freeze, shapeFaults, storyOf } = await loadRules()
  const faults = shapeFaults(subjectOf(row))
  if (faults.length > 0) throw refusal(faults)
  return storyOf(freeze(row))
}

/** @throws ApiError 422. */
export function readProfile({ slots }: Story, given: SimulateIn['profile']): Profile {
  const profile: Record<string, SlotValue> = {}
  for (const [key, value] of Object.entries(given ?? {})) {
    const slot = slots.get(key)
    if (!slot) throw invalid(['body', 'profile', key], 'the storyline has no such slot')
    if (!slot.accepts(value)) throw invalid(['body', 'profile', key], 'the slot does not take this')
    profile[key] = value
  }
  return profile
}

/** @throws ApiError 422 where a verdict is of no exit. */
function requireExits({ graph }: Story, judge: SimulateIn['judge']): void {
  if (judge === undefined) return
  const everywhere = (graph.exits ?? []).map(({ id }) => `global:${id}`)
  const known = new Set(everywhere)
  for (const [key, { exits = [] }] of Object.entries(graph.nodes))
    for (const id of [...exits.map((exit) => exit.id), ...everywhere])
      known.add(id).add(`${key}.${id}`)
  for (const name of Object.keys(judge))
    if (!known.has(name)) throw invalid(['body', 'judge', name], 'the storyline has no such exit')
}

const presentTurn = ({ due_at, ...turn }: SimulatedTurn) => ({
  ...turn,
  due_at: due_at === null ? null : isoOf(due_at),
})

/** The model that would judge for the agent; null where it is one that reads no prompt. */
export async function readingModel(
  { env, db, tenant }: TenantContext,
  agentName: string,
): Promise<{ agentId: string; model: ResolvedModel | null }> {
  const agent = await findOwn(db, agents, tenant.id, eq(agents.name, agentName))
  const own = await openTenantModel(env, tenant)
  const named = agent ? withDefaults(agent.config).model : null
  const model = resolveChatModel(env, named, own) ?? resolveChatModel(env, null, own)
  return { agentId: agent?.id ?? '', model: model?.info.reads === 'prompt' ? model : null }
}

async function askAgent(
  ctx: TenantContext,
  row: StorylineRow,
): Promise<{ judge: SimulatedJudge; model: string } | null> {
  const { agentId, model } = await readingModel(ctx, row.agentName)
  if (!model) return null
  const run = crypto.randomUUID()
  const until = Date.now() + STORYLINES.simulationMs
  let calls = 0
  const judge: SimulatedJudge = async (question) => {
    const nonce = crypto.randomUUID().slice(0, 8)
    const { tokens, run: ask } = prepareJudging(model, { ...question, nonce })
    for (let attempt = 0; attempt < ATTEMPTS && Date.now() < until; attempt++) {
      const id = `${row.id}:simulate:${run}:${calls++}`
      const call = { id, agentId, userId: '', kind: 'storyline' as const }
      try {
        const verdict = await meterCall(ctx.env, ctx.tenant, call, tokens, async () => {
          const { value, usage } = await ask()
          return { value, model: model.name, ...usage }
        })
        if (verdict !== null) return verdict
      } catch (error) {
        // Without quota nothing can be shown; a model that fails is part of what is shown.
        if (error instanceof ApiError) throw error
        createLog('storylines').error('simulation_not_judged', error)
        return null
      }
    }
    return null
  }
  return { judge, model: model.name }
}
