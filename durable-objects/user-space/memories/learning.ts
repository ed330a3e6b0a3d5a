import { scanForInjection, scanUserMessage } from '../../../src/chat/guard'
import { MEMORY } from '../../../src/config/limits'
import { loadLearn } from '../../../src/lazy'
import {
  askForMemories,
  MEMORY_ORDER,
  MEMORY_TOKENS,
  type ModelMemories,
  readModelMemories,
} from '../../../src/memory/ask-model'
import { mergeMemories } from '../../../src/memory/merge-memories'
import type { MemoryDraft, MemoryMaker } from '../../../src/memory/types'
import { resolveChatModel } from '../../../src/models/chat-model'
import { dot } from '../../../src/sessions/near-titles'
import { speaksOfSelf } from '../../../src/text/speaks-of-self'
import { embedOffline } from '../../../src/text/statistical-vectors'
import { type BackgroundContext, callModel, embedTexts } from '../core/background-call'
import type { SpaceKeys } from '../core/space-keys'
import { unit } from '../core/vector-code'
import { readBody } from '../sessions/message-body'
import type { MessageRow } from '../sessions/message-store'
import type { SessionRow } from '../sessions/session-row'
import { MemoryPart } from './memory-part'
import { asOpen, type NewMemory, type OpenMemory, type SealedMemory } from './open-memory'

type Found = ModelMemories & { madeBy: MemoryMaker }

const NOTHING: Found = { drafts: [], profile: null, madeBy: 'rules' }

/** What the user tells of themselves is learnt from their own words, in the background. */
export class Learning extends MemoryPart {
  /** Learns from the question of a finished turn. Safe to run twice. */
  async learn(ctx: BackgroundContext, sessionId: string, replyId: string): Promise<void> {
    const keys = await this.core.keys()
    const reply = keys ? this.core.stores.messages.get(sessionId, replyId) : undefined
    if (!reply || !keys || reply.status === 'failed') return
    // A refused message is not somebody telling about themselves.
    const said = await readBody(keys, reply)
    if (said === null || said.finishReason === 'guard') return
    const question = this.core.stores.messages.questionOf(sessionId, replyId)
    if (!question || this.store.ofMessage(question.id).length > 0) return
    await this.#study(ctx, keys, question, false)
  }

  /** Learns anew from an edited message: what the old words said is forgotten, whatever the new ones say. Safe to run twice. */
  async relearn(sessionId: string, messageId: string): Promise<void> {
    const ctx = await this.core.background()
    const keys = ctx && (await this.core.keys())
    const message = keys && this.core.stores.messages.get(sessionId, messageId)
    if (ctx && keys && message?.role === 'user') await this.#study(ctx, keys, message, true)
  }

  async #study(
    ctx: BackgroundContext,
    keys: SpaceKeys,
    message: MessageRow,
    again: boolean,
  ): Promise<void> {
    const session = this.core.stores.sessions.get(message.session_id)
    if (!session) return
    const found =
      this.core.remembers(session.id) && message.left_with === null
        ? await this.#find(ctx, keys, session, message)
        : NOTHING
    const vectors = this.core.privacy
      ? null
      : await embedTexts(
          ctx,
          `${message.id}:vectors:${message.edited_at ?? 0}`,
          session.agent_id,
          found.drafts.map((draft) => draft.content),
        )
    await this.open.exclusively(async () => {
      const now = this.core.stores.messages.get(message.session_id, message.id)
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
    const { extractByRules, ownWords, ...rules } = await loadLearn()
    const words = ownWords(content)
    if (!speaksOfSelf(words) || scanUserMessage(content)) return NOTHING
    const byRules = (): Found => ({ ...NOTHING, drafts: safe(extractByRules(words)) })
    if (resolveChatModel(ctx.env, null, ctx.own)?.info.learns === false) return byRules()
    const known = await this.#nearest(keys, words, message.id)
    const profile = await this.store.profile(keys, session.agent_name)
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
    const read = readModelMemories(answer.text, known, rules)
    return read ? { ...read, drafts: safe(read.drafts), madeBy: 'model' } : byRules()
  }

  async #nearest(keys: SpaceKeys, words: string, messageId: string): Promise<OpenMemory[]> {
    const asked = Float32Array.from(embedOffline(words))
    return [...(await this.open.load(keys)).values()]
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
    const active = await this.open.load(keys)
    const plan = mergeMemories([...active.values()], found.drafts)
    if (plan.add.length === 0 && plan.confirm.length === 0 && found.profile === null) return
    const now = Date.now()
    const agentName = session.agent_name
    const sealed = await Promise.all(
      plan.add.map(async ({ draft, supersedes }) => ({
        supersedes,
        memory: await this.store.seal(keys, {
          id: this.core.mint(now),
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
    this.core.storage.transactionSync(() => {
      for (const { memory, supersedes } of sealed) {
        // Privacy mode may have begun while this one was embedded.
        this.store.add(this.core.privacy ? withoutVector(memory) : memory)
        for (const id of supersedes) this.store.supersede(id, memory.memory.id)
      }
      for (const id of plan.confirm) this.store.touch(id, now)
      if (profile !== null) this.store.setProfile(agentName, profile, now)
      // A summary that may say what is no longer true is made anew by the next extraction.
      else if (superseded.length > 0) this.store.removeProfile(agentName)
      if (superseded.length > 0) this.store.trimSuperseded(MEMORY.superseded)
    })
    for (const id of superseded) active.delete(id)
    for (const { memory } of sealed) active.set(memory.memory.id, asOpen(memory))
    for (const id of plan.confirm) {
      const memory = active.get(id)
      if (memory) memory.updatedAt = now
    }
    this.open.trim(active, now)
    this.onChange(plan.add.length + superseded.length + plan.confirm.length)
  }

  /** A message was deleted: what was learnt from it goes with it. */
  forgetMessage(keys: SpaceKeys, messageId: string): Promise<void> {
    return this.open.exclusively(() => this.#removeOfMessage(keys, messageId))
  }

  async #removeOfMessage(keys: SpaceKeys, messageId: string): Promise<void> {
    const rows = this.store.ofMessage(messageId)
    if (rows.length === 0) return
    const active = await this.open.load(keys)
    const ids = rows.map((row) => row.id)
    const returned = this.core.storage.transactionSync(() => {
      for (const agentName of new Set(rows.map((row) => row.agent_name)))
        this.store.removeProfile(agentName)
      return this.store.remove(ids)
    })
    if (returned) this.open.forget()
    for (const id of ids) active.delete(id)
    this.onChange(ids.length)
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
