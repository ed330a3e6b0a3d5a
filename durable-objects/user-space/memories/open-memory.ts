import type { Memory, MemoryDraft, MemoryMaker } from '../../../src/memory/types'
import { embedOffline } from '../../../src/text/statistical-vectors'
import type { SpaceKeys } from '../core/space-keys'
import { decodeVector } from '../core/vector-code'
import type { MemoryRow } from './memory-store'

/** What the envelope of a memory holds. */
export interface MemoryBody {
  topic: string
  content: string
  slot: string | null
}

export interface MemoryVector {
  embedder: string
  values: Float32Array
}

/** A memory in force as the awake object keeps it: opened, with its vectors. */
export interface OpenMemory extends Memory {
  carried: boolean
  createdAt: number
  messageId: string | null
  /** By the deployment's trained embedder, null where there is none or the tenant is in privacy mode. */
  trained: MemoryVector | null
  /** Made of the text in memory, never stored. */
  statistical: Float32Array
}

export interface NewMemory {
  id: string
  draft: MemoryDraft
  madeBy: MemoryMaker
  agentName: string
  sessionId: string | null
  messageId: string | null
  carriedFrom: string | null
  vector: MemoryVector | null
  createdAt: number
  updatedAt: number
}

export interface SealedMemory {
  memory: NewMemory
  bodySealed: string
  vectorSealed: string | null
}

const statisticalOf = (topic: string, content: string) =>
  Float32Array.from(embedOffline(`${topic}\n${content}`))

/** Null for a memory that does not open; without a vector that does not, it is found by its words. */
export async function readMemory(keys: SpaceKeys, row: MemoryRow): Promise<OpenMemory | null> {
  const [body, values] = await Promise.all([
    keys.read('memories', 'body', row.id, row.body_sealed),
    row.vector_sealed === null
      ? null
      : keys
          .read('memories', 'vector', row.id, row.vector_sealed)
          .then((vector) => vector && decodeVector(vector)),
  ])
  if (body === null) return null
  const { topic, content, slot } = JSON.parse(body) as MemoryBody
  return {
    id: row.id,
    kind: row.kind,
    topic,
    importance: row.importance,
    content,
    slot,
    agentName: row.agent_name,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    carried: row.carried_from !== null,
    messageId: row.message_id,
    trained: values && row.embedder !== null ? { embedder: row.embedder, values } : null,
    statistical: statisticalOf(topic, content),
  }
}

/** The same as reading back what `add` wrote, without opening it. */
export function asOpen({ memory }: SealedMemory): OpenMemory {
  const { draft } = memory
  return {
    id: memory.id,
    kind: draft.kind,
    topic: draft.topic,
    importance: draft.importance,
    content: draft.content,
    slot: draft.slot,
    agentName: memory.agentName,
    createdAt: memory.createdAt,
    updatedAt: memory.updatedAt,
    carried: memory.carriedFrom !== null,
    messageId: memory.messageId,
    trained: memory.vector,
    statistical: statisticalOf(draft.topic, draft.content),
  }
}
