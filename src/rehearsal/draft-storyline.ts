import { STORYLINES } from '../config/limits'
import type { TenantContext } from '../context'
import type { StorylineRow } from '../db/tables/storylines'
import { ApiError, notFound } from '../errors'
import { loadRules } from '../lazy'
import type { Draft } from '../storylines/draft-text'
import type { DraftIn } from '../storylines/schema'
import { insertUnderFreeKey, keyBase, newStoryline, requireEnabled } from '../storylines/storylines'
import { readSurroundings, subjectOf } from '../storylines/surroundings'
import { askWriter, requireWriter } from './ask-writer'
import { readingModel } from './run-simulation'

/**
 * A draft that the agent's model writes for a goal: checked, sent back once with what is wrong with it, and never live by
 * itself. What is left for a person to mend, an unknown tool say, `validate` tells.
 * @throws notFound; ApiError 503 `model_required`, 502 `draft_failed` when two answers were no storyline; quotaExceeded.
 */
export async function draftStoryline(
  ctx: TenantContext,
  { agent_name: agentName, goal }: DraftIn,
): Promise<StorylineRow> {
  requireEnabled(ctx)
  const { agentId, model: reading } = await readingModel(ctx, agentName)
  if (agentId === '') throw notFound('Agent')
  const model = requireWriter(reading)
  const rules = await loadRules()
  const empty = newStoryline(ctx, { agent_name: agentName, key: 'storyline' })
  const around = await readSurroundings(ctx, empty)
  const wish = { agentName, goal, around, nonce: crypto.randomUUID().slice(0, 8) }
  const ask = (prompt: string) =>
    askWriter(ctx, model, {
      agentId,
      kind: 'storyline',
      order: rules.DRAFT_ORDER,
      prompt,
      maxTokens: STORYLINES.draftTokens,
      deadlineMs: STORYLINES.draftMs,
    })
  const check = (text: string): Checked => {
    const draft = rules.readDraft(text, goal)
    if (!('graph' in draft)) return { draft: null, problems: draft }
    const { errors } = rules.validate(subjectOf(rowOf(empty, draft)), around)
    const wrong = errors.filter(({ severity }) => severity === 'error')
    const problems = wrong.map(({ path, message }) => `${path}: ${message}`)
    return { draft: wrong.some(({ code }) => SHAPE.has(code)) ? null : draft, problems }
  }
  const first = await ask(rules.draftPrompt(wish))
  let checked = check(first)
  if (checked.problems.length > 0) {
    const faults = checked.problems.slice(0, STORYLINES.faultsTold)
    const mended = check(await ask(rules.repairPrompt(wish, first, faults)))
    if (mended.draft) checked = mended
  }
  const { draft } = checked
  if (!draft) {
    const detail = 'The model wrote no storyline: say more plainly what it should do'
    throw new ApiError('upstream', detail, { publicCode: 'draft_failed' })
  }
  const row = rowOf(empty, draft)
  const base = keyBase(keyOf(draft))
  return insertUnderFreeKey(ctx, row, 'create', (n) => (n === 1 ? base : `${base}-${n}`))
}

interface Checked {
  draft: Draft | null
  problems: readonly string[]
}

/** What makes a graph none; the rest of the findings a person can mend. */
const SHAPE: ReadonlySet<string> = new Set(['schema', 'limit_exceeded', 'start_missing'])

const rowOf = (empty: StorylineRow, { name, description, graph, profile_schema }: Draft) => ({
  ...empty,
  name,
  displayName: name,
  description,
  graph,
  profileSchema: profile_schema,
})

/** The model's own key, else one of its name. */
function keyOf({ key, name }: Draft): string {
  const plain = (key ?? name).toLowerCase().replaceAll(/[^a-z0-9_-]+/gu, '_')
  return plain.replace(/^[^a-z]+/u, '').replace(/(?<!_)_+$/u, '') || 'storyline'
}
