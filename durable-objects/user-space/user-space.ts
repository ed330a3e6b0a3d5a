import { DurableObject } from 'cloudflare:workers'
import { charsBefore, encodeEvent, encodeText, type Source } from '../../src/chat/events'
import { outputLimit, runTurn, type TurnOutcome, type TurnPorts } from '../../src/chat/run-turn'
import { hideDetails, presentSource } from '../../src/chat/sources'
import type {
  FinishedTurn,
  SpaceCaller,
  StartedTurn,
  TurnRefusal,
  TurnRequest,
} from '../../src/chat/turn'
import { configOf, HOUR_MS, LIMITS, MINUTE_MS } from '../../src/config'
import type { Job } from '../../src/jobs/job'
import { egressContext } from '../../src/platform/egress-context'
import { attachmentPath } from '../../src/platform/files'
import { newTaggedId } from '../../src/platform/ids'
import { createLog } from '../../src/platform/log'
import { type ResolvedModel, resolveChatModel } from '../../src/platform/models/chat-model'
import { embed } from '../../src/platform/models/embedding'
import { estimateTokens } from '../../src/platform/models/tokens'
import { sendJobs } from '../../src/platform/queue'
import { knowledgeBase, type SpaceAddress, tenantMeter } from '../../src/platform/stubs'
import { fetchWeather } from '../../src/platform/weather'
import type { UsageEntry } from '../../src/usage/meter-types'
import { migrate } from '../migrate'
import { afterTurn } from './after-turn'
import { LiveTurn } from './live-turn'
import { SPACE_MIGRATIONS } from './schema'
import {
  type MessageStatus,
  type OpenMessage,
  openBody,
  SessionStore,
  sealBody,
  type TurnRow,
} from './session-store'
import { SpaceKeys } from './space-keys'

const WATCH_MS = MINUTE_MS
const AUTHORITY_CHECK_MS = 15_000
const TURN_DEADLINE_MS = 5 * MINUTE_MS
const REPLAY_MS = LIMITS.streamReplayMinutes * MINUTE_MS
/** What one retrieved passage may weigh in the prompt, at most. */
const PASSAGE_TOKENS = 1_000
const SESSIONS_REMEMBERED = 20
const STOPPED = new Error('stopped')

interface Outbox {
  settle: UsageEntry[]
  jobs: Job[]
}

