import type { Source } from '../../../src/chat/events'
import { chunkId, chunkIdPrefix, parseChunkId } from '../../../src/knowledge/chunk-id'
import type { PassageInContext, PlacedPassage } from '../../../src/knowledge/types'
import { type Answer, ok, refuse } from '../../../src/spaces/answer'
import type { SpaceCore } from '../core/space-core'
import type { SpaceKeys } from '../core/space-keys'
import type { Visit } from '../core/visit'
import { readBody } from '../sessions/message-body'
import { SPACE_BASE } from './document-search'
import { readChunk } from './read-chunk'
import { type Original, readOriginal } from './read-original'

/** A passage that a reply cites, whose reply it is, and the passage itself where it is of the space's own documents. */
export interface CitedSource {
  agentName: string | null
  source: Source
  own: PassageInContext | null
}

/** What replies of a space rest on. */
export class CitedSources {
  readonly #core: SpaceCore

  constructor(core: SpaceCore) {
    this.#core = core
  }

  /** The message is found by its id alone. */
  async read({ keys }: Visit, messageId: string, n: number): Promise<Answer<CitedSource>> {
    const row = this.#core.stores.messages.find(messageId)
    if (!row) return refuse('message')
    const source = (await readBody(keys, row))?.sources?.find((one) => one.n === n)
    if (!source) return refuse('source')
    return ok({ agentName: row.agent_name, source, own: await this.#readOwn(keys, source) })
  }

  /** The document as it was uploaded. */
  async original({ caller, keys }: Visit, documentId: string): Promise<Answer<Original>> {
    const { env, stores } = this.#core
    const row = stores.documents.get(documentId)
    const opened = row && (await readOriginal(env.FILES, caller.address, keys, row))
    return opened ? ok(opened) : refuse('document')
  }

  async #readOwn(
    keys: SpaceKeys,
    { document_id: id, chunk_id = '' }: Source,
  ): Promise<PassageInContext | null> {
    const row = this.#core.stores.documents.get(id)
    const cited = parseChunkId(chunk_id)
    const prefix = await chunkIdPrefix(SPACE_BASE.id, id, id)
    if (row?.status !== 'ready' || cited?.prefix !== prefix) return null
    const place = async (n: number): Promise<PlacedPassage | null> => {
      const body = await readChunk(this.#core.stores.documents, keys, id, n)
      return body && { chunkId: chunkId(prefix, n), ...body }
    }
    const [title, previous, passage, next] = await Promise.all([
      row.title_sealed && keys.read('space_documents', 'title', id, row.title_sealed),
      place(cited.n - 1),
      place(cited.n),
      place(cited.n + 1),
    ])
    return passage && { version: id, title: title ?? '', passage, previous, next }
  }
}
