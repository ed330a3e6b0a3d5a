import { LIMITS } from '../../../src/config/limits'
import type { SpaceIdentity } from '../../../src/context'
import type { TenantModel } from '../../../src/models/chat-model'
import { deleteFiles, storeFile } from '../../../src/platform/files'
import { newTaggedId } from '../../../src/platform/ids'
import type { SpaceAddress } from '../../../src/platform/stubs'
import type { Answer } from '../../../src/spaces/answer'
import type { SpaceCaller, TurnRefusal } from '../../../src/spaces/caller'
import { openTenantModel } from '../../../src/tenants/byok'
import { readTokenVersion } from '../../../src/users/end-tokens'
import { NO_FACTS, readUserFacts, type UserFacts } from '../../../src/users/user-facts'
import { migrate } from '../../migrate'
import type { BackgroundContext } from '../background-call'
import { RecentMessages } from '../sessions/recent-messages'
import type { FactStore } from './fact-store'
import { type Access, Freeze } from './freeze'
import { SPACE_MIGRATIONS } from './schema'
import { SpaceKeys } from './space-keys'
import { Stores } from './stores'
import type { Visit } from './visit'

/** Twice as long as an isolate remembers what a space offers. */
const WITHDRAWN_MS = 2 * LIMITS.cacheTtlMs

/** What every part of a space's object shares: who it belongs to, its storage, its keys and its one alarm. */
export class SpaceCore {
  readonly #ctx: DurableObjectState
  readonly env: Env
  readonly storage: DurableObjectStorage
  readonly stores: Stores
  readonly recent: RecentMessages
  readonly freeze = new Freeze()
  #address: SpaceAddress | null = null
  #wrappedTenantKey = ''
  #tag = 0
  /** Null until it was heard or asked for. */
  #tokenVersion: number | null = null
  #ceiling: number | null = null
  #privacy = false
  #byok: string | null = null
  #settingsAt = 0
  #shared = false
  #keys: SpaceKeys | null = null
  #alarmAt: number | null = null
  #profile: Promise<UserFacts> | null = null
  #profileChanges = 0
  /** New names of agents, by id and old name, for turns that know the old one. */
  readonly #renamed = new Map<string, string>()
  #left = false
  #gone = false
  #deleted = false

  constructor(ctx: DurableObjectState, env: Env) {
    this.#ctx = ctx
    this.env = env
    this.storage = ctx.storage
    this.stores = new Stores(ctx.storage.sql)
    this.recent = new RecentMessages(this.stores.messages)
  }