/** One user's space of one tenant: its sessions and the turns in them. The object owns a turn, not the connection. */
export class UserSpace extends DurableObject<Env> {
  readonly #store: SessionStore
  readonly #live = new Map<string, LiveTurn>()
  readonly #busy = new Map<string, string>()
  /** Opened messages of recent sessions; only a cache of what is stored. */
  readonly #recent = new Map<string, OpenMessage[]>()
  #address: SpaceAddress | null = null
  #wrappedTenantKey = ''
  #tag = 0
  #tokenVersion = 1
  #ceiling: number | null = null
  #keys: SpaceKeys | null = null
  #recovered = false
  #alarmAt: number | null = null

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    this.#store = new SessionStore(ctx.storage.sql)
    void ctx.blockConcurrencyWhile(async () => {
      migrate(ctx.storage, SPACE_MIGRATIONS)
      const address = this.#store.fact('address')
      if (address !== null) this.#address = JSON.parse(address) as SpaceAddress
      this.#wrappedTenantKey = this.#store.fact('tenant_key') ?? ''
      this.#tag = Number(this.#store.fact('tag') ?? 0)
      this.#ceiling = JSON.parse(this.#store.fact('ceiling') ?? 'null') as number | null
      this.#tokenVersion = Number(this.#store.fact('token_version') ?? 1)
      this.#alarmAt = await ctx.storage.getAlarm()
    })
  }

  /** Admits a turn, runs it detached from the caller, and returns its frames as server-sent events. */
  async startTurn(request: TurnRequest): Promise<StartedTurn> {
    const begun = await this.#begin(request)
    if ('reason' in begun) return { ok: false, refusal: begun }
    if ('frames' in begun)
      return {
        ok: true,
        sessionId: begun.sessionId,
        messageId: begun.messageId,
        stream: begun.frames,
      }
    return {
      ok: true,
      sessionId: begun.sessionId,
      messageId: begun.messageId,
      stream: begun.listen(0),
    }
  }

  /** As `startTurn`, but answers once the turn is over. The turn goes on if the caller leaves. */
  async completeTurn(request: TurnRequest): Promise<FinishedTurn> {
    const begun = await this.#begin(request)
    if ('reason' in begun) return { ok: false, refusal: begun }
    if ('frames' in begun) return this.#stored(begun.messageId)
    return begun.finished
  }

  /** Frames of a turn after an event id, while it runs and ten minutes after its end. */
  async resumeTurn(
    caller: SpaceCaller,
    messageId: string,
    afterId: number,
  ): Promise<
    { ok: true; stream: ReadableStream<Uint8Array> } | { ok: false; refusal: TurnRefusal }
  > {
    const refusal = await this.#enter(caller)
    if (refusal) return { ok: false, refusal }
    const live = this.#live.get(messageId)
    if (live) return { ok: true, stream: live.listen(afterId) }
    const frames = await this.#replay(messageId, afterId)
    return frames ? { ok: true, stream: frames } : { ok: false, refusal: { reason: 'session' } }
  }

  /** Stops a session's running turn and keeps what was said. @returns whether there was one. */
  async stopTurn(
    caller: SpaceCaller,
    sessionId: string,
  ): Promise<{ ok: true; stopped: boolean } | { ok: false; refusal: TurnRefusal }> {
    const refusal = await this.#enter(caller)
    if (refusal) return { ok: false, refusal }
    if (!this.#store.session(sessionId)) return { ok: false, refusal: { reason: 'session' } }
    const live = this.#live.get(this.#busy.get(sessionId) ?? '')
    if (!live || live.ended) return { ok: true, stopped: false }
    live.abort.abort(STOPPED)
    await live.finished
    return { ok: true, stopped: true }
  }

  /** Background work after a turn: a title for a new session, a summary of what left the history. */
  async afterTurn(sessionId: string, messageId: string): Promise<void> {
    if (!this.#address) return
    const keys = await this.#openKeys()
    if (!keys) return
    await afterTurn(
      { env: this.env, store: this.#store, keys, address: this.#address, ceiling: this.#ceiling },
      sessionId,
      messageId,
    )
  }

  /** From now on tokens older than this version are refused; nothing of a deleted user is readable again. */
  async revoke(tokenVersion: number, forgetKey: boolean): Promise<void> {
    this.#tokenVersion = Math.max(this.#tokenVersion, tokenVersion)
    this.#store.setFact('token_version', String(this.#tokenVersion))
    if (!forgetKey) return
    this.#keys = null
    this.#recent.clear()
    for (const live of this.#live.values()) live.abort.abort(STOPPED)
  }

  async #openKeys(): Promise<SpaceKeys | null> {
    if (!this.#keys && this.#address)
      this.#keys = await SpaceKeys.load(this.env, this.#address, this.#wrappedTenantKey)
    return this.#keys
  }

  /** Checks the caller against what this object is; the first caller makes it what it is. */
  async #enter(caller: SpaceCaller): Promise<TurnRefusal | null> {
    const { tenantId, userId, spaceId } = caller.address
    if (!this.#address) {
      this.#address = { tenantId, userId, spaceId }
      this.#store.setFact('address', JSON.stringify(this.#address))
      this.#store.setFact('tag', String(caller.tag))
      this.#tag = caller.tag
    }
    const mine = this.#address
    if (mine.tenantId !== tenantId || mine.userId !== userId || mine.spaceId !== spaceId)
      return { reason: 'session' }
    if (caller.tokenVersion !== null && caller.tokenVersion < this.#tokenVersion)
      return { reason: 'token' }
    if (this.#wrappedTenantKey !== caller.wrappedTenantKey) {
      this.#wrappedTenantKey = caller.wrappedTenantKey
      this.#store.setFact('tenant_key', caller.wrappedTenantKey)
    }
    if (!(await this.#openKeys())) return { reason: 'user_gone' }
    if (!this.#recovered) {
      this.#recovered = true
      await this.#recover()
    }
    return null
  }

  async #begin(
    request: TurnRequest,
  ): Promise<
    | LiveTurn
    | TurnRefusal
    | { frames: ReadableStream<Uint8Array>; sessionId: string; messageId: string }
  > {
    const refusal = await this.#enter(request.caller)
    if (refusal) return refusal
    const keys = this.#keys
    if (!keys) return { reason: 'user_gone' }
    if (this.#ceiling !== request.ceiling) {
      this.#ceiling = request.ceiling
      this.#store.setFact('ceiling', JSON.stringify(request.ceiling))
    }
    const repeat = this.#findRepeat(request)
    if (repeat && 'reason' in repeat) return repeat
    if (repeat) {
      const live = this.#live.get(repeat.messageId)
      const frames = live ? live.listen(0) : await this.#replay(repeat.messageId, 0)
      if (frames) return { frames, ...repeat }
    }

    const session =
      request.sessionId !== null
        ? this.#store.session(request.sessionId)
        : request.sessionAlias !== null
          ? this.#store.sessionByAlias(request.sessionAlias)
          : undefined
    if (request.sessionId !== null && !session) return { reason: 'session' }
    if (session && !request.agentNamed && session.agent_id !== request.agent.id)
      return { reason: 'agent', agentName: session.agent_name }
    const sessionId = session?.id ?? newTaggedId(this.#tag, request.now)
    if (this.#busy.has(sessionId)) return { reason: 'busy' }

    // Minted in this order: within a session, ids sort as the messages were said.
    const userMessageId = newTaggedId(this.#tag, request.now)
    const messageId = newTaggedId(this.#tag, request.now)
    this.#busy.set(sessionId, messageId)
    try {
      const history = await this.#history(keys, request, session?.id ?? null)
      const summary =
        session?.summary_sealed && request.history === null
          ? await keys.open('sessions', 'summary', session.id, session.summary_sealed)
          : ''
      const promptBound = boundPrompt(request, history, summary)
      const expiresAt = Date.now() + TURN_DEADLINE_MS + MINUTE_MS
      const admitted = await tenantMeter(this.env, request.caller.address.tenantId).admit({
        id: messageId,
        keyId: request.keyId,
        windows: [
          { name: `chat ${request.caller.address.userId}`, ...request.rates.user },
          { name: 'chat', ...request.rates.tenant },
        ],
        tokens: promptBound + outputLimit(request),
        ceiling: request.ceiling,
        expiresAt,
      })
      if (!admitted.ok) {
        this.#busy.delete(sessionId)
        return admitted
      }
      this.#dropOldTurns()
      const live = new LiveTurn(messageId, sessionId)
      await this.#storeQuestion(keys, request, live, userMessageId, session === undefined)
      this.#live.set(messageId, live)
      live.publish({
        type: 'session',
        session_id: sessionId,
        message_id: messageId,
        agent: request.agent.name,
      })
      if (request.transcript !== null)
        live.publish({ type: 'transcript', text: request.transcript })
      void this.#run(keys, request, live, history, summary, promptBound)
      return live
    } catch (error) {
      this.#busy.delete(sessionId)
      throw error
    }
  }

  #findRepeat({
    idempotency,
    now,
  }: TurnRequest): TurnRefusal | { sessionId: string; messageId: string } | null {
    if (!idempotency) return null
    this.#store.dropRepeats(now - LIMITS.idempotencyHours * HOUR_MS)
    const row = this.#store.repeat(idempotency.key)
    if (!row) return null
    if (row.body_hash !== idempotency.bodyHash) return { reason: 'repeat_differs' }
    const live = this.#live.get(row.message_id)
    if (live && !live.ended) return { reason: 'repeat_running' }
    return { sessionId: row.session_id, messageId: row.message_id }
  }

  async #history(keys: SpaceKeys, request: TurnRequest, sessionId: string | null) {
    if (request.history) return request.history
    const window = request.agent.config.history_window ?? LIMITS.historyWindow.default
    if (sessionId === null || window === 0) return []
    let messages = this.#recent.get(sessionId)
    if (!messages) {
      messages = await this.#store.lastMessages(keys, sessionId, LIMITS.historyWindow.max)
      this.#remember(sessionId, messages)
    }
    return messages
      .filter(
        (message, index) =>
          message.status !== 'failed' &&
          messages?.[index + 1]?.status !== 'failed' &&
          message.content !== '',
      )
      .slice(-window)
      .map(({ role, content }) => ({ role, content }))
  }

  #remember(sessionId: string, messages: OpenMessage[]): void {
    this.#recent.delete(sessionId)
    this.#recent.set(sessionId, messages.slice(-LIMITS.historyWindow.max))
    const oldest = this.#recent.keys().next().value
    if (this.#recent.size > SESSIONS_REMEMBERED && oldest !== undefined) this.#recent.delete(oldest)
  }

  /** The user's message is durable before the model is called. */
  async #storeQuestion(
    keys: SpaceKeys,
    request: TurnRequest,
    live: LiveTurn,
    userMessageId: string,
    isNew: boolean,
  ): Promise<void> {
    const sealed = await sealBody(keys, userMessageId, {
      content: request.message,
      ...(request.transcript === null ? {} : { transcript: request.transcript }),
    })
    const attachments = await this.#storeImages(keys, request)
    this.ctx.storage.transactionSync(() => {
      if (isNew) {
        this.#store.addSession({
          id: live.sessionId,
          agentId: request.agent.id,
          agentName: request.agent.name,
          channel: request.channel,
          alias: request.sessionAlias,
          now: request.now,
        })
      }
      this.#store.addMessage({
        sessionId: live.sessionId,
        id: userMessageId,
        role: 'user',
        agentName: null,
        status: 'complete',
        sealed,
        now: request.now,
      })
      for (const image of attachments)
        this.#store.addAttachment({
          ...image,
          sessionId: live.sessionId,
          messageId: userMessageId,
          now: request.now,
        })
      this.#store.beginTurn({
        id: live.messageId,
        session_id: live.sessionId,
        user_message_id: userMessageId,
        agent_id: request.agent.id,
        agent_name: request.agent.name,
        started_at: request.now,
      })
      if (request.idempotency)
        this.#store.addRepeat(
          request.idempotency.key,
          request.idempotency.bodyHash,
          live.messageId,
          live.sessionId,
          request.now,
        )
    })
    await this.#watch()
    const recent = this.#recent.get(live.sessionId) ?? []
    this.#remember(live.sessionId, [
      ...recent,
      { id: userMessageId, role: 'user', status: 'complete', content: request.message },
    ])
  }

  async #storeImages(keys: SpaceKeys, request: TurnRequest) {
    return Promise.all(
      request.images.map(async (image) => {
        const id = newTaggedId(this.#tag, request.now)
        const { sealed, wrappedKey } = await keys.sealAttachment(id, image.bytes)
        await this.env.FILES.put(attachmentPath(request.caller.address, id), sealed)
        return {
          id,
          mime: image.mime,
          nameSealed: await keys.seal('attachments', 'name', id, image.name),
          size: image.bytes.length,
          wrappedKey,
        }
      }),
    )
  }

  async #watch(): Promise<void> {
    if (this.#alarmAt !== null && this.#alarmAt > Date.now()) return
    this.#alarmAt = Date.now() + WATCH_MS
    await this.ctx.storage.setAlarm(this.#alarmAt)
  }

  async #run(
    keys: SpaceKeys,
    request: TurnRequest,
    live: LiveTurn,
    history: TurnRequest['history'],
    summary: string,
    promptBound: number,
  ): Promise<void> {
    const log = createLog('turn', { message_id: live.messageId, agent_id: request.agent.id })
    let spoken = ''
    let outcome: TurnOutcome
    let status: MessageStatus = 'complete'
    const model =
      resolveChatModel(this.env, request.agent.config.model) ?? resolveChatModel(this.env, null)
    if (!model) throw new Error('There is no chat model')
    // Pending timers keep the object awake, so both are taken back when the turn is over.
    const authority = setInterval(() => void this.#endIfRevoked(request, live), AUTHORITY_CHECK_MS)
    const deadline = setTimeout(
      () => live.abort.abort(new Error('The turn took too long')),
      TURN_DEADLINE_MS,
    )
    try {
      const events = runTurn(this.#ports(request, live, model, log), {
        request,
        history: history ?? [],
        summary,
      })
      for (;;) {
        const step = await events.next()
        if (step.done) {
          outcome = step.value
          break
        }
        if (step.value.type === 'token') spoken += step.value.text
        live.publish(step.value)
      }
    } catch (error) {
      const stopped = live.abort.signal.aborted && live.abort.signal.reason === STOPPED
      if (!stopped) log.error('turn_failed', error)
      status = stopped ? 'partial' : 'failed'
      const usage = {
        inputTokens: Math.min(promptBound, estimateTokens(request.message) + 1),
        outputTokens: estimateTokens(spoken),
        cachedTokens: 0,
      }
      outcome = {
        reply: spoken,
        finishReason: stopped ? 'stopped' : 'error',
        cited: [],
        model: model.name,
        usage,
        unsourced: [],
      }
    }
    try {
      await this.#finish(keys, request, live, outcome, status)
    } catch (error) {
      log.error('turn_not_saved', error)
      live.publish({
        type: 'error',
        code: 'internal',
        detail: 'Internal Server Error',
        retryable: true,
      })
      live.end({ ok: false, failed: { code: 'internal', detail: 'Internal Server Error' } })
    }
    this.#busy.delete(live.sessionId)
    clearTimeout(deadline)
    clearInterval(authority)
  }

  /** Rule CL10: a key revoked or a tenant suspended in the middle of a long turn ends it within one ping period. */
  async #endIfRevoked(request: TurnRequest, live: LiveTurn): Promise<void> {
    const mayAct = await tenantMeter(this.env, request.caller.address.tenantId)
      .mayAct(request.keyId)
      .catch(() => true)
    if (!mayAct) live.abort.abort(STOPPED)
  }

  #ports(
    request: TurnRequest,
    live: LiveTurn,
    model: ResolvedModel,
    log: ReturnType<typeof createLog>,
  ): TurnPorts {
    const { tenantId } = request.caller.address
    const config = configOf(this.env)
    const vectors = new Map<string, ReturnType<typeof embed>>()
    return {
      model,
      resolveModel: (name) => resolveChatModel(this.env, name),
      signal: live.abort.signal,
      nonce: crypto.randomUUID().slice(0, 8),
      onInjection: (rule) => log.warn('injection_withheld', { rule }),
      reserveStep: (tokens) =>
        tenantMeter(this.env, tenantId).extend(
          live.messageId,
          tokens,
          request.ceiling,
          Date.now() + TURN_DEADLINE_MS + MINUTE_MS,
        ),
      fetchWeather: (query) => fetchWeather(egressContext(config), config.weatherUrl, query),
      search: async (baseId, query, k) => {
        try {
          if (!vectors.has(query))
            vectors.set(
              query,
              embed([query], this.env).catch(() => null),
            )
          const embedded = await vectors.get(query)
          const values = embedded?.vectors[0]
          return await knowledgeBase(this.env, tenantId, baseId).search({
            tenantId,
            query,
            k,
            ...(embedded && values ? { vector: { embedder: embedded.model, values } } : {}),
          })
        } catch (error) {
          log.error('search_failed', error, { base_id: baseId })
          return null
        }
      },
    }
  }

  /** Reply, session and outbox commit together; only then do listeners hear that the turn is done. */
  async #finish(
    keys: SpaceKeys,
    request: TurnRequest,
    live: LiveTurn,
    outcome: TurnOutcome,
    status: MessageStatus,
  ): Promise<void> {
    const all = outcome.cited.map(presentSource)
    const usage = {
      model: outcome.model,
      input_tokens: outcome.usage.inputTokens,
      output_tokens: outcome.usage.outputTokens,
    }
    const sealed = await sealBody(keys, live.messageId, {
      content: outcome.reply,
      sources: all,
      finishReason: outcome.finishReason,
      usage,
      suggestions: [],
      transcript: request.transcript,
    })
    const outbox: Outbox = {
      settle: [usageEntry(request, outcome)],
      jobs: [
        {
          type: 'turn.after',
          ...request.caller.address,
          sessionId: live.sessionId,
          messageId: live.messageId,
        },
      ],
    }
    this.ctx.storage.transactionSync(() => {
      this.#store.addMessage({
        sessionId: live.sessionId,
        id: live.messageId,
        role: 'assistant',
        agentName: request.agent.name,
        status,
        sealed,
        now: Date.now(),
      })
      this.#store.closeTurn(live.sessionId, request.agent.id, request.agent.name, Date.now())
      this.#store.fillOutbox(live.messageId, JSON.stringify(outbox))
    })
    this.#remember(live.sessionId, [
      ...(this.#recent.get(live.sessionId) ?? []),
      { id: live.messageId, role: 'assistant', status, content: outcome.reply },
    ])
    await this.ctx.storage.sync()

    if (status === 'failed') {
      live.publish({ type: 'error', code: 'upstream', detail: 'Upstream error', retryable: true })
      live.end({ ok: false, failed: { code: 'upstream', detail: 'Upstream error' } })
    } else {
      const sources = this.#visible(request, all)
      const response = {
        session_id: live.sessionId,
        message_id: live.messageId,
        agent: request.agent.name,
        reply: outcome.reply,
        sources,
        transcript: request.transcript,
        suggestions: [],
        finish_reason: outcome.finishReason,
        usage,
      }
      live.publish({ type: 'sources', sources })
      live.publish({ type: 'done', response })
      live.end({ ok: true, response })
    }
    await this.#dispatch(live.messageId, outbox)
  }

  #visible(request: Pick<TurnRequest, 'seesSources' | 'agent'>, sources: Source[]): Source[] {
    return request.seesSources || request.agent.config.public_sources
      ? sources
      : sources.map(hideDetails)
  }

  /** What follows a stored turn; whatever fails here is taken up again by the alarm, and repeats change nothing. */
  async #dispatch(turnId: string, outbox: Outbox): Promise<void> {
    if (!this.#address) return
    try {
      await Promise.all([
        tenantMeter(this.env, this.#address.tenantId).settle(
          this.#address.tenantId,
          turnId,
          outbox.settle,
        ),
        sendJobs(this.env, outbox.jobs),
      ])
      this.#store.forgetTurn(turnId)
    } catch (error) {
      createLog('turn', { message_id: turnId }).error('dispatch_failed', error)
      await this.#watch()
    }
  }

  /** Frames of finished turns stay in memory for the replay's time, as long as the object happens to be awake. */
  #dropOldTurns(): void {
    for (const [id, live] of this.#live)
      if (live.endedAt !== null && live.endedAt < Date.now() - REPLAY_MS) this.#live.delete(id)
  }

  override async alarm(): Promise<void> {
    this.#alarmAt = null
    this.#dropOldTurns()
    try {
      await this.#recover()
    } catch (error) {
      createLog('user-space').error('recovery_failed', error)
    }
    if (this.#store.turns().length > 0) await this.#watch()
  }

  /** Turns that a crash cut off end as failed; turns that were stored but not handed on are handed on. */
  async #recover(): Promise<void> {
    for (const turn of this.#store.turns()) {
      if (turn.outbox !== null) {
        if (!this.#live.has(turn.id) || this.#live.get(turn.id)?.ended)
          await this.#dispatch(turn.id, JSON.parse(turn.outbox) as Outbox)
      } else if (!this.#live.has(turn.id) && this.#busy.get(turn.session_id) !== turn.id) {
        await this.#fail(turn)
      }
    }
  }

  async #fail(turn: TurnRow): Promise<void> {
    const keys = await this.#openKeys()
    if (!keys) return this.#store.forgetTurn(turn.id)
    const sealed = await sealBody(keys, turn.id, { content: '', finishReason: 'error' })
    if (this.#store.message(turn.session_id, turn.id)) return
    const outbox: Outbox = { settle: [], jobs: [] }
    this.ctx.storage.transactionSync(() => {
      this.#store.addMessage({
        sessionId: turn.session_id,
        id: turn.id,
        role: 'assistant',
        agentName: turn.agent_name,
        status: 'failed',
        sealed,
        now: Date.now(),
      })
      this.#store.closeTurn(turn.session_id, turn.agent_id, turn.agent_name, Date.now())
      this.#store.fillOutbox(turn.id, JSON.stringify(outbox))
    })
    this.#recent.delete(turn.session_id)
    await this.#dispatch(turn.id, outbox)
  }

  /** A finished turn rebuilt from what is stored: exactly the text that the listener lacks. Null when it is unknown or too old. */
  async #replay(messageId: string, afterId: number): Promise<ReadableStream<Uint8Array> | null> {
    const stored = await this.#stored(messageId)
    if ('refusal' in stored) return null
    const session = stored.ok ? stored.response.session_id : ''
    let text = ''
    if (stored.ok) {
      const seen = charsBefore(afterId)
      const { response } = stored
      if (afterId === 0)
        text += encodeEvent(1, {
          type: 'session',
          session_id: session,
          message_id: messageId,
          agent: response.agent,
        })
      const rest = response.reply.slice(seen)
      const id = Math.max(afterId + 1, response.reply.length * 4096 + 4000)
      if (rest !== '') text += encodeEvent(id, { type: 'token', text: rest })
      text += encodeEvent(id + 1, { type: 'sources', sources: response.sources })
      text += encodeEvent(id + 2, { type: 'done', response })
    } else {
      text = encodeEvent(afterId + 1, {
        type: 'error',
        code: 'interrupted',
        detail: stored.failed.detail,
        retryable: true,
      })
    }
    return new ReadableStream({
      type: 'bytes',
      start(controller) {
        controller.enqueue(encodeText(text))
        controller.close()
      },
    })
  }

  async #stored(messageId: string): Promise<FinishedTurn> {
    const keys = this.#keys
    const row = this.#store.findMessage(messageId)
    if (!row || !keys || row.role !== 'assistant')
      return { ok: false, refusal: { reason: 'session' } }
    if (row.created_at < Date.now() - LIMITS.idempotencyHours * HOUR_MS)
      return { ok: false, refusal: { reason: 'session' } }
    if (row.status === 'failed')
      return {
        ok: false,
        failed: { code: 'interrupted', detail: 'The turn was interrupted; send the message again' },
      }
    const body = await openBody(keys, row)
    return {
      ok: true,
      response: {
        session_id: row.session_id,
        message_id: row.id,
        agent: row.agent_name ?? '',
        reply: body.content,
        sources: (body.sources ?? []).map(hideDetails),
        transcript: body.transcript ?? null,
        suggestions: body.suggestions ?? [],
        finish_reason: body.finishReason ?? 'stop',
        usage: body.usage ?? { model: '', input_tokens: 0, output_tokens: 0 },
      },
    }
  }
}

