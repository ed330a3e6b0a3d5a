/** A passage between its neighbours, as `GET /v1/messages/{id}/sources/{n}` gives it. */
export interface SourceContext extends Passage {
  quotes: { start: number; end: number }[]
  previous: Passage | null
  next: Passage | null
  downloadable: boolean
}

export interface Passage {
  heading: string | null
  page: number | null
  text: string
}

export type Reading = SourceContext | 'gone' | 'failed'

const read = new Map<string, Promise<Reading>>()

const addressOf = (messageId: string, n: number): string =>
  `/v1/messages/${encodeURIComponent(messageId)}/sources/${n}`

const withToken = (token: string | null): RequestInit =>
  token === null ? {} : { headers: { Authorization: `Bearer ${token}` } }

/** Asked once a page: a passage never changes under its answer, it can only go. */
export function readContext(messageId: string, n: number, token: string | null): Promise<Reading> {
  const address = addressOf(messageId, n)
  const known = read.get(address)
  if (known) return known
  const reading = fetchContext(address, token)
  read.set(address, reading)
  void reading.then((result) => {
    if (result === 'failed') read.delete(address)
  })
  return reading
}

async function fetchContext(address: string, token: string | null): Promise<Reading> {
  const response = await fetch(address, withToken(token)).catch(() => null)
  if (response?.status === 410) return 'gone'
  if (response?.ok !== true) return 'failed'
  return response.json().catch(() => 'failed') as Promise<Reading>
}

/** Saves the file that a source is from. Rejects when the server does not give it. */
export async function saveOriginal(
  messageId: string,
  n: number,
  token: string | null,
): Promise<void> {
  const response = await fetch(`${addressOf(messageId, n)}/original`, withToken(token))
  if (!response.ok) throw new Error(`original: ${response.status}`)
  const name = /filename\*=UTF-8''(.+)$/.exec(response.headers.get('content-disposition') ?? '')
  const url = URL.createObjectURL(await response.blob())
  const link = document.createElement('a')
  link.href = url
  link.download = decodeURIComponent(name?.[1] ?? '')
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 1000)
}
