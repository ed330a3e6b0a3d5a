import { scanForInjection, scanUserMessage } from '../../src/chat/guard'
import { MEMORY } from '../../src/config/limits'
import {
  askForMemories,
  MEMORY_ORDER,
  MEMORY_TOKENS,
  type ModelMemories,
  readModelMemories,
} from '../../src/memory/ask-model'
import { extractByRules } from '../../src/memory/extract-by-rules'
import { mergeMemories, wordsOf } from '../../src/memory/merge-memories'
import { ownWords } from '../../src/memory/own-words'
import { rankMemories, scoreMemory, similarityOf } from '../../src/memory/rank-memories'
import { joinSummaries, settleMemories } from '../../src/memory/settle-memories'
import type { MemoryDraft, MemoryMaker } from '../../src/memory/types'
import { resolveChatModel } from '../../src/models/chat-model'
import type { Embeddings } from '../../src/models/embedding'
import { dot } from '../../src/sessions/near-titles'
import type { SpaceCaller } from '../../src/spaces/caller'
import { detectSmallTalk } from '../../src/text/small-talk'
import { speaksOfSelf } from '../../src/text/speaks-of-self'
import { embedOffline } from '../../src/text/statistical-vectors'
import { type BackgroundContext, callModel, embedTexts } from './background-call'
import type { Access } from './freeze'
import {
  asOpen,
  type MemoryRow,
  MemoryStore,
  type MemoryView,
  type NewMemory,
  type OpenMemory,
  readMemory,
  type SealedMemory,
} from './memory-store'
import { type MessageRow, readBody, type SessionRow } from './session-store'
import type { SpaceCore } from './space-core'
import type { SpaceKeys } from './space-keys'
import { unit } from './vector-code'

/** What an agent remembers of the user, as the user sees it. Times in milliseconds since 1970. */
export interface RememberedView {
  agentName: string
  content: string
  points: string[]
  fromAnonymous: boolean
  updatedAt: number
}

/** A memory on its way to another object: in memory alone, never in a queue or on disk. */
export interface CarriedMemory {
  id: string
  draft: Omit<MemoryDraft, 'replaces'>
  agentName: string
  madeBy: MemoryMaker
  createdAt: number
  updatedAt: number
}

/** What another space of the user remembered, sealed for this one and not yet in force. */
export interface ArrivingMemories {
  memories: MemoryRow[]
  profiles: { agent_name: string; body_sealed: string; updated_at: number }[]
}

type Refusable<T> = { ok: true; value: T } | { ok: false; refusal: { reason: string } }
type Found = ModelMemories & { madeBy: MemoryMaker }

const NOTHING: Found = { drafts: [], profile: null, madeBy: 'rules' }

/**
 * What a space remembers of its user: learnt from the user's own words in the background, recalled in turns. Opened
 * memories stay in the awake object, so that a turn reads storage for them at most once.
 */
export class Memories {
  readonly #core: SpaceCore
  readonly #store: MemoryStore
  readonly #onChange: (changed: number) => void
  #active: Promise<Map<string, OpenMemory>> | null = null
  /** Writers go one after the other: each compares with what the one before left. */
  #writing: Promise<unknown> = Promise.resolve()

  /** @param onChange hears how many memories a write added, took away or confirmed. */
  constructor(core: SpaceCore, onChange: (changed: number) => void) {
    this.#core = core
    this.#onChange = onChange
    this.#store = new MemoryStore(core.storage.sql)
  }

  /** Nothing opened stays: the user's key is gone. */
  forgetOpened(): void {
    this.#active = null
  }

