import type { Act } from '../../../src/chat/acts'
import type { Pending } from '../../../src/chat/asking/asked'
import type { ChatResponse, Closest, Source, TurnUsage } from '../../../src/chat/events'
import type { FinishReason } from '../../../src/config/names'
import type { SpaceKeys } from '../core/space-keys'

/** What the envelope of a message holds. */
export interface MessageBody
  extends Pick<ChatResponse, 'storyline' | 'clarify' | 'form' | 'cta' | 'chips'> {
  content: string
  sources?: Source[]
  finishReason?: FinishReason
  usage?: Omit<TurnUsage, 'estimated'> & { estimated?: boolean }
  suggestions?: readonly string[]
  closest?: Closest[]
  transcript?: string | null
  /** Set on what a person said in the place of the agent. */
  author?: 'staff'
  /** Sentences of the model that no source supported, so that they were not said. */
  unsourced?: string[]
  /** What it waits for. */
  pending?: Pending
  /** What its tools did, and those of the attempts before it. */
  acts?: Act[]
  /** Its agent shows what it cites to everybody. */
  publicSources?: true
  /** Listeners were sent text that it does not have. */
  rewritten?: true
}

/** @returns the envelope of a message, for its column. */
export async function sealBody(
  keys: SpaceKeys,
  messageId: string,
  body: MessageBody,
): Promise<string> {
  return keys.seal('messages', 'body', messageId, JSON.stringify(body))
}

/** What a message says, or null when it does not open. */
export async function readBody(
  keys: SpaceKeys,
  row: { id: string; body_sealed: string },
): Promise<MessageBody | null> {
  const body = await keys.read('messages', 'body', row.id, row.body_sealed)
  return body === null ? null : (JSON.parse(body) as MessageBody)
}

/**
 * Its sources as other words cite them: each stays under its number, and of the sentences that rest on it those whose
 * words still stand where they stood.
 */
export function keepPlaces(
  body: MessageBody | null,
  content: string,
): Pick<MessageBody, 'sources'> {
  if (!body?.sources) return {}
  const stands = ({ start, end }: { start: number; end: number }) =>
    content.slice(start, end) === body.content.slice(start, end)
  const sources = body.sources.map((source) => ({
    ...source,
    ...(source.quotes && {
      quotes: source.quotes.map((one) => ({ ...one, sentences: one.sentences.filter(stands) })),
    }),
  }))
  return { sources }
}