/** More than the prompt can weigh: what the reservation holds until the true figure is known. */
function boundPrompt(
  request: TurnRequest,
  history: NonNullable<TurnRequest['history']>,
  summary: string,
): number {
  const { config } = request.agent
  const fixed =
    estimateTokens(`${config.soul}${config.task}${request.message}${summary}`) +
    1_000 +
    request.images.length * 1_500
  const skills = request.agent.skills.reduce(
    (sum, skill) => sum + estimateTokens(`${skill.name}${skill.description}`) + 8,
    0,
  )
  const past = history.reduce((sum, message) => sum + estimateTokens(message.content) + 8, 0)
  const passages =
    request.agent.bases.length > 0 ? (request.k ?? LIMITS.searchK.default) * PASSAGE_TOKENS : 0
  return fixed + skills + past + passages
}

function usageEntry(request: TurnRequest, outcome: TurnOutcome): UsageEntry {
  return {
    agentId: request.agent.id,
    userId: request.caller.address.userId,
    spaceId: request.caller.address.spaceId,
    model: outcome.model,
    kind: 'chat',
    requests: 1,
    inputTokens: outcome.usage.inputTokens,
    outputTokens: outcome.usage.outputTokens,
    cachedTokens: outcome.usage.cachedTokens,
    events: 1,
  }
}
