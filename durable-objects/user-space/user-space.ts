import { DurableObject } from 'cloudflare:workers'
import type { ReminderNotice } from '../../src/channels/reminder-channels'
import type { FinishedTurn, StartedTurn, TurnRequest } from '../../src/chat/turn'
import { MERGE, MINUTE_MS } from '../../src/config/limits'
import type { SpaceIdentity } from '../../src/context'
import type { CommonTokens } from '../../src/knowledge/passage-index'
import { createLog, type Log } from '../../src/log'
import { sendJobs } from '../../src/platform/queue'
import { userSpace } from '../../src/platform/stubs'
import type { ChannelOutcome } from '../../src/reminders/rules'
import type { Finding } from '../../src/reviews/finding'
import type { SpaceCaller, TurnRefusal } from '../../src/spaces/caller'
import type { PartRow } from '../../src/spaces/movable-parts'
import type { MeEvent } from '../../src/streams/events'
import { afterTurn } from './after-turn'
import type { BackgroundContext } from './background-call'
import { countRows } from './count-rows'
import {
  type BegunDocument,
  type DocumentPart,
  Documents,
  type NewSpaceDocument,
  type PartStored,
} from './documents'
import { findForReview } from './find-for-review'
import { type GraphRequest, listGraphItems, readGraphItem } from './graph-items'
import { LiveEvents, type StreamOpening } from './live-events'
import { type CarriedMemory, Memories } from './memories'
import { MergeSource } from './merge-source'
import { MergeTarget } from './merge-target'
import { type ChannelClaim, type NewReminder, Reminders } from './reminders'
import { type AgentRename, renameAgent } from './rename-agent'
import { Sessions } from './sessions'
import { SpaceCore } from './space-core'
import { TitleVectors } from './title-vectors'
import { Turns } from './turns'

const RETRY_MS = MINUTE_MS

