import type { SpaceIdentity } from '../../../src/context'
import type { TenantModel } from '../../../src/models/chat-model'
import { SealError } from '../../../src/platform/crypto/field'
import { deleteFiles, storeFile } from '../../../src/platform/files'
import { newTaggedId } from '../../../src/platform/ids'
import type { SpaceAddress } from '../../../src/platform/stubs'
import type { Answer } from '../../../src/spaces/answer'
import type { SpaceCaller, TurnRefusal } from '../../../src/spaces/caller'
import { openTenantModel } from '../../../src/tenants/byok'
import { readWrappedKey } from '../../../src/tenants/read-wrapped-key'
import { readTokenVersion } from '../../../src/users/end-tokens'
import { migrate } from '../../migrate'
import { RecentMessages } from '../sessions/recent-messages'
import { Alarm } from './alarm'
import type { BackgroundContext } from './background-call'
import type { FactStore } from './fact-store'
import { type Access, Freeze } from './freeze'
import { KnownAgents } from './known-agents'
import { SPACE_MIGRATIONS } from './schema'
import { SPACE_SCHEMA } from './schema-whole'
import { SpaceKeys } from './space-keys'
import { Stores } from './stores'
import { TenantSettings } from './tenant-settings'
import { UserProfile } from './user-profile'
import type { Visit } from './visit'

/** What every part of a space's object shares: who it belongs to, its storage, its keys and its one alarm. */
export class SpaceCore {
  readonly env: Env
  readonly storage: DurableObjectStorage
  readonly stores: Stores
  readonly recent: RecentMessages
  readonly alarm: Alarm
  readonly profile: UserProfile
  readonly agents: KnownAgents
  readonly freeze = new Freeze()
  readonly #settings: TenantSettings
  #address: SpaceAddress | null = null
  /** Facts of a new object from its first caller that are not stored yet; see `storeFirst`. */
  #untold: Record<string, string> | null = null
  #wrappedTenantKey = ''
  #tag = 0
  /** The time of the last id; null while none was made since the object woke. */
  #mintedAt: number | null = null
  /** The lowest version of a token that is let in; null until it was told or asked for. */
  #tokenVersion: number | null = null
  #ceiling: number | null = null
  #shared = false
  #keys: SpaceKeys | null = null
  /** The space is being deleted. */
  #left = false
  /** The space was deleted, and the object emptied. */
  #gone = false
  /** The user was deleted. */
  #deleted = false

  constructor(ctx: DurableObjectState, env: Env) {
    this.env = env
    this.storage = ctx.storage
    this.stores = new Stores(ctx.storage.sql)
    this.#settings = new TenantSettings(this.stores.facts)
    this.alarm = new Alarm(ctx.storage)
    this.profile = new UserProfile(this)
    this.agents = new KnownAgents(this.stores.facts)
    this.recent = new RecentMessages(this.stores.messages)
  }