  /** Everything in force, opened; vectors of length one where there are any. */
  async inForce(keys: SpaceKeys): Promise<OpenMemory[]> {
    return [...(await this.#load(keys)).values()]
  }

  /** Opens what is remembered, once. @returns how much that is, in memories. */
  async ready(keys: SpaceKeys): Promise<number> {
    return (await this.#load(keys)).size
  }

  async #load(keys: SpaceKeys): Promise<Map<string, OpenMemory>> {
    this.#active ??= this.#store
      .loadActive(keys)
      .then((memories) => new Map(memories.map((memory) => [memory.id, memory])))
    const active = this.#active
    const memories = await active.catch((error: unknown) => {
      if (this.#active === active) this.#active = null
      throw error
    })
    if (this.#core.privacy) this.#dropVectors(memories)
    return memories
  }

  /** Privacy mode keeps no vectors; those made before it was switched on go with the next call. */
  #dropVectors(memories: Map<string, OpenMemory>): void {
    const withVector = [...memories.values()].filter((memory) => memory.trained)
    if (withVector.length === 0) return
    this.#store.dropVectors()
    for (const memory of withVector) memory.trained = null
  }

  /**
   * What is worth knowing for a question, best first, each as one line.
   * @param embedQuestion asked only when there is more than fits, and vectors to compare with.
   */
  async recall(
    keys: SpaceKeys,
    question: string,
    embedQuestion: () => Promise<Embeddings | null>,
    now: number,
  ): Promise<string[]> {
    const memories = [...(await this.#load(keys)).values()]
    if (memories.length === 0) return []
    const smallTalk = detectSmallTalk(question) !== null
    const trained =
      !smallTalk && memories.length > MEMORY.recalled && memories.some((memory) => memory.trained)
        ? await embedQuestion()
        : null
    const values = trained?.vectors[0]
    const asked = values ? unit(values) : null
    const statistical = Float32Array.from(embedOffline(question))
    const similarity = (memory: OpenMemory): number => {
      if (smallTalk) return 0
      const byText = similarityOf(dot(statistical, memory.statistical), false)
      if (!asked || memory.trained?.embedder !== trained?.model) return byText
      return Math.max(byText, similarityOf(dot(asked, memory.trained?.values), true))
    }
    const weighed = memories.map((memory) => {
      const { kind, importance, updatedAt, content } = memory
      return { kind, importance, updatedAt, content, similarity: similarity(memory) }
    })
    // Few enough to be shown whole: the order alone is left to decide.
    const few = memories.length <= MEMORY.recalled && !smallTalk
    const best = few ? rankMemories(weighed, now, 0) : rankMemories(weighed, now)
    return best.map(
      ({ kind, updatedAt, content }) =>
        `(${kind}, ${new Date(updatedAt).toISOString().slice(0, 10)}) ${content}`,
    )
  }

  /** Learns from the question of a finished turn. Safe to run twice. */
  async learn(ctx: BackgroundContext, sessionId: string, replyId: string): Promise<void> {
    const keys = await this.#core.keys()
    const reply = keys ? this.#core.store.message(sessionId, replyId) : undefined
    if (!reply || !keys || reply.status === 'failed') return
    // A refused message is not somebody telling about themselves.
    const said = await readBody(keys, reply)
    if (said === null || said.finishReason === 'guard') return
    const question = this.#core.store.questionOf(sessionId, replyId)
    if (!question || this.#store.ofMessage(question.id).length > 0) return
    await this.#study(ctx, keys, question, false)
  }

  /** Learns anew from an edited message: what the old words said is forgotten, whatever the new ones say. Safe to run twice. */
  async relearn(ctx: BackgroundContext, sessionId: string, messageId: string): Promise<void> {
    const keys = await this.#core.keys()
    const message = keys ? this.#core.store.message(sessionId, messageId) : undefined
    if (message?.role === 'user' && keys) await this.#study(ctx, keys, message, true)
  }

  async #study(
    ctx: BackgroundContext,
    keys: SpaceKeys,
    message: MessageRow,
    again: boolean,
  ): Promise<void> {
    const session = this.#core.store.session(message.session_id)
    if (!session) return
    const found = this.#core.remembers(session.id)
      ? await this.#find(ctx, keys, session, message)
      : NOTHING
    const vectors = this.#core.privacy
      ? null
      : await embedTexts(
          ctx,
          `${message.id}:vectors:${message.edited_at ?? 0}`,
          session.agent_id,
          found.drafts.map((draft) => draft.content),
        )
    await this.#exclusively(async () => {
      const now = this.#core.store.message(message.session_id, message.id)
      // Deleted or edited meanwhile: another job reads the new words.
      if (!now || now.edited_at !== message.edited_at) return
      if (again) await this.#removeOfMessage(keys, message.id)
      await this.#keep(keys, session, found, {
        messageId: message.id,
        vectorOf: (draft) => {
          const values = vectors?.vectors[found.drafts.indexOf(draft)]
          return vectors && values ? { embedder: vectors.embedder, values: unit(values) } : null
        },
      })
    })
  }

  /** Nothing without quota; by rules where there is no model, or it fails. */
  async #find(
    ctx: BackgroundContext,
    keys: SpaceKeys,
    session: SessionRow,
    message: MessageRow,
  ): Promise<Found> {
    const content = (await readBody(keys, message))?.content ?? ''
    const words = ownWords(content)
    if (!speaksOfSelf(words) || scanUserMessage(content)) return NOTHING
    const byRules = (): Found => ({ ...NOTHING, drafts: safe(extractByRules(words)) })
    if (resolveChatModel(ctx.env, null, ctx.own)?.info.learns === false) return byRules()
    const known = await this.#nearest(keys, words, message.id)
    const profile = await this.#store.profile(keys, session.agent_name)
    const answer = await callModel(ctx, {
      id: `${message.id}:memory:${message.edited_at ?? 0}`,
      agentId: session.agent_id,
      kind: 'memory',
      task: 'summary',
      order: MEMORY_ORDER,
      text: askForMemories(words, known, profile?.content ?? '', crypto.randomUUID().slice(0, 8)),
      maxTokens: MEMORY_TOKENS,
    })
    if (!answer.ok) return answer.reason === 'quota' ? NOTHING : byRules()
    const read = readModelMemories(answer.text, known)
    return read ? { ...read, drafts: safe(read.drafts), madeBy: 'model' } : byRules()
  }