/** One user's space of one tenant: its sessions, the turns in them, its reminders and its streams. The object owns a turn, not the connection. */
export class UserSpace extends DurableObject<Env> {
  readonly #core: SpaceCore
  readonly #memories: Memories
  readonly #documents: Documents
  readonly #turns: Turns
  readonly #sessions: Sessions
  readonly #titleVectors: TitleVectors
  readonly #live: LiveEvents
  readonly #reminders: Reminders
  readonly #departure: MergeSource
  readonly #arrival: MergeTarget

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    this.#core = new SpaceCore(ctx, env)
    this.#live = new LiveEvents(this.#core, ctx)
    this.#reminders = new Reminders(this.#core, this.#live)
    this.#memories = new Memories(this.#core, (changed) =>
      this.#live.hint({ type: 'memory', changed }),
    )
    this.#documents = new Documents(this.#core, (id, status) => {
      this.#live.hint({ type: 'document', id, status })
      if (status === 'ready' || status === 'failed') this.#tellWebhooks(id, status)
    })
    this.#turns = new Turns(
      this.#core,
      this.#live,
      this.#reminders,
      this.#memories,
      this.#documents,
    )
    this.#titleVectors = new TitleVectors(this.#core)
    this.#sessions = new Sessions(this.#core, this.#titleVectors)
    this.#departure = new MergeSource(this.#core, {
      settleTurns: async () => {
        await this.#turns.recover()
        return this.#core.store.turns().length === 0
      },
      settleStreams: () => this.#live.settleOpen(),
      left: () => this.#forgetOpened('space'),
    })
    this.#arrival = new MergeTarget(this.#core, {
      live: this.#live,
      memories: this.#memories,
      documentsChanged: () => this.#documents.forgetOpened(),
    })
    void ctx.blockConcurrencyWhile(() => this.#core.open())
  }

  /** Admits a turn, runs it detached from the caller, and returns its frames as server-sent events. */
  async startTurn(request: TurnRequest): Promise<StartedTurn> {
    return this.#turns.start(request)
  }

  /** As `startTurn`, but answers once the turn is over. The turn goes on if the caller leaves. */
  async completeTurn(request: TurnRequest): Promise<FinishedTurn> {
    return this.#turns.complete(request)
  }

  /** Frames of a turn after an event id, while it runs and ten minutes after its end. */
  async resumeTurn(caller: SpaceCaller, messageId: string, afterId: number, keyId: string | null) {
    return this.#turns.resume(caller, messageId, afterId, keyId)
  }

  /** Frames of a session's running turn from its beginning; null when none runs. */
  async resumeRunning(
    caller: SpaceCaller,
    session: Pick<TurnRequest, 'sessionId' | 'sessionAlias'>,
    keyId: string | null,
  ) {
    return this.#turns.resumeRunning(caller, session, keyId)
  }

  /** Stops a session's running turn and keeps what was said. `stopped` tells whether there was one. */
  async stopTurn(caller: SpaceCaller, sessionId: string) {
    return this.#turns.stop(caller, sessionId)
  }

  /** Why the caller is refused here, or null: an old token, a deleted user, somebody else's space. */
  async checkCaller(caller: SpaceCaller): Promise<TurnRefusal | null> {
    return this.#core.enter(caller, 'read')
  }

  /** Merges this space into another one of the same user: everything goes over, or nothing. Goes on if the caller leaves. */
  async mergeInto(caller: SpaceCaller, target: SpaceIdentity) {
    return this.#departure.begin(caller, target)
  }

  /** For the space that is being merged into this one: begins, takes rows, shows them, or takes them back. */
  async acceptMerge(
    caller: SpaceCaller,
    mergeId: string,
    held: { documents: number; chunks: number },
  ) {
    return this.#arrival.accept(caller, mergeId, held)
  }

  async stageMerge(mergeId: string, table: string, rows: PartRow[]): Promise<void> {
    this.#arrival.stage(mergeId, table, rows)
  }

  async publishMerge(caller: SpaceCaller, mergeId: string): Promise<void> {
    await this.#arrival.publish(caller, mergeId)
    // What came may have been on its way since before privacy mode.
    if (this.#core.privacy) this.#titleVectors.drop()
  }

  async unstageMerge(mergeId: string): Promise<boolean> {
    return this.#arrival.unstage(mergeId)
  }

  /** Background work waits for a merge to end, and is done where the space went. */
  async #where<T>(
    work: () => Promise<T>,
    there: (space: ReturnType<typeof userSpace>) => Promise<T>,
  ): Promise<T> {
    const { freeze, env } = this.#core
    await freeze.settled()
    if (!freeze.movedTo) return freeze.during(work)
    const { address } = this.#core.callerHere()
    return there(userSpace(env, { ...address, spaceId: freeze.movedTo.id }))
  }

  async listSessions(
    caller: SpaceCaller,
    after: { updatedAt: number; id: string } | null,
    limit: number,
  ) {
    return this.#sessions.list(caller, after, limit)
  }

  /** How much the space holds. */
  async countHeld(caller: SpaceCaller) {
    const sessions = await this.#sessions.count(caller)
    return sessions.ok
      ? {
          ok: true as const,
          value: { sessions: sessions.value, documents: this.#documents.count() },
        }
      : sessions
  }

  async getSession(caller: SpaceCaller, sessionId: string) {
    return this.#sessions.get(caller, sessionId)
  }

  async searchSessions(caller: SpaceCaller, query: string) {
    return this.#sessions.search(caller, query)
  }

  async renameSession(caller: SpaceCaller, sessionId: string, title: string) {
    const renamed = this.#sessions.rename(caller, sessionId, title)
    const answer = await this.#telling(renamed, changed(sessionId))
    const { address, env, store } = this.#core
    if (address && answer.ok && this.#titleVectors.isMissing(store.session(sessionId))) {
      await sendJobs(env, [{ type: 'title.index', ...address, sessionId }])
    }
    return answer
  }

  async markSessionRead(caller: SpaceCaller, sessionId: string) {
    return this.#telling(this.#sessions.markRead(caller, sessionId), changed(sessionId))
  }

  /** A running turn is stopped first: nothing may write into a session that is gone. */
  async removeSession(caller: SpaceCaller, sessionId: string) {
    await this.#turns.stop(caller, sessionId)
    const event: MeEvent = { type: 'session', id: sessionId, change: 'deleted' }
    return this.#telling(this.#sessions.remove(caller, sessionId), event)
  }

  async listMessages(caller: SpaceCaller, sessionId: string, limit: number, before: string | null) {
    return this.#sessions.messages(caller, sessionId, limit, before)
  }

  /** What was learnt from a user's message is learnt anew from the new words, in the background. */
  async editMessage(caller: SpaceCaller, sessionId: string, messageId: string, content: string) {
    const edited = await this.#telling(
      this.#sessions.editMessage(caller, sessionId, messageId, content, Date.now()),
      messageEvent(sessionId, messageId, 'updated'),
    )
    if (edited.ok && edited.value.role === 'user') {
      await sendJobs(this.env, [
        { type: 'message.relearn', ...caller.address, sessionId, messageId },
      ])
    }
    return edited
  }

  async removeMessage(caller: SpaceCaller, sessionId: string, messageId: string) {
    return this.#core.freeze.during(async () => {
      const removed = await this.#telling(
        this.#sessions.removeMessage(caller, sessionId, messageId),
        messageEvent(sessionId, messageId, 'deleted'),
      )
      if (removed.ok) await this.#memories.forgetMessage(messageId)
      return removed
    })
  }

  /** A source that a reply cites, with its passage where that is in one of the space's own documents. */
  async readSource(caller: SpaceCaller, messageId: string, n: number) {
    const cited = await this.#sessions.source(caller, messageId, n)
    if (!cited.ok) return cited
    const { document_id, chunk_id = '' } = cited.value.source
    const own = await this.#documents.inContext(caller, document_id, chunk_id)
    return own.ok ? { ok: true as const, value: { ...cited.value, own: own.value } } : own
  }

  async readOriginal(caller: SpaceCaller, documentId: string) {
    return this.#documents.original(caller, documentId)
  }

  async addDocument(caller: SpaceCaller, document: NewSpaceDocument) {
    return this.#documents.add(caller, document)
  }

  async listDocuments(caller: SpaceCaller, before: string | null, limit: number) {
    return this.#documents.list(caller, before, limit)
  }

  async removeDocument(caller: SpaceCaller, documentId: string) {
    return this.#documents.remove(caller, documentId)
  }

  /** For the job that reads a document: begins an attempt and hands it the opened original, null when nothing is to be done. */
  async beginDocument(documentId: string): Promise<BegunDocument | null> {
    return this.#where(
      () => this.#documents.begin(documentId),
      (space) => space.beginDocument(documentId),
    )
  }

  async addDocumentPart(documentId: string, part: DocumentPart): Promise<PartStored> {
    return this.#where(
      () => this.#documents.addPart(documentId, part),
      (space) => space.addDocumentPart(documentId, part),
    )
  }

  async finishDocument(
    documentId: string,
    title: string,
    common: CommonTokens,
    chunks: number,
  ): Promise<void> {
    await this.#where(
      () => this.#documents.finish(documentId, title, common, chunks),
      (space) => space.finishDocument(documentId, title, common, chunks),
    )
  }

  async failDocument(documentId: string, reason: string): Promise<void> {
    await this.#where(
      async () => this.#documents.fail(documentId, reason),
      (space) => space.failDocument(documentId, reason),
    )
  }

  async giveUpDocument(documentId: string): Promise<void> {
    await this.#where(
      async () => this.#documents.giveUp(documentId),
      (space) => space.giveUpDocument(documentId),
    )
  }

  /** What this space knows of its user, for the tenant's map of it. */
  async listGraphItems(caller: SpaceCaller, request: GraphRequest) {
    return listGraphItems(this.#core, this.#memories, this.#documents, caller, request)
  }

  async readGraphItem(caller: SpaceCaller, id: string) {
    return readGraphItem(this.#core, this.#memories, this.#documents, caller, id)
  }

  async listRemembered(caller: SpaceCaller) {
    return this.#memories.list(caller)
  }

  async listMemories(caller: SpaceCaller) {
    return this.#memories.listAll(caller)
  }

  /** Forgets what one agent remembers; sessions and messages stay. */
  async forgetRemembered(caller: SpaceCaller, agentName: string) {
    return this.#memories.forget(caller, agentName)
  }

  /** For those who must prove that privacy mode keeps none. */
  async countMemoryVectors(): Promise<number> {
    return this.#memories.countVectors()
  }

  async countTitleVectors(): Promise<number> {
    return this.#titleVectors.count()
  }

  /** Memories on their way to another of the user's objects; see `moveRemembered`. */
  async exportMemories(caller: SpaceCaller) {
    return this.#memories.exportAll(caller)
  }

  async importMemories(caller: SpaceCaller, carried: CarriedMemory[]) {
    return this.#memories.importAll(caller, carried)
  }

  async dropCarriedMemories(caller: SpaceCaller, ids: string[]) {
    return this.#memories.dropCarried(caller, ids)
  }

  /** Background work after an edit: memories of the message are made anew. */
  async relearn(sessionId: string, messageId: string): Promise<void> {
    await this.#where(
      async () => {
        const ctx = await this.#background()
        if (ctx) await this.#memories.relearn(ctx, sessionId, messageId)
      },
      (space) => space.relearn(sessionId, messageId),
    )
  }

  async branchSession(caller: SpaceCaller, sessionId: string, messageId: string) {
    const branched = await this.#sessions.branch(caller, sessionId, messageId, Date.now())
    if (branched.ok) {
      this.#live.hint({ type: 'session', id: branched.value.id, change: 'created' })
    }
    return branched
  }

  #tellWebhooks(documentId: string, status: 'ready' | 'failed'): void {
    const { address, env } = this.#core
    if (!address) return
    const { tenantId, userId, spaceId } = address
    const data = { document_id: documentId, space_id: spaceId, user_id: userId }
    const at = Date.now()
    const event = { type: `document.${status}`, key: `${documentId} ${at}`, data, at } as const
    this.ctx.waitUntil(sendJobs(env, [{ type: 'event.emit', tenantId, event }]))
  }

  /** Other tabs hear of what one of them changed. */
  async #telling<T extends { ok: boolean }>(change: Promise<T>, event: MeEvent): Promise<T> {
    const answer = await change
    if (answer.ok) this.#live.hint(event)
    return answer
  }

  async createReminder(caller: SpaceCaller, reminder: NewReminder) {
    return this.#reminders.create(caller, reminder)
  }

  async listReminders(
    caller: SpaceCaller,
    after: { createdAt: number; id: string } | null,
    limit: number,
  ) {
    return this.#reminders.list(caller, after, limit)
  }

  async cancelReminder(caller: SpaceCaller, reminderId: string) {
    return this.#reminders.cancel(caller, reminderId)
  }

  async removeReminder(caller: SpaceCaller, reminderId: string) {
    return this.#reminders.remove(caller, reminderId)
  }

  /** For the job that delivers beside the stream: what there is to tell, or null. */
  async reminderNotice(reminderId: string): Promise<ReminderNotice | null> {
    return this.#where(
      () => this.#reminders.notice(reminderId),
      (space) => space.reminderNotice(reminderId),
    )
  }

  /** For the same job: `yours` to one at a time, so that no channel delivers twice. */
  async claimReminderChannel(reminderId: string, channel: string): Promise<ChannelClaim> {
    return this.#where(
      async () => this.#reminders.claimChannel(reminderId, channel),
      (space) => space.claimReminderChannel(reminderId, channel),
    )
  }

  async settleReminderChannel(
    reminderId: string,
    channel: string,
    outcome: ChannelOutcome,
  ): Promise<void> {
    await this.#where(
      async () => this.#reminders.settleChannel(reminderId, channel, outcome),
      (space) => space.settleReminderChannel(reminderId, channel, outcome),
    )
  }

  /** The job waits that much longer before it comes again. */
  async putOffReminder(reminderId: string, delayMs: number): Promise<void> {
    await this.#where(
      async () => this.#reminders.putOff(reminderId, delayMs),
      (space) => space.putOffReminder(reminderId, delayMs),
    )
  }

  /** Every channel has been tried. */
  async finishReminder(reminderId: string): Promise<void> {
    await this.#where(
      async () => this.#reminders.finish(reminderId),
      (space) => space.finishReminder(reminderId),
    )
  }

  async giveUpReminder(reminderId: string): Promise<void> {
    await this.#where(
      async () => this.#reminders.giveUp(reminderId),
      (space) => space.giveUpReminder(reminderId),
    )
  }

  async releaseReminderChannel(reminderId: string, channel: string): Promise<void> {
    await this.#where(
      async () => this.#reminders.releaseChannel(reminderId, channel),
      (space) => space.releaseReminderChannel(reminderId, channel),
    )
  }

  /** Tells the streams of this space; from code of ours that changed something of it elsewhere. */
  async publish(event: MeEvent): Promise<void> {
    this.#live.hint(event)
  }

  async setFeedback(
    caller: SpaceCaller,
    messageId: string,
    feedback: { value: 'up' | 'down'; comment: string | null } | null,
  ) {
    const set = await this.#sessions.setFeedback(caller, messageId, feedback)
    if (set.ok && feedback?.value === 'down') {
      await sendJobs(this.env, [{ type: 'message.review', ...caller.address, messageId }])
    }
    return set
  }

  async listAttachments(caller: SpaceCaller, sessionId: string) {
    return this.#sessions.attachments(caller, sessionId)
  }

  async readAttachment(caller: SpaceCaller, attachmentId: string) {
    return this.#sessions.attachment(caller, attachmentId)
  }

  /**
   * Background work after a turn: a title for a new session, a summary of what left the history, what is to be remembered.
   * @returns what there is to review about it, or null.
   */
  async afterTurn(
    sessionId: string,
    messageId: string,
    historyWindow: number,
  ): Promise<Finding | null> {
    return this.#where(
      () => this.#followTurn(sessionId, messageId, historyWindow),
      (space) => space.afterTurn(sessionId, messageId, historyWindow),
    )
  }

  async #followTurn(
    sessionId: string,
    messageId: string,
    historyWindow: number,
  ): Promise<Finding | null> {
    const { store } = this.#core
    const keys = await this.#core.keys()
    const ctx = await this.#background()
    if (!ctx || !keys) return null
    const before = store.session(sessionId)?.title_sealed
    await afterTurn({ ...ctx, store, keys }, sessionId, messageId, historyWindow)
    if (store.session(sessionId)?.title_sealed !== before) this.#live.hint(changed(sessionId))
    await this.#titleVectors.index(ctx, keys, sessionId)
    await this.#memories.learn(ctx, sessionId, messageId)
    return findForReview(this.#core, messageId)
  }

  /** What there is to review about a reply, or null. */
  async findForReview(messageId: string): Promise<Finding | null> {
    return this.#where(
      () => findForReview(this.#core, messageId),
      (space) => space.findForReview(messageId),
    )
  }

  async #background(): Promise<BackgroundContext | null> {
    const { address, env, ceiling } = this.#core
    return address && { env, address, ceiling, own: await this.#core.ownModel() }
  }

  /** Background work after the user named a session. */
  async indexTitle(sessionId: string): Promise<void> {
    await this.#where(
      async () => {
        const keys = await this.#core.keys()
        const ctx = await this.#background()
        if (ctx && keys) await this.#titleVectors.index(ctx, keys, sessionId)
      },
      (space) => space.indexTitle(sessionId),
    )
  }

  /** An agent of the tenant has another name. */
  async renameAgent(rename: AgentRename): Promise<void> {
    await this.#where(
      async () => {
        const sessions = await renameAgent(this.#core, rename)
        this.#memories.forgetOpened()
        for (const id of sessions) this.#live.hint(changed(id))
      },
      (space) => space.renameAgent(rename),
    )
  }

  /** Privacy mode is on as of `settingsAt`: what there is of vectors goes, and none is made any more. */
  async dropVectors(settingsAt: number): Promise<{ dropped: number; left: number }> {
    return this.#where(
      async () => {
        this.#core.enterPrivacy(settingsAt)
        if (!this.#core.privacy) return { dropped: 0, left: 0 }
        const dropped = this.#countVectors()
        this.#memories.dropVectors()
        this.#titleVectors.drop()
        return { dropped, left: this.#countVectors() }
      },
      (space) => space.dropVectors(settingsAt),
    )
  }

  #countVectors(): number {
    return this.#memories.countVectors() + this.#titleVectors.count()
  }

  /** The user changed their profile. */
  async forgetProfile(): Promise<void> {
    this.#core.forgetProfile()
  }

  /** Tokens older than this version are refused from now on. `forgetKey`: the user was deleted, nothing is readable again. */
  async revoke(tokenVersion: number, forgetKey: boolean): Promise<void> {
    this.#core.requireTokenVersion(tokenVersion)
    this.#live.end('token', forgetKey ? null : tokenVersion)
    if (forgetKey) this.#core.markDeleted()
    this.#turns.dismissEnded()
    if (forgetKey) this.#forgetOpened(null)
  }

  #forgetOpened(end: 'space' | null): void {
    this.#core.forgetKeys()
    this.#memories.forgetOpened()
    this.#documents.forgetOpened()
    this.#turns.abandon()
    if (end) this.#live.end(end)
  }

  /** How many sessions there are, and when they were counted. */
  async countSessions(): Promise<{ sessions: number; at: number }> {
    return { sessions: this.#core.isGone ? 0 : this.#sessions.countAll(), at: Date.now() }
  }

  /** Rows of each table that has any; what a deletion is checked by. */
  async countRows(): Promise<Record<string, number>> {
    return countRows(this.ctx.storage.sql)
  }

  /** Empties the object for good. @returns the stored files whose bytes are to be deleted. */
  async destroy(): Promise<string[]> {
    this.#turns.abandon()
    const files = this.#core.isGone ? [] : [...this.#sessions.files(), ...this.#documents.files()]
    this.#live.end('space')
    this.#core.close()
    this.#memories.forgetOpened()
    await this.ctx.storage.deleteAlarm()
    await this.ctx.storage.deleteAll()
    return files
  }

  /** Opens the socket behind a user's stream. Only the Worker reaches this. */
  override async fetch(request: Request): Promise<Response> {
    const opening = request.headers.get('x-opening')
    if (opening === null || request.headers.get('upgrade') !== 'websocket') {
      return new Response(null, { status: 426 })
    }
    return this.#live.accept(JSON.parse(opening) as StreamOpening)
  }

  override async webSocketMessage(_socket: WebSocket, message: string | ArrayBuffer) {
    this.#live.heard(message)
  }

  override async webSocketClose(socket: WebSocket): Promise<void> {
    this.#live.closed(socket)
  }

  override async alarm(): Promise<void> {
    this.#core.alarmFired()
    if (this.#core.isClosed) return
    const log = createLog('user-space')
    try {
      await this.#departure.lookAfter()
    } catch (error) {
      log.error('merge_not_settled', error)
      await this.#core.wakeAt(Date.now() + MERGE.watchMs)
    }
    // Frozen or gone: what is due is looked after when the merge is over, here or there.
    if (this.#core.isGone || this.#core.freeze.refusal('write')) return
    await this.#core.freeze.during(() => this.#lookAfter(log))
  }

  async #lookAfter(log: Log): Promise<void> {
    try {
      await this.#turns.recover()
    } catch (error) {
      log.error('recovery_failed', error)
    }
    try {
      await this.#documents.recover()
    } catch (error) {
      log.error('documents_not_recovered', error)
      await this.#core.wakeAt(Date.now() + RETRY_MS)
    }
    try {
      await this.#reminders.deliverDue()
    } catch (error) {
      log.error('reminders_not_delivered', error)
      await this.#core.wakeAt(Date.now() + RETRY_MS)
    }
  }
}

const changed = (id: string): MeEvent => ({ type: 'session', id, change: 'updated' })
const messageEvent = (session_id: string, id: string, change: 'updated' | 'deleted'): MeEvent => ({
  type: 'message',
  id,
  session_id,
  change,
})
