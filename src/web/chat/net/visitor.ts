import { deleteHistory } from '../../kit/net/forget'
import { readStoredJson, writeStored } from '../../kit/net/storage'
import { lifetimeOf, signedInUser } from '../../kit/net/token-source'
import type { AgentName } from './agent-name'
import { problemOf, RequestFailed } from './problem'

interface StoredToken {
  token: string
  expiresAt: number
}

const EXPIRY_MARGIN_MS = 60_000

/** The visitor's token of one tenant: taken on the first message, kept in this browser, renewed when it has expired. */
export class Visitor {
  readonly #tenantId: string
  readonly #agent: AgentName
  readonly key: string
  /** Where tokens come from that somebody else hands out; null: a visitor's is taken here. */
  renewal: (() => Promise<string>) | null = null

  constructor(tenantId: string, agent: AgentName) {
    this.#tenantId = tenantId
    this.#agent = agent
    this.key = `parley:${tenantId}:visitor`
  }

  /** The stored token while it is valid. */
  current(now: number): string | null {
    const stored = readStoredJson(this.key) as Partial<StoredToken> | null
    if (typeof stored?.token !== 'string' || typeof stored.expiresAt !== 'number') return null
    return stored.expiresAt - EXPIRY_MARGIN_MS > now ? stored.token : null
  }

  /** There was a token here once, valid or not. */
  isKnown(): boolean {
    return readStoredJson(this.key) !== null
  }

  forget(): void {
    if (signedInUser(this.current(Date.now())) !== null) deleteHistory(this.#tenantId)
    writeStored(this.key, null)
  }

  /** Keeps a token that came from elsewhere. This browser's clock may be days off: what has ended before, the server says. */
  keep(token: string): void {
    const stored: StoredToken = { token, expiresAt: Date.now() + lifetimeOf(token) }
    writeStored(this.key, JSON.stringify(stored))
  }

  /** Takes a token for a new anonymous user, or the next one of a known person. Throws RequestFailed. */
  async register(lang: string, now: number): Promise<string> {
    if (this.renewal) return this.renewal()
    const response = await fetch('/auth/anonymous', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Accept-Language': lang },
      body: JSON.stringify({ tenant_id: this.#tenantId, agent: this.#agent.value }),
    })
    if (response.status === 404 && (await this.#agent.renew())) return this.register(lang, now)
    if (!response.ok) throw new RequestFailed(await problemOf(response, now))
    const body = (await response.json()) as { access_token?: unknown; expires_in?: unknown }
    // A person's may have come from elsewhere meanwhile.
    const kept = this.current(now)
    if (kept !== null) return kept
    if (typeof body.access_token !== 'string') {
      throw new RequestFailed({ kind: 'server', requestId: response.headers.get('X-Request-Id') })
    }
    const lifetimeS = typeof body.expires_in === 'number' ? body.expires_in : 3600
    const stored: StoredToken = { token: body.access_token, expiresAt: now + lifetimeS * 1000 }
    writeStored(this.key, JSON.stringify(stored))
    return stored.token
  }
}
