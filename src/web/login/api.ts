import type { MessageKey } from './words'

export interface Session {
  access_token: string
  expires_in: number
  email_verified: boolean
}

/** A refusal in words of the page; `field` names the input that it is about. */
export class Refused extends Error {
  constructor(
    readonly key: MessageKey,
    readonly field: 'email' | 'password' | null = null,
    readonly waitS = 0,
  ) {
    super(key)
  }
}

const BY_STATUS: Record<number, MessageKey> = { 400: 'expired', 401: 'wrong', 409: 'taken' }

/** One call of /auth. Throws Refused. */
export async function callAuth<T>(name: string, lang: string, body?: object): Promise<T> {
  let response: Response
  try {
    response = await fetch(`/auth/${name}`, {
      method: body ? 'POST' : 'GET',
      headers: { 'Accept-Language': lang, ...(body ? { 'Content-Type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
  } catch {
    throw new Refused('offline')
  }
  if (response.ok) return (await response.json()) as T
  if (response.status === 429) {
    throw new Refused('wait', null, Number(response.headers.get('Retry-After')) || 60)
  }
  if (response.status === 422) throw await fieldRefusal(response)
  const key = BY_STATUS[response.status] ?? 'failed'
  throw new Refused(key, key === 'taken' ? 'email' : null)
}

/** What was remembered of this browser's visitor follows them. A courtesy: signing in does not depend on it. */
export async function carryVisitor(visitor: string, access: string): Promise<void> {
  await fetch('/me/remembered/carry', {
    method: 'POST',
    headers: { Authorization: `Bearer ${access}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ anonymous_token: visitor }),
    keepalive: true,
  }).catch(() => {})
}

async function fieldRefusal(response: Response): Promise<Refused> {
  const answer = (await response.json().catch(() => null)) as {
    detail?: { loc?: unknown[] }[]
  } | null
  const field = answer?.detail?.[0]?.loc?.at(-1)
  if (field === 'email') return new Refused('badEmail', 'email')
  const isPassword = field === 'password' || field === 'new_password'
  return isPassword ? new Refused('badPassword', 'password') : new Refused('failed')
}