  get #facts(): FactStore {
    return this.stores.facts
  }

  async open(): Promise<void> {
    migrate(this.storage, SPACE_MIGRATIONS)
    const address = this.#facts.get('address')
    if (address !== null) this.#address = JSON.parse(address) as SpaceAddress
    this.#wrappedTenantKey = this.#facts.get('tenant_key') ?? ''
    this.#tag = Number(this.#facts.get('tag') ?? 0)
    this.#ceiling = JSON.parse(this.#facts.get('ceiling') ?? 'null') as number | null
    const version = this.#facts.get('token_version')
    if (version !== null) this.#tokenVersion = Number(version)
    this.#privacy = this.#facts.get('privacy') === 'true'
    this.#byok = this.#facts.get('byok') || null
    this.#settingsAt = Number(this.#facts.get('settings_at') ?? 0)
    this.#shared = this.#facts.get('shared') === 'true'
    this.#deleted = this.#facts.get('deleted') === 'true'
    this.#alarmAt = await this.storage.getAlarm()
    const movedTo = this.#facts.get('moved_to')
    if (movedTo !== null) this.freeze.end(JSON.parse(movedTo) as SpaceIdentity)
    if (this.#facts.get('merge') === null) return
    // Cut off in the middle of a merge: nothing changes before it is known how that ended.
    if (movedTo === null) this.freeze.begin()
    await this.wakeAt(Date.now())
  }

  /** Lets work go on that nobody waits for. */
  waitUntil(work: Promise<unknown>): void {
    this.#ctx.waitUntil(work)
  }

  get isGone(): boolean {
    return this.#gone
  }

  /** The space or its user was deleted: whatever is still under way stores nothing. */
  get isClosed(): boolean {
    return this.#gone || this.#deleted
  }

  /** Null until the first caller made the object what it is. */
  get address(): SpaceAddress | null {
    return this.#address
  }

  /** Tokens a month as the last caller knew them, null for none. */
  get ceiling(): number | null {
    return this.#ceiling
  }

  /** A new id that leads back to this space. */
  mint(now: number): string {
    return newTaggedId(this.#tag, now)
  }

  /** Who calls when this object calls another one of its user. @throws Error before the first caller came. */
  callerHere(): SpaceCaller {
    if (!this.#address) throw new Error('This space has no address yet')
    return {
      address: this.#address,
      tag: this.#tag,
      wrappedTenantKey: this.#wrappedTenantKey,
      tokenVersion: null,
    }
  }

  /**
   * The one guard: checks the caller against what this object is, and hands out the keys. The first caller makes it what it is.
   * @param access what the caller is about to do: while the space is being merged it may be read alone.
   */
  async as(caller: SpaceCaller, access: Access): Promise<Answer<Visit, TurnRefusal>> {
    const refusal = await this.#check(caller, access)
    if (refusal) return { ok: false, refusal }
    const keys = await this.keys()
    return keys
      ? { ok: true, value: { caller, keys } }
      : { ok: false, refusal: { reason: 'user_gone' } }
  }

  async #check(caller: SpaceCaller, access: Access): Promise<TurnRefusal | null> {
    if (this.#deleted) return { reason: 'user_gone' }
    if (this.#left) return { reason: 'space_gone' }
    if (this.#gone) return { reason: 'session' }
    const { tenantId, userId, spaceId } = caller.address
    if (!this.#address) {
      // A call that comes late makes nothing of a deleted user: without a key nothing is written.
      const keys = await SpaceKeys.load(this.env, caller.address, caller.wrappedTenantKey)
      if (!keys || this.isClosed) return { reason: 'user_gone' }
      this.#keys ??= keys
    }
    if (!this.#address) {
      this.#address = { tenantId, userId, spaceId }
      this.#tag = caller.tag
      this.#facts.set('address', JSON.stringify(this.#address))
      this.#facts.set('tag', String(caller.tag))
    }
    const mine = this.#address
    if (mine.tenantId !== tenantId || mine.userId !== userId || mine.spaceId !== spaceId) {
      return { reason: 'session' }
    }
    if (caller.tokenVersion !== null) {
      const needed = this.#tokenVersion ?? (await this.#learnTokenVersion(mine))
      if (needed === null) return { reason: this.#gone ? 'session' : 'user_gone' }
      if (caller.tokenVersion < needed) return { reason: 'token' }
    }
    const refusal = this.freeze.refusal(access)
    if (refusal) return refusal
    if (this.#wrappedTenantKey !== caller.wrappedTenantKey) {
      this.#wrappedTenantKey = caller.wrappedTenantKey
      this.#facts.set('tenant_key', caller.wrappedTenantKey)
    }
    this.#note(caller)
    return null
  }

  /** What the last caller knew of tenant and user, for work that no caller waits for. */
  #note({ privacy, byok, settingsAt = 0, shared }: SpaceCaller): void {
    // A caller's copy of the tenant may be some seconds old.
    if (settingsAt >= this.#settingsAt) {
      this.#noteSettings(
        privacy ?? this.#privacy,
        byok === undefined ? this.#byok : byok,
        settingsAt,
      )
    }
    if (shared !== undefined && shared !== this.#shared) {
      this.#shared = shared
      this.#facts.set('shared', String(shared))
    }
  }

  #noteSettings(privacy: boolean, byok: string | null, settingsAt: number): void {
    this.#settingsAt = settingsAt
    if (privacy === this.#privacy && byok === this.#byok) return
    this.#facts.set('settings_at', String(settingsAt))
    if (privacy !== this.#privacy) this.#facts.set('privacy', String(privacy))
    if (byok !== this.#byok) this.#facts.set('byok', byok ?? '')
    this.#privacy = privacy
    this.#byok = byok
  }

  /** No vectors are kept from now on, whatever callers say that read the tenant before. */
  enterPrivacy(settingsAt: number): void {
    if (settingsAt < this.#settingsAt && !this.#privacy) return
    this.#noteSettings(true, this.#byok, Math.max(settingsAt, this.#settingsAt))
    this.#facts.set('settings_at', String(this.#settingsAt))
  }

  /** The tenant's own model, null for the platform's. One for each turn. @throws SealError when it cannot be opened. */
  async ownModel(): Promise<TenantModel | null> {
    if (!this.#address || this.#byok === null) return null
    const tenant = { id: this.#address.tenantId, wrappedKey: this.#wrappedTenantKey }
    return openTenantModel(this.env, { ...tenant, byok: this.#byok })
  }

  /** For a call of a model that no caller waits for; null before the first caller came. */
  async background(): Promise<BackgroundContext | null> {
    const own = await this.ownModel()
    return this.#address && { env: this.env, address: this.#address, ceiling: this.#ceiling, own }
  }

  /** Whether the tenant is in privacy mode: no vectors are kept. */
  get privacy(): boolean {
    return this.#privacy
  }

  /** Whether a session's messages are learnt from: not those of a stateless agent, nor of a user that several people share. */
  remembers(sessionId: string): boolean {
    return !this.#shared && this.#facts.get(`stateless ${sessionId}`) === null
  }

  /** The session's agent keeps no history, so nothing of it is remembered either. */
  setStateless(sessionId: string): void {
    if (this.remembers(sessionId)) this.#facts.set(`stateless ${sessionId}`, 'true')
  }

  /** The space was deleted, and what it holds is about to be. */
  leave(): void {
    this.#left = true
  }

  /**
   * The space offers an agent no longer (a time), or again (null). Callers that read what it offers before are refused until
   * they read anew.
   */
  withdrawAgent(agentId: string, at: number | null): void {
    const name = `withdrawn ${agentId}`
    if (at !== null) this.#facts.set(name, String(at))
    else if (this.#facts.get(name) !== null) this.#facts.drop(name)
  }

  isWithdrawn(agentId: string, now: number): boolean {
    const at = this.#facts.get(`withdrawn ${agentId}`)
    return at !== null && now < Number(at) + WITHDRAWN_MS
  }

  noteRename({ agentId, from, to }: { agentId: string; from: string; to: string }): void {
    this.#renamed.delete(`${agentId} ${to}`)
    this.#renamed.set(`${agentId} ${from}`, to)
  }

  /** What an agent is called by now. */
  nameOf({ id, name }: { id: string; name: string }): string {
    let known = name
    for (let next = this.#renamed.get(`${id} ${known}`); next !== undefined; ) {
      known = next
      next = this.#renamed.get(`${id} ${known}`)
    }
    return known
  }

  /** What the user told of themselves: read from the directory once, and again when it changed. */
  async profile(keys: SpaceKeys): Promise<UserFacts> {
    const address = this.#address
    if (!address || this.#shared) return NO_FACTS
    this.#profile ??= this.#readProfile(keys, address).catch((error: unknown) => {
      this.#profile = null
      throw error
    })
    return this.#profile
  }

  async #readProfile(keys: SpaceKeys, address: SpaceAddress): Promise<UserFacts> {
    const sealed = this.#facts.get('profile')
    const opened = sealed && (await keys.read('facts', 'value', 'profile', sealed))
    if (opened) {
      const known: Partial<UserFacts> = JSON.parse(opened)
      // What was kept before there was a field lacks it: read anew.
      if (Object.keys(NO_FACTS).every((name) => name in known)) return { ...NO_FACTS, ...known }
    }
    const changes = this.#profileChanges
    const tenant = { id: address.tenantId, wrappedKey: this.#wrappedTenantKey }
    const facts = await readUserFacts(this.env, tenant, address.userId)
    const kept = await keys.seal('facts', 'value', 'profile', JSON.stringify(facts))
    if (changes === this.#profileChanges && !this.isClosed) this.#facts.set('profile', kept)
    return facts
  }

  /** The profile changed: the next turn reads it anew. */
  forgetProfile(): void {
    this.#profileChanges++
    this.#profile = null
    if (!this.#gone) this.#facts.drop('profile')
  }

  /** The unwrapped key, kept while the object is awake; null when the user's key is gone. */
  async keys(): Promise<SpaceKeys | null> {
    if (this.isClosed) return null
    if (!this.#keys && this.#address) {
      const keys = await SpaceKeys.load(this.env, this.#address, this.#wrappedTenantKey)
      // The user may have been deleted meanwhile: a key that was read before must not stay.
      if (this.isClosed) return null
      this.#keys = keys
    }
    return this.#keys
  }

  forgetKeys(): void {
    this.#keys = null
  }

  /** The user was deleted: the key is forgotten and, also after a restart, not loaded again. */
  markDeleted(): void {
    this.#deleted = true
    this.#keys = null
    this.#facts.set('deleted', 'true')
  }

  /** The space was deleted: whoever still holds its address finds nothing. */
  close(): void {
    this.#gone = true
    this.#keys = null
  }

  /** Stores a file, unless the deletion that lists the user's files has begun: then nothing stays. */
  async putFile(path: string, bytes: Uint8Array): Promise<void> {
    await storeFile(this.env.FILES, path, bytes)
    if (this.isClosed) await deleteFiles(this.env.FILES, [path])
  }

  setCeiling(ceiling: number | null): void {
    if (this.#ceiling === ceiling) return
    this.#ceiling = ceiling
    this.#facts.set('ceiling', JSON.stringify(ceiling))
  }

  /** Tokens older than this version are refused from now on. */
  requireTokenVersion(version: number): void {
    this.#tokenVersion = Math.max(this.#tokenVersion ?? 1, version)
    this.#facts.set('token_version', String(this.#tokenVersion))
  }

  /** Whether a token of this version no longer stands; null is no token. */
  isEnded(version: number | null): boolean {
    return version !== null && version < (this.#tokenVersion ?? 1)
  }

  /** An object that came to be after tokens ended was not told of it, so it asks, once. Null for a user who is gone. */
  async #learnTokenVersion({ tenantId, userId }: SpaceAddress): Promise<number | null> {
    const version = await readTokenVersion(this.env, { tenantId, id: userId })
    if (version === null || this.isClosed) return null
    this.requireTokenVersion(version)
    return this.#tokenVersion
  }

  /** The object has one alarm: the earliest time that any part asked for wins, also one that is overdue. */
  async wakeAt(time: number): Promise<void> {
    if (this.#gone) return
    const earliest = Math.min(time, this.#alarmAt ?? time)
    if (this.#alarmAt === earliest && earliest > Date.now()) return
    this.#alarmAt = earliest
    await this.storage.setAlarm(earliest)
  }

  alarmFired(): void {
    this.#alarmAt = null
  }
}
