import { deleteHistory } from '../kit/net/forget'
import { forgetStored, readStoredJson, writeStored } from '../kit/net/storage'
import { unconfirmedKey } from '../kit/net/unconfirmed'

interface StoredToken {
  token: string
  expiresAt: number
}

const keyOf = (tenantId: string) => `parley:${tenantId}:visitor`
const STARTED = 'parley:sign-in'

/** Keeps the token where the chat pages of this tenant look for the visitor's. */
export function keepToken(tenantId: string, token: string, lifetimeS: number, now: number): void {
  const stored: StoredToken = { token, expiresAt: now + lifetimeS * 1000 }
  writeStored(keyOf(tenantId), JSON.stringify(stored))
}

/** For the chat pages of this tenant: that the address waits to be confirmed, by a mail or for want of one. */
export function noteUnconfirmed(tenantId: string, waits: 'sent' | 'no_mail' | null): void {
  writeStored(unconfirmedKey(tenantId), waits)
}

/** Signs out on this device: nothing of the person's conversations stays either. */
export function dropToken(tenantId: string): void {
  deleteHistory(tenantId)
  forgetStored(`parley:${tenantId}:`)
}

/** The stored token while it is valid. */
export function storedToken(tenantId: string, now: number): string | null {
  const stored = readStoredJson(keyOf(tenantId)) as Partial<StoredToken> | null
  if (typeof stored?.token !== 'string' || typeof stored.expiresAt !== 'number') return null
  return stored.expiresAt > now ? stored.token : null
}

/** A sign-in at a provider that this tab began: only then a token in the address is taken. */
export function noteStart(): void {
  try {
    sessionStorage.setItem(STARTED, '1')
  } catch {
    // Without storage the sign-in cannot come back here; the password form still works.
  }
}

export function takeStart(): boolean {
  try {
    const began = sessionStorage.getItem(STARTED) === '1'
    sessionStorage.removeItem(STARTED)
    return began
  } catch {
    return false
  }
}
