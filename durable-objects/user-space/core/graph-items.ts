import { createMatcher } from '../../../src/knowledge-graph/match-items'
import type { GraphItem, GraphItems, GraphSource } from '../../../src/knowledge-graph/types'
import { type Answer, ok } from '../../../src/spaces/answer'
import type { DocumentSearch, SpacePassage } from '../documents/document-search'
import type { Memories } from '../memories/memories'
import type { OpenMemory } from '../memories/open-memory'
import type { Visit } from './visit'

/** A passage weighs as much as a memory of middling importance. */
const PASSAGE_WEIGHT = 0.5

export interface GraphRequest {
  source: GraphSource
  /** Items at most. */
  limit: number
  /** What matches it comes first; '' for no query. */
  query: string
}

/** What a space knows of its user, as items of a map. */
export class GraphItemsOfSpace {
  readonly #memories: Memories
  readonly #documents: DocumentSearch

  constructor(memories: Memories, documents: DocumentSearch) {
    this.#memories = memories
    this.#documents = documents
  }

  /** What matches the query first, then what matters most. */
  async list(
    { caller, keys }: Visit,
    { source, limit, query }: GraphRequest,
  ): Promise<Answer<GraphItems>> {
    const { spaceId } = caller.address
    const matches = createMatcher(query)
    const remembered = source === 'knowledge' ? [] : await this.#memories.inForce(keys)
    const best = remembered
      .map((memory) => ({ memory, matched: matches(memory.content) ? 1 : 0 }))
      .sort(
        (x, y) =>
          y.matched - x.matched ||
          y.memory.importance - x.memory.importance ||
          y.memory.updatedAt - x.memory.updatedAt ||
          (x.memory.id < y.memory.id ? -1 : 1),
      )
      .slice(0, limit)
      .map(({ memory }) => memoryItem(memory, spaceId, source === 'memory'))
    const held =
      source === 'memory'
        ? { passages: [], total: 0 }
        : await this.#documents.passages(keys, limit, query.trim())
    return ok({
      items: [...best, ...held.passages.map((passage) => passageItem(passage, spaceId))],
      total: remembered.length + held.total,
    })
  }

  /** One item, or null when this space has none of that id. */
  async read({ caller, keys }: Visit, id: string): Promise<Answer<GraphItem | null>> {
    const { spaceId } = caller.address
    const [documentId = '', n] = id.split('.')
    if (n !== undefined) {
      const passage = await this.#documents.passage(keys, documentId, Number(n))
      return ok(passage && passageItem(passage, spaceId))
    }
    const memory = (await this.#memories.inForce(keys)).find((one) => one.id === id)
    return ok(memory ? memoryItem(memory, spaceId, false) : null)
  }
}

function memoryItem(memory: OpenMemory, spaceId: string, withVector: boolean): GraphItem {
  return {
    id: memory.id,
    source: 'memory',
    kind: memory.kind,
    text: memory.content,
    weight: memory.importance / 10,
    at: memory.updatedAt,
    meta: {
      space_id: spaceId,
      topic: memory.topic,
      importance: memory.importance,
      agent_name: memory.agentName,
      created_at: memory.createdAt,
      updated_at: memory.updatedAt,
    },
    vector: withVector ? memory.trained : null,
  }
}

function passageItem(passage: SpacePassage, spaceId: string): GraphItem {
  const { documentId, documentName, n, text, heading, page, createdAt } = passage
  return {
    id: `${documentId}.${n}`,
    source: 'knowledge',
    kind: 'chunk',
    text,
    weight: PASSAGE_WEIGHT,
    at: createdAt,
    meta: {
      space_id: spaceId,
      document_id: documentId,
      document_name: documentName,
      n,
      heading,
      page,
      created_at: createdAt,
      updated_at: createdAt,
    },
    vector: null,
  }
}
