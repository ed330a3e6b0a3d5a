import type { MeterFacts } from '../../src/usage/meter-types'
import { type KnownModel, type ModelHealth, noteModel } from '../../src/usage/model-status'

export type Refusal = { reason: 'revoked' | 'suspended' }

/** What the meter knows of its tenant: who may not act, what it may use, how its models do. */
export class TenantFacts {
  readonly #sql: SqlStorage
  readonly #revoked = new Set<string>()
  #status: string | null = null
  #listens: boolean | null = null
  #ceiling: number | null | undefined
  #tenant: string | null = null
  #warned = ''
  #models: readonly KnownModel[] = []

  constructor(sql: SqlStorage) {
    this.#sql = sql
  }

  load(): void {
    for (const { name, value } of this.#sql.exec<{ name: string; value: string }>(
      'SELECT name, value FROM facts',
    )) {
      if (name === 'status') this.#status = value
      if (name === 'tenant') this.#tenant = value
      if (name === 'listens') this.#listens = JSON.parse(value) as boolean | null
      if (name === 'warned') this.#warned = value
      if (name === 'models') this.#models = JSON.parse(value) as KnownModel[]
      if (name === 'ceiling') this.#ceiling = value === 'null' ? null : Number(value)
    }
    for (const { id } of this.#sql.exec<{ id: string }>('SELECT id FROM revoked_keys'))
      this.#revoked.add(id)
  }

  get tenantId(): string | null {
    return this.#tenant
  }

  /** Whether a webhook waits for turns; null until that was heard. */
  get listens(): boolean | null {
    return this.#listens
  }

  get models(): readonly KnownModel[] {
    return this.#models
  }

  /** The mark of the quota that webhooks were told of last. */
  get warned(): string {
    return this.#warned
  }

  /** The ceiling that was pushed, else what the caller knows. */
  ceilingOr(ceiling: number | null): number | null {
    return this.#ceiling === undefined ? ceiling : this.#ceiling
  }

  refusal(keyId: string | null): Refusal | null {
    // A tenant's keys end with it.
    if (keyId !== null && (this.#revoked.has(keyId) || this.#status === 'deleted'))
      return { reason: 'revoked' }
    if (this.#status === null || this.#status === 'active') return null
    return { reason: 'suspended' }
  }

  revokedOf(keyIds: readonly string[]): string[] {
    return keyIds.filter((id) => this.#revoked.has(id))
  }

  revokeKey(id: string): void {
    this.#sql.exec('INSERT OR IGNORE INTO revoked_keys (id) VALUES (?)', id)
    this.#revoked.add(id)
  }

  push(facts: MeterFacts): void {
    for (const [name, value] of Object.entries(facts)) this.#set(name, String(value))
    if (facts.status !== undefined) this.#status = facts.status
    if (facts.ceiling !== undefined) this.#ceiling = facts.ceiling
    if (facts.listens !== undefined) this.#listens = facts.listens
  }

  /** An alarm does not know the object's name, so the tenant's id is kept beside the usage. */
  noteTenant(tenantId: string): void {
    if (this.#tenant === tenantId) return
    this.#tenant = tenantId
    this.#sql.exec(
      "INSERT INTO facts (name, value) VALUES ('tenant', ?) ON CONFLICT (name) DO NOTHING",
      tenantId,
    )
  }

  /** What somebody read in D1. A webhook that was made meanwhile was told of, and counts. */
  noteListens(listens: boolean): void {
    if (this.#listens === null) this.push({ listens })
  }

  noteWarned(mark: string): void {
    this.#warned = mark
    this.#set('warned', mark)
  }

  noteModel(health: ModelHealth, now: number): void {
    const known = noteModel(this.#models, health, now)
    if (known === this.#models) return
    this.#models = known
    this.#set('models', JSON.stringify(known))
  }

  #set(name: string, value: string): void {
    this.#sql.exec(
      'INSERT INTO facts (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
      name,
      value,
    )
  }
}
