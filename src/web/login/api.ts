import type { MessageKey } from './words'

export interface Session {
  access_token: string
  expires_in: number
  email_verified: boolean
}

export type FieldName =
  | 'email'
  | 'password'
  | 'pref_name'
  | 'contact_phone'
  | 'pref_city'
  | 'consent'

/** A refusal in words of the page; `field` names the input that it is about. */
export class Refused extends Error {
  constructor(
    readonly key: MessageKey,
    readonly field: FieldName | null = null,
    readonly waitS = 0,
  ) {
    super(key)
  }
}

const BY_STATUS: Record<number, MessageKey> = { 400: 'expired', 401: 'wrong', 409: 'taken' }

/** One call of /auth. Throws Refused. */
export async function callAuth<T>(name: string, lang: string, body?: object): Promise<T> {
  return (await (await send(`/auth/${name}`, lang, body)).json()) as T
}

/** What a tenant asks of somebody who came in by a provider. Throws Refused. */
export async function answerOnboarding(access: string, lang: string, body: object): Promise<void> {
  await send('/me/onboarding', lang, body, { Authorization: `Bearer ${access}` })
}

async function send(
  path: string,
  lang: string,
  body: object | undefined,
  credential: Record<string, string> = {},
): Promise<Response> {
  let response: Response
  try {
    response = await fetch(path, {
      method: body ? 'POST' : 'GET',
      headers: {
        'Accept-Language': lang,
        ...credential,
        ...(body ? { 'Content-Type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
  } catch {
    throw new Refused('offline')
  }
  if (response.ok) return response
  if (response.status === 429) {
    throw new Refused('wait', null, Number(response.headers.get('Retry-After')) || 60)
  }
  if (response.status === 422) throw await fieldRefusal(response)
  const key = BY_STATUS[response.status] ?? 'failed'
  throw new Refused(key, key === 'taken' ? 'email' : null)
}

async function fieldRefusal(response: Response): Promise<Refused> {
  const answer = (await response.json().catch(() => null)) as {
    detail?: { type?: unknown; loc?: unknown[] }[]
  } | null
  const first = answer?.detail?.[0]
  const field = first?.loc?.at(-1)
  if (field === 'contact_phone' || field === 'pref_name' || field === 'pref_city') {
    if (first?.type === 'missing') return new Refused('required', field)
    return new Refused(field === 'contact_phone' ? 'badPhone' : 'tooLong', field)
  }
  if (field === 'consent') return new Refused('badConsent', field)
  if (field === 'email') return new Refused('badEmail', 'email')
  const isPassword = field === 'password' || field === 'new_password'
  return isPassword ? new Refused('badPassword', 'password') : new Refused('failed')
}
