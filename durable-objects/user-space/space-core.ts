import { LIMITS } from '../../src/config/limits'
import type { SpaceIdentity } from '../../src/context'
import type { TenantModel } from '../../src/models/chat-model'
import { deleteFiles, storeFile } from '../../src/platform/files'
import { newTaggedId } from '../../src/platform/ids'
import type { SpaceAddress } from '../../src/platform/stubs'
import type { SpaceCaller, TurnRefusal } from '../../src/spaces/caller'
import { openTenantModel } from '../../src/tenants/byok'
import { readTokenVersion } from '../../src/users/end-tokens'
import { NO_FACTS, readUserFacts, type UserFacts } from '../../src/users/user-facts'
import { migrate } from '../migrate'
import { type Access, Freeze } from './freeze'
import { RecentMessages } from './recent-messages'
import { SPACE_MIGRATIONS } from './schema'
import { SessionStore } from './session-store'
import { SpaceKeys } from './space-keys'

/** Twice as long as an isolate remembers what a space offers. */
const WITHDRAWN_MS = 2 * LIMITS.cacheTtlMs

/** What every part of a space's object shares: who it belongs to, its storage, its keys and its one alarm. */
export class SpaceCore {
  readonly env: Env
  readonly storage: DurableObjectStorage
  readonly store: SessionStore
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
    this.env = env
    this.storage = ctx.storage
    this.store = new SessionStore(ctx.storage.sql)
    this.recent = new RecentMessages(this.store)
  }

  async open(): Promise<void> {
    migrate(this.storage, SPACE_MIGRATIONS)
    const address = this.store.fact('address')
    if (address !== null) this.#address = JSON.parse(address) as SpaceAddress
    this.#wrappedTenantKey = this.store.fact('tenant_key') ?? ''
    this.#tag = Number(this.store.fact('tag') ?? 0)
    this.#ceiling = JSON.parse(this.store.fact('ceiling') ?? 'null') as number | null
    const version = this.store.fact('token_version')
    if (version !== null) this.#tokenVersion = Number(version)
    this.#privacy = this.store.fact('privacy') === 'true'
    this.#byok = this.store.fact('byok') || null
    this.#settingsAt = Number(this.store.fact('settings_at') ?? 0)
    this.#shared = this.store.fact('shared') === 'true'
    this.#deleted = this.store.fact('deleted') === 'true'
    this.#alarmAt = await this.storage.getAlarm()
    const movedTo = this.store.fact('moved_to')
    if (movedTo !== null) this.freeze.end(JSON.parse(movedTo) as SpaceIdentity)
    if (this.store.fact('merge') === null) return
    // Cut off in the middle of a merge: nothing changes before it is known how that ended.
    if (movedTo === null) this.freeze.begin()
    await this.wakeAt(Date.now())
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
   * Checks the caller against what this object is; the first caller makes it what it is.
   * @param access what the caller is about to do: while the space is being merged it may be read alone.
   */
  async enter(caller: SpaceCaller, access: Access = 'write'): Promise<TurnRefusal | null> {
    if (this.#deleted) return { reason: 'user_gone' }
    if (this.#gone) return { reason: 'session' }
    if (this.#left) return { reason: 'space_gone' }
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
      this.store.setFact('address', JSON.stringify(this.#address))
      this.store.setFact('tag', String(caller.tag))
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
      this.store.setFact('tenant_key', caller.wrappedTenantKey)
    }
    this.#note(caller)
    return (await this.keys()) ? null : { reason: 'user_gone' }
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
      this.store.setFact('shared', String(shared))
    }
  }

  #noteSettings(privacy: boolean, byok: string | null, settingsAt: number): void {
    this.#settingsAt = settingsAt
    if (privacy === this.#privacy && byok === this.#byok) return
    this.store.setFact('settings_at', String(settingsAt))
    if (privacy !== this.#privacy) this.store.setFact('privacy', String(privacy))
    if (byok !== this.#byok) this.store.setFact('byok', byok ?? '')
    this.#privacy = privacy
    this.#byok = byok
  }

  /** No vectors are kept from now on, whatever callers say that read the tenant before. */
  enterPrivacy(settingsAt: number): void {
    if (settingsAt < this.#settingsAt && !this.#privacy) return
    this.#noteSettings(true, this.#byok, Math.max(settingsAt, this.#settingsAt))
    this.store.setFact('settings_at', String(this.#settingsAt))
  }

  /** The tenant's own model, null for the platform's. One for each turn. @throws SealError when it cannot be opened. */
  async ownModel(): Promise<TenantModel | null> {
    if (!this.#address || this.#byok === null) return null
    const tenant = { id: this.#address.tenantId, wrappedKey: this.#wrappedTenantKey }
    return openTenantModel(this.env, { ...tenant, byok: this.#byok })
  }

  /** Whether the tenant is in privacy mode: no vectors are kept. */
  get privacy(): boolean {
    return this.#privacy
  }

  /** Whether a session's messages are learnt from: not those of a stateless agent, nor of a user that several people share. */
  remembers(sessionId: string): boolean {
    return !this.#shared && this.store.fact(`stateless ${sessionId}`) === null
  }

  /** The session's agent keeps no history, so nothing of it is remembered either. */
  setStateless(sessionId: string): void {
    if (this.remembers(sessionId)) this.store.setFact(`stateless ${sessionId}`, 'true')
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
    if (at !== null) this.store.setFact(name, String(at))
    else if (this.store.fact(name) !== null) this.store.dropFact(name)
  }

  isWithdrawn(agentId: string, now: number): boolean {
    const at = this.store.fact(`withdrawn ${agentId}`)
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
    const sealed = this.store.fact('profile')
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
    if (changes === this.#profileChanges && !this.isClosed) this.store.setFact('profile', kept)
    return facts
  }

  /** The profile changed: the next turn reads it anew. */
  forgetProfile(): void {
    this.#profileChanges++
    this.#profile = null
    if (!this.#gone) this.store.dropFact('profile')
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
    this.store.setFact('deleted', 'true')
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
    this.store.setFact('ceiling', JSON.stringify(ceiling))
  }

  /** Tokens older than this version are refused from now on. */
  requireTokenVersion(version: number): void {
    this.#tokenVersion = Math.max(this.#tokenVersion ?? 1, version)
    this.store.setFact('token_version', String(this.#tokenVersion))
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
