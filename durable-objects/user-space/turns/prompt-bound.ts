import type { TurnRequest } from '../../../src/chat/turn'
import { LIMITS, MCP, MEMORY } from '../../../src/config/limits'
import { embedderName } from '../../../src/models/embedding'
import { estimateTokens, IMAGE_TOKENS } from '../../../src/models/tokens'
import type { UsageEntry } from '../../../src/usage/meter-types'
import type { LiveOutcome } from './run-live-turn'

/** What one retrieved passage may weigh in the prompt, at most. */
const PASSAGE_TOKENS = 1_000
/** The platform's rules and notes (a test bounds them) and the definitions of its own tools. */
const FIXED_TOKENS = 2_000
/** 300 characters of the densest script. */
const QUESTION_CONTEXT_TOKENS = 200
const MESSAGE_FRAME_TOKENS = 8
/** A node's goal and instructions, and what was noted, in the densest script. */
const STORYLINE_TOKENS = 7_000
/** As long as what stands around a remote tool's definition: its names, its fence and the reminder. */
const TOOL_FRAME = ' '.repeat(400)
/** The longest memory in the densest script, with its date. */
const MEMORY_TOKENS = MEMORY.contentLength / 1.5 + 20

/** More than the prompt can weigh, in tokens: what the reservation holds until the true figure is known. */
export function boundPrompt(
  request: TurnRequest,
  history: NonNullable<TurnRequest['history']>,
  summary: string,
  memories: number,
): number {
  const { config, skills, bases, mcp } = request.agent
  const fixed = estimateTokens(`${config.soul}${config.task}${request.message}${summary}`)
  const images = request.images.length * IMAGE_TOKENS
  const index = sumTokens(skills.map((skill) => `${skill.name}${skill.description}`))
  const past = sumTokens(history.map((message) => message.content))
  const notes = sumTokens(bases.map((base) => base.instructions))
  const passages = bases.length > 0 ? (request.k ?? LIMITS.searchK.default) * PASSAGE_TOKENS : 0
  const memory = Math.min(memories, MEMORY.recalled) * MEMORY_TOKENS
  const remote = sumTokens(mcp.map(definitionsOf))
  const node = request.agent.storylines?.length ? STORYLINE_TOKENS : 0
  return FIXED_TOKENS + fixed + images + index + past + notes + passages + memory + remote + node
}

/** What a remote server's tools weigh; for one that the turn has still to ask, what it may announce at most. */
function definitionsOf({ tools }: TurnRequest['agent']['mcp'][number]): string {
  if (tools === null) return ' '.repeat(MCP.definitionsPerTurn)
  return tools
    .map(
      ({ description, notes, schema }) => TOOL_FRAME + description + notes + JSON.stringify(schema),
    )
    .join('')
}

function sumTokens(texts: string[]): number {
  return texts.reduce((sum, text) => sum + estimateTokens(text) + MESSAGE_FRAME_TOKENS, 0)
}

/** The question's vector, where there is an embedder: the message, and what of the one before may go with it. */
export function boundQuestion(env: Env, { message }: TurnRequest): number {
  return embedderName(env) === null ? 0 : estimateTokens(message) + QUESTION_CONTEXT_TOKENS
}

/** What the turn's calls of models are booked as. */
export function usageEntries(
  request: TurnRequest,
  { outcome, embedded, beside }: Pick<LiveOutcome, 'outcome' | 'embedded' | 'beside'>,
): UsageEntry[] {
  const { userId, spaceId } = request.caller.address
  const whose = { agentId: request.agent.id, userId, spaceId, requests: 1, events: 1 }
  const kind = outcome.researched ? 'research' : 'chat'
  const seen = { at: request.now, keyId: request.keyId }
  const chat: UsageEntry = { ...whose, model: outcome.model, kind, ...outcome.usage, seen }
  const entries = [chat]
  if (embedded) {
    const { model, tokens, estimatedTokens } = embedded
    const used = { inputTokens: tokens, outputTokens: 0, cachedTokens: 0, estimatedTokens }
    entries.push({ ...whose, model, kind: 'embedding', ...used })
  }
  for (const { calls, ...used } of beside)
    entries.push({ ...whose, requests: calls, events: calls, cachedTokens: 0, ...used })
  return entries
}