  async #nearest(keys: SpaceKeys, words: string, messageId: string): Promise<OpenMemory[]> {
    const asked = Float32Array.from(embedOffline(words))
    return [...(await this.#load(keys)).values()]
      .filter((memory) => memory.messageId !== messageId)
      .map((memory) => ({ memory, near: dot(asked, memory.statistical) }))
      .sort((one, other) => other.near - one.near)
      .slice(0, MEMORY.compared)
      .map(({ memory }) => memory)
  }

  async #keep(
    keys: SpaceKeys,
    session: SessionRow,
    found: Found,
    from: { messageId: string; vectorOf: (draft: MemoryDraft) => NewMemory['vector'] },
  ): Promise<void> {
    const active = await this.#load(keys)
    const plan = mergeMemories([...active.values()], found.drafts)
    if (plan.add.length === 0 && plan.confirm.length === 0 && found.profile === null) return
    const now = Date.now()
    const agentName = session.agent_name
    const sealed = await Promise.all(
      plan.add.map(async ({ draft, supersedes }) => ({
        supersedes,
        memory: await this.#store.seal(keys, {
          id: this.#core.mint(now),
          draft,
          madeBy: found.madeBy,
          agentName,
          sessionId: session.id,
          messageId: from.messageId,
          carriedFrom: null,
          vector: from.vectorOf(draft),
          createdAt: now,
          updatedAt: now,
        }),
      })),
    )
    const profile =
      found.profile === null
        ? null
        : await keys.seal('remembered', 'body', agentName, found.profile)
    const superseded = plan.add.flatMap(({ supersedes }) => supersedes)
    this.#core.storage.transactionSync(() => {
      for (const { memory, supersedes } of sealed) {
        // Privacy mode may have begun while this one was embedded.
        this.#store.add(this.#core.privacy ? withoutVector(memory) : memory)
        for (const id of supersedes) this.#store.supersede(id, memory.memory.id)
      }
      for (const id of plan.confirm) this.#store.touch(id, now)
      if (profile !== null) this.#store.setProfile(agentName, profile, now)
      // A summary that may say what is no longer true is made anew by the next extraction.
      else if (superseded.length > 0) this.#store.removeProfile(agentName)
      if (superseded.length > 0) this.#store.trimSuperseded(MEMORY.superseded)
    })
    for (const id of superseded) active.delete(id)
    for (const { memory } of sealed) active.set(memory.memory.id, asOpen(memory))
    for (const id of plan.confirm) {
      const memory = active.get(id)
      if (memory) memory.updatedAt = now
    }
    this.#trim(active, now)
    this.#onChange(plan.add.length + superseded.length + plan.confirm.length)
  }

  /** Beyond the limit the least important and oldest go. */
  #trim(active: Map<string, OpenMemory>, now: number): void {
    if (active.size <= MEMORY.active) return
    const ids = [...active.values()]
      .map((memory) => ({ id: memory.id, score: scoreMemory({ ...memory, similarity: 0 }, now) }))
      .sort((one, other) => one.score - other.score)
      .slice(0, active.size - MEMORY.active)
      .map(({ id }) => id)
    if (this.#store.remove(ids)) this.#active = null
    for (const id of ids) active.delete(id)
  }

  /** A message was deleted: what was learnt from it goes with it. */
  async forgetMessage(messageId: string): Promise<void> {
    const keys = await this.#core.keys()
    if (keys) await this.#exclusively(() => this.#removeOfMessage(keys, messageId))
  }

  async #removeOfMessage(keys: SpaceKeys, messageId: string): Promise<void> {
    const rows = this.#store.ofMessage(messageId)
    if (rows.length === 0) return
    const active = await this.#load(keys)
    const ids = rows.map((row) => row.id)
    const returned = this.#core.storage.transactionSync(() => {
      for (const agentName of new Set(rows.map((row) => row.agent_name)))
        this.#store.removeProfile(agentName)
      return this.#store.remove(ids)
    })
    if (returned) this.#active = null
    for (const id of ids) active.delete(id)
    this.#onChange(ids.length)
  }

  /** What each agent remembers, by name. */
  list(caller: SpaceCaller): Promise<Refusable<RememberedView[]>> {
    return this.#with(caller, 'read', async (keys) => {
      const memories = [...(await this.#load(keys)).values()]
      const names = new Set([
        ...memories.map((memory) => memory.agentName),
        ...this.#store.profiledAgents(),
      ])
      const views = await Promise.all(
        [...names].sort().map((name) => this.#view(keys, name, memories)),
      )
      return { ok: true, value: views }
    })
  }

  /** Everything in force, the latest first, as the tenant sees it. */
  listAll(caller: SpaceCaller): Promise<Refusable<MemoryView[]>> {
    return this.#with(caller, 'read', async (keys) => ({
      ok: true,
      value: await this.#store.viewActive(keys),
    }))
  }

  async #view(keys: SpaceKeys, agentName: string, memories: OpenMemory[]): Promise<RememberedView> {
    const profile = await this.#store.profile(keys, agentName)
    const own = memories
      .filter((memory) => memory.agentName === agentName)
      .sort((one, other) => other.importance - one.importance || other.updatedAt - one.updatedAt)
    const points = own.slice(0, MEMORY.points).map((memory) => memory.content)
    return {
      agentName,
      content: profile?.content ?? joinPoints(points),
      points,
      fromAnonymous: own.some((memory) => memory.carried),
      updatedAt: Math.max(profile?.updatedAt ?? 0, ...own.map((memory) => memory.updatedAt)),
    }
  }

  /** Forgets what was learnt with one agent, and nothing else. */
  forget(caller: SpaceCaller, agentName: string): Promise<Refusable<null>> {
    return this.#with(caller, 'write', (keys) =>
      this.#exclusively(async () => {
        const active = await this.#load(keys)
        const ids = this.#store.idsOfAgent(agentName)
        const { removed, returned } = this.#core.storage.transactionSync(() => ({
          returned: this.#store.remove(ids),
          removed: this.#store.removeProfile(agentName),
        }))
        if (returned) this.#active = null
        for (const id of ids) active.delete(id)
        this.#onChange(ids.length)
        return ids.length > 0 || removed
          ? { ok: true, value: null }
          : { ok: false, refusal: { reason: 'remembered' } }
      }),
    )
  }

  /** Everything in force, opened, to be carried to another object. */
  exportAll(caller: SpaceCaller): Promise<Refusable<CarriedMemory[]>> {
    return this.#with(caller, 'read', async (keys) => {
      const rows = [...(await this.#load(keys)).values()]
      const value = rows.map((memory) => ({
        id: memory.id,
        draft: {
          kind: memory.kind,
          topic: memory.topic,
          importance: memory.importance,
          content: memory.content,
          slot: memory.slot,
        },
        agentName: memory.agentName,
        madeBy: this.#store.row(memory.id)?.made_by ?? 'rules',
        createdAt: memory.createdAt,
        updatedAt: memory.updatedAt,
      }))
      return { ok: true, value }
    })
  }

  /** Takes memories over, once each whatever is repeated. What is already known here wins. @returns how many are new. */
  importAll(caller: SpaceCaller, carried: CarriedMemory[]): Promise<Refusable<number>> {
    return this.#with(caller, 'write', (keys) =>
      this.#exclusively(async () => {
        const active = await this.#load(keys)
        const fresh = carried.filter((item) => !this.#store.hasCarried(item.id))
        const drafts = fresh.map((item): MemoryDraft => ({ ...item.draft, replaces: [] }))
        const { add } = mergeMemories([...active.values()], drafts)
        const taken = new Set(add.flatMap((one) => (one.supersedes.length > 0 ? [] : [one.draft])))
        const kept = fresh.filter((_item, index) => {
          const draft = drafts[index]
          return draft !== undefined && taken.has(draft)
        })
        const sealed = await Promise.all(
          kept.map((item) =>
            this.#store.seal(keys, {
              id: this.#core.mint(Date.now()),
              draft: { ...item.draft, replaces: [] },
              madeBy: item.madeBy,
              agentName: item.agentName,
              sessionId: null,
              messageId: null,
              carriedFrom: item.id,
              vector: null,
              createdAt: item.createdAt,
              updatedAt: item.updatedAt,
            }),
          ),
        )
        this.#core.storage.transactionSync(() => {
          for (const memory of sealed) this.#store.add(memory)
        })
        for (const memory of sealed) active.set(memory.memory.id, asOpen(memory))
        this.#trim(active, Date.now())
        return { ok: true, value: sealed.length }
      }),
    )
  }

  /** Forgets these memories: they were carried elsewhere. */
  dropCarried(caller: SpaceCaller, ids: string[]): Promise<Refusable<null>> {
    return this.#with(caller, 'write', (keys) =>
      this.#exclusively(async () => {
        const active = await this.#load(keys)
        const agents = new Set(ids.flatMap((id) => active.get(id)?.agentName ?? []))
        this.#core.storage.transactionSync(() => {
          // First, so that nothing older becomes true again here.
          this.#store.trimSuperseded(0)
          this.#store.remove(ids)
          for (const agentName of agents) this.#store.removeProfile(agentName)
        })
        for (const id of ids) active.delete(id)
        return { ok: true, value: null }
      }),
    )
  }

  /**
   * Another space's memories come into force beside those of this one: of two that say the same, or cannot both be true,
   * the newer stands, and two summaries of one agent become one.
   * @param show makes what arrived visible in one transaction, with the function it is given as its last step.
   */
  adopt(
    keys: SpaceKeys,
    arriving: ArrivingMemories,
    show: (settle: () => void) => Promise<void>,
  ): Promise<void> {
    return this.#exclusively(async () => {
      const mine = [...(await this.#load(keys)).values()]
      const opened = await Promise.all(
        arriving.memories
          .filter((row) => row.superseded_by === null)
          .map((row) => readMemory(keys, row)),
      )
      const theirs = opened.filter((memory) => memory !== null)
      const settled = settleMemories(mine, theirs)
      const known = new Map([...mine, ...theirs].map((memory) => [memory.id, memory]))
      // A summary that may say what is no longer true is made anew by the next extraction.
      const stale = new Set(
        settled.flatMap(({ id, by }) => {
          const [falls, stands] = [known.get(id), known.get(by)]
          const isRepeat = wordsOf(falls?.content ?? '') === wordsOf(stands?.content ?? '')
          return isRepeat || !falls ? [] : [falls.agentName]
        }),
      )
      const joined = new Map<string, { sealed: string; updatedAt: number } | null>()
      for (const row of arriving.profiles) {
        const name = row.agent_name
        const own = await this.#store.profile(keys, name)
        const other = await keys.read('remembered', 'body', name, row.body_sealed)
        if (other === null || stale.has(name)) continue
        if (!own) {
          // In the place of one that does not open, too.
          joined.set(name, { sealed: row.body_sealed, updatedAt: row.updated_at })
          continue
        }
        const text =
          own.updatedAt >= row.updated_at
            ? joinSummaries(own.content, other)
            : joinSummaries(other, own.content)
        const updatedAt = Math.max(own.updatedAt, row.updated_at)
        joined.set(
          name,
          text === null
            ? null
            : { sealed: await keys.seal('remembered', 'body', name, text), updatedAt },
        )
      }
      await show(() => {
        for (const { id, by } of settled) this.#store.supersede(id, by)
        for (const [name, profile] of joined) {
          if (profile) this.#store.setProfile(name, profile.sealed, profile.updatedAt)
          else this.#store.removeProfile(name)
        }
        for (const name of stale) this.#store.removeProfile(name)
      })
      this.#active = null
      if (theirs.length > 0) this.#onChange(theirs.length)
    })
  }

  /** Privacy mode was switched on. */
  dropVectors(): void {
    this.#store.dropVectors()
    this.#active = null
  }

  /** Stored vectors; none in privacy mode. */
  countVectors(): number {
    return this.#store.countVectors()
  }

  #with<T>(
    caller: SpaceCaller,
    access: Access,
    work: (keys: SpaceKeys) => Promise<Refusable<T>>,
  ): Promise<Refusable<T>> {
    return this.#core.freeze.during(async () => {
      const refusal = await this.#core.enter(caller, access)
      if (refusal) return { ok: false, refusal }
      const keys = await this.#core.keys()
      return keys ? work(keys) : { ok: false, refusal: { reason: 'user_gone' } }
    })
  }

  #exclusively<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#writing.then(work)
    this.#writing = result.catch(() => undefined)
    return result
  }
}

/** A text that gives orders to the model is no memory, whoever wrote it down. */
function safe(drafts: MemoryDraft[]): MemoryDraft[] {
  return drafts.filter((draft) => !scanForInjection(draft.content))
}

const withoutVector = (sealed: SealedMemory): SealedMemory => ({
  memory: { ...sealed.memory, vector: null },
  bodySealed: sealed.bodySealed,
  vectorSealed: null,
})

function joinPoints(points: string[]): string {
  let text = ''
  for (const point of points) {
    if (text.length + point.length >= MEMORY.profileLength) break
    text += text === '' ? point : ` ${point}`
  }
  return text
}
