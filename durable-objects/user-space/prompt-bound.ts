import type { TurnOutcome } from '../../src/chat/run-turn'
import type { TurnRequest } from '../../src/chat/turn'
import { LIMITS, MCP, MEMORY } from '../../src/config'
import { estimateTokens } from '../../src/platform/models/tokens'
import type { UsageEntry } from '../../src/usage/meter-types'

/** What one retrieved passage may weigh in the prompt, at most. */
const PASSAGE_TOKENS = 1_000
const FIXED_TOKENS = 1_000
const IMAGE_TOKENS = 1_500
const MESSAGE_FRAME_TOKENS = 8
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
  return FIXED_TOKENS + fixed + images + index + past + notes + passages + memory + remote
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

/** What the turn's model calls are booked as. */
export function usageEntry(request: TurnRequest, outcome: TurnOutcome): UsageEntry {
  const { userId, spaceId } = request.caller.address
  return {
    agentId: request.agent.id,
    userId,
    spaceId,
    model: outcome.model,
    kind: 'chat',
    requests: 1,
    ...outcome.usage,
    events: 1,
  }
}