  get #facts(): FactStore {
    return this.stores.facts
  }

  async open(): Promise<void> {
    migrate(this.storage, SPACE_MIGRATIONS, SPACE_SCHEMA)
    this.#facts.readForWake()
    const address = this.#facts.get('address')
    if (address !== null) this.#address = JSON.parse(address) as SpaceAddress
    this.#wrappedTenantKey = this.#facts.get('tenant_key') ?? ''
    this.#tag = Number(this.#facts.get('tag') ?? 0)
    this.#ceiling = JSON.parse(this.#facts.get('ceiling') ?? 'null') as number | null
    const version = this.#facts.get('token_version')
    if (version !== null) this.#tokenVersion = Number(version)
    this.#settings.open()
    this.#shared = this.#facts.get('shared') === 'true'
    this.#deleted = this.#facts.get('deleted') === 'true'
    await this.alarm.open()
    const movedTo = this.#facts.get('moved_to')
    if (movedTo !== null) this.freeze.end(JSON.parse(movedTo) as SpaceIdentity)
    if (this.#facts.get('merge') === null) return
    // The object was cut off during a merge: nothing may change until `MergeSource` has found out how it ended.
    if (movedTo === null) this.freeze.begin()
    await this.wakeAt(Date.now())
  }

  get isGone(): boolean {
    return this.#gone
  }

  get isDeleted(): boolean {
    return this.#deleted
  }

  /** The space or its user was deleted: whatever is still under way stores nothing. */
  get isClosed(): boolean {
    return this.#gone || this.#left || this.#deleted
  }

  /** Null until the first caller named it. */
  get address(): SpaceAddress | null {
    return this.#address
  }

  /** Tokens a month as the last caller knew them, null for none. */
  get ceiling(): number | null {
    return this.#ceiling
  }

  /** A new id that ends with the space's tag, so that the id alone leads here. Messages are sorted by id, so ids rise even if the clock steps back. */
  mint(now: number): string {
    const last = this.#mintedAt ?? this.stores.sessions.changedAt() + 1
    // Two ids of one millisecond rise only if the isolate made none with an earlier time in between, so a clock that stepped
    // back is taken beyond the last id.
    this.#mintedAt = now < last ? last + 1 : now
    return newTaggedId(this.#tag, this.#mintedAt)
  }

  /** The caller as which this object calls another one of the same user. @throws Error before its own first caller. */
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
   * The one guard: checks that the caller is this object's user, and hands out the keys. The first caller of a new object
   * decides whose it is.
   * @param access what the caller is about to do; see `Freeze`
   * @param prepare runs before anything is asked, such as the recovery after a crash
   * @param storesFirst whether the caller calls `storeFirst` itself
   */
  async as(
    caller: SpaceCaller,
    access: Access,
    prepare?: () => Promise<void>,
    storesFirst = false,
  ): Promise<Answer<Visit, TurnRefusal>> {
    const refusal = await this.#check(caller, access)
    if (!storesFirst) this.storeFirst()
    if (refusal) return { ok: false, refusal }
    if (prepare && (await this.keys())) await prepare()
    const keys = await this.keys()
    if (!keys) return { ok: false, refusal: { reason: 'user_gone' } }
    return { ok: true, value: { caller, keys } }
  }

  async #check(caller: SpaceCaller, access: Access): Promise<TurnRefusal | null> {
    if (this.#deleted) return { reason: 'user_gone' }
    if (this.#left) return { reason: 'space_gone' }
    if (this.#gone) return { reason: 'session' }
    const { tenantId, userId, spaceId } = caller.address
    if (!this.#address) {
      // A late call for a deleted user must not bring the object to life: without the user's key nothing is written.
      const keys = await SpaceKeys.ofCaller(this.env, caller)
      if (!keys || this.isClosed) return { reason: 'user_gone' }
      this.#keys ??= keys
    }
    if (!this.#address) {
      this.#address = { tenantId, userId, spaceId }
      this.#tag = caller.tag
      this.#wrappedTenantKey = caller.wrappedTenantKey
      this.#untold = {
        address: JSON.stringify(this.#address),
        tag: String(caller.tag),
        tenant_key: caller.wrappedTenantKey,
      }
      if (caller.newcomer) this.profile.learn(caller.newcomer.facts)
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
    if (this.#wrappedTenantKey !== caller.wrappedTenantKey)
      this.#noteTenantKey(caller.wrappedTenantKey)
    this.#note(caller)
    return null
  }

  /** Stores whose object this is, if it is new. The write joins the commit of whatever is written next in the same event. */
  storeFirst(): void {
    if (this.#untold === null) return
    if (!this.isClosed) this.#facts.setAll(this.#untold)
    this.#untold = null
  }

  #noteTenantKey(wrapped: string): void {
    this.#wrappedTenantKey = wrapped
    this.#facts.set('tenant_key', wrapped)
  }

  /** Keeps what this caller knows of tenant and user, for work that has no caller. */
  #note(caller: SpaceCaller): void {
    this.#settings.note(caller)
    const { shared } = caller
    if (shared === undefined || shared === this.#shared) return
    this.#shared = shared
    this.#facts.set('shared', String(shared))
  }

  /** Privacy mode was switched on: no vectors are kept from now on. @param settingsAt when the tenant was changed */
  enterPrivacy(settingsAt: number): void {
    this.#settings.enterPrivacy(settingsAt)
  }

  /** The tenant's own model, opened anew for each turn; null for the platform's. @throws SealError when it cannot be opened. */
  async ownModel(): Promise<TenantModel | null> {
    const { byok } = this.#settings
    if (!this.#address || byok === null) return null
    const tenant = { id: this.#address.tenantId, wrappedKey: this.#wrappedTenantKey }
    return openTenantModel(this.env, { ...tenant, byok })
  }

  /** What a model call in the background needs; null before the first caller. */
  async background(): Promise<BackgroundContext | null> {
    const own = await this.ownModel()
    return this.#address && { env: this.env, address: this.#address, ceiling: this.#ceiling, own }
  }

  /** Whether the tenant is in privacy mode: no vectors are kept. */
  get privacy(): boolean {
    return this.#settings.privacy
  }

  /** Whether several people stand behind the user. */
  get isShared(): boolean {
    return this.#shared
  }

  /** Whether messages of this session are learnt from: not where its agent is stateless, nor where several people share the user. */
  remembers(sessionId: string): boolean {
    return !this.#shared && this.#facts.get(`stateless ${sessionId}`) === null
  }

  /** The session's agent keeps no history, so no memories are drawn from the session either. */
  setStateless(sessionId: string): void {
    if (this.remembers(sessionId)) this.#facts.set(`stateless ${sessionId}`, 'true')
  }

  /** The space's keys, unwrapped once and kept while the object is awake; null when the user's key was destroyed. */
  async keys(): Promise<SpaceKeys | null> {
    if (this.isClosed) return null
    if (!this.#keys && this.#address) {
      const keys = await this.#loadKeys(this.#address)
      // The user may have been deleted during the read: then the key must not stay in memory.
      if (this.isClosed) return null
      this.#keys = keys
    }
    return this.#keys
  }

  async #loadKeys(address: SpaceAddress): Promise<SpaceKeys | null> {
    try {
      return await SpaceKeys.load(this.env, address, this.#wrappedTenantKey)
    } catch (error) {
      if (!(error instanceof SealError && error.reason === 'unknown_key')) throw error
      // Nobody called since the master key was rotated, and the old one is dropped: D1 has the new wrapping.
      const wrapped = await readWrappedKey(this.env, address.tenantId)
      if (wrapped === null || wrapped === this.#wrappedTenantKey) throw error
      const keys = await SpaceKeys.load(this.env, address, wrapped)
      if (!this.isClosed) this.#noteTenantKey(wrapped)
      return keys
    }
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

  /** The space was deleted, and what it holds is about to be. */
  leave(): void {
    this.#left = true
  }

  /** The space was deleted: whoever still holds its address finds nothing. */
  close(): void {
    this.#gone = true
    this.#keys = null
  }

  /** Stores a file. If the space was deleted during that, its files are listed already: this one is removed here. */
  async putFile(path: string, bytes: Uint8Array): Promise<void> {
    await storeFile(this.env.FILES, path, bytes)
    if (this.isClosed) await deleteFiles(this.env.FILES, [path])
  }

  setCeiling(ceiling: number | null): void {
    if (this.#ceiling === ceiling) return
    this.#ceiling = ceiling
    if (this.#untold) this.#untold.ceiling = JSON.stringify(ceiling)
    else this.#facts.set('ceiling', JSON.stringify(ceiling))
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

  /** Asks D1 once: an object that is younger than a revocation was not told of it. Null for a user who is gone. */
  async #learnTokenVersion({ tenantId, userId }: SpaceAddress): Promise<number | null> {
    const version = await readTokenVersion(this.env, { tenantId, id: userId })
    if (version === null || this.isClosed) return null
    this.requireTokenVersion(version)
    return this.#tokenVersion
  }

  /** Sets the alarm, unless the space is gone; see `Alarm`. */
  async wakeAt(time: number): Promise<void> {
    if (!this.#gone) await this.alarm.wakeAt(time)
  }
}
