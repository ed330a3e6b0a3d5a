import { embedderName } from '../../../src/models/embedding'
import { type KnownTitle, nearTitles, type TitleVector } from '../../../src/sessions/near-titles'
import { type BackgroundContext, embedTexts } from '../core/background-call'
import type { SpaceCore } from '../core/space-core'
import type { SpaceKeys } from '../core/space-keys'
import { decodeVector, encodeVector, unit } from '../core/vector-code'
import type { SessionRow } from './session-row'
import type { SessionStore } from './session-store'

/** A search does not wait longer for the meaning of its words. */
const QUERY_MS = 3000

/** Vectors of session titles, sealed beside them; none in privacy mode, and none where the deployment has no trained embedder. */
export class TitleVectors {
  readonly #core: SpaceCore

  constructor(core: SpaceCore) {
    this.#core = core
  }

  get #store(): SessionStore {
    return this.#core.stores.sessions
  }

  /** Whether a title is to be embedded that has no vector of the present embedder yet. */
  isMissing(session: SessionRow | undefined): session is SessionRow {
    return session !== undefined && lacksTitleVector(this.#core, session)
  }

  /** Background work: embeds a session's title unless that is done. Safe to run twice. */
  async index(ctx: BackgroundContext, keys: SpaceKeys, sessionId: string): Promise<void> {
    const session = this.#store.get(sessionId)
    if (!this.isMissing(session) || session.title_sealed === null) return
    const title = await keys.read('sessions', 'title', sessionId, session.title_sealed)
    if (title === null) return
    const id = `${sessionId}:title-vector:${session.title_sealed.slice(-16)}`
    const embedded = await embedTexts(ctx, id, session.agent_id, [title])
    const values = embedded?.vectors[0]
    if (!embedded || !values) return
    const sealed = await keys.seal(
      'sessions',
      'title_vector',
      sessionId,
      encodeVector(unit(values)),
    )
    if (this.#core.privacy) return
    this.#store.setTitleVector(sessionId, session.title_sealed, sealed, embedded.embedder)
  }

  /** Titles near to a query, by session, with their scores. */
  async near(
    keys: SpaceKeys,
    query: string,
    sessions: readonly SessionRow[],
    titles: ReadonlyMap<string, string | null>,
  ): Promise<Map<string, number>> {
    if (this.#core.privacy) return new Map()
    const embedder = embedderName(this.#core.env)
    const withVector = sessions.filter((row) => row.title_embedder === embedder)
    const asked =
      embedder === null || withVector.length === 0 ? null : await this.#embedQuery(query)
    const known = await Promise.all(
      sessions.map(async (row): Promise<KnownTitle[]> => {
        const title = titles.get(row.id) ?? null
        if (title === null) return []
        return [{ id: row.id, title, vector: asked && (await this.#open(keys, row)) }]
      }),
    )
    return nearTitles(query, known.flat(), asked)
  }

  async #open(keys: SpaceKeys, row: SessionRow): Promise<TitleVector | null> {
    if (row.title_vector_sealed === null || row.title_embedder === null) return null
    const text = await keys.read('sessions', 'title_vector', row.id, row.title_vector_sealed)
    return text === null ? null : { embedder: row.title_embedder, values: decodeVector(text) }
  }

  async #embedQuery(query: string): Promise<TitleVector | null> {
    const { env, address, ceiling } = this.#core
    if (!address) return null
    const id = `search:${crypto.randomUUID()}`
    let timer: ReturnType<typeof setTimeout> | undefined
    const late = new Promise<null>((resolve) => {
      timer = setTimeout(() => resolve(null), QUERY_MS)
    })
    const embedded = await Promise.race([
      embedTexts({ env, address, ceiling, own: null }, id, '', [query]),
      late,
    ])
    clearTimeout(timer)
    const values = embedded?.vectors[0]
    return embedded && values ? { embedder: embedded.embedder, values: unit(values) } : null
  }

  drop(): void {
    this.#store.dropTitleVectors()
  }

  count(): number {
    return this.#store.countTitleVectors()
  }
}

/** Whether a title is to be embedded that has no vector of the present embedder yet. */
export function lacksTitleVector({ env, privacy }: SpaceCore, session: SessionRow): boolean {
  const embedder = embedderName(env)
  return (
    !privacy &&
    embedder !== null &&
    session.title_sealed !== null &&
    session.title_embedder !== embedder
  )
}
