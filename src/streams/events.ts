/** What /me/stream tells (contract section 7). `message` and `session` keep a second tab in step; it reads what changed. */
export type MeEvent =
  | { type: 'reminder'; id: string; text: string; due_at: string }
  | { type: 'followup'; id: string; session_id: string; agent: string | null; text: string }
  | {
      type: 'message'
      id: string
      session_id: string
      change: 'created' | 'updated' | 'deleted'
      /** Of a new message: a tab knows its own questions. */
      role?: 'user' | 'assistant'
    }
  | { type: 'session'; id: string; change: 'created' | 'updated' | 'deleted' }
  | { type: 'document'; id: string; status: string }
  | { type: 'memory'; changed: number }
  | { type: 'export'; id: string; status: 'ready' | 'failed' }

/** Events that mean something by themselves: they wait for a listener. The others only say what to read again. */
export const LASTING_EVENTS: readonly MeEvent['type'][] = ['reminder', 'followup']

/** One server-sent event; JSON has no raw line breaks. */
export function encodeMeEvent(id: number, event: MeEvent | { type: 'hello'; space_id: string }) {
  const { type, ...data } = event
  return `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`
}

const LASTING = new RegExp(`^id: (\\d+)\nevent: (?:${LASTING_EVENTS.join('|')})$`, 'gm')

/** The id of the last event in what is sent to a stream that waits for a listener; null when none does. */
export function lastLastingId(text: string): number | null {
  const id = [...text.matchAll(LASTING)].at(-1)?.[1]
  return id === undefined ? null : Number(id)
}

/** Why a stream ends that did not end by itself. */
export type StreamEnd = 'token' | 'key' | 'tenant' | 'space'

const ENDS: Record<StreamEnd, { code: string; detail: string }> = {
  token: { code: 'invalid_token', detail: 'Invalid or expired token' },
  key: { code: 'invalid_key', detail: 'Invalid API key' },
  tenant: { code: 'tenant_inactive', detail: 'Tenant is not active' },
  space: { code: 'space_gone', detail: 'Space not found' },
}

export const encodeStreamEnd = (end: StreamEnd): string =>
  `event: error\ndata: ${JSON.stringify({ ...ENDS[end], retryable: false })}\n\n`

/** Close codes between the object and the Worker that speaks to the client. */
export const CLOSE_CODES = { token: 4401, space: 4404 } as const
