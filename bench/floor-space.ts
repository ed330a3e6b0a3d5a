import { DurableObject } from 'cloudflare:workers'

interface TurnRow extends Record<string, SqlStorageValue> {
  sealed: ArrayBuffer
}

/** History of one session: a row a turn, question and answer sealed together. */
export class FloorSpace extends DurableObject<unknown> {
  #key: Promise<CryptoKey> | null = null

  constructor(ctx: DurableObjectState, env: unknown) {
    super(ctx, env)
    ctx.storage.sql.exec(
      'CREATE TABLE IF NOT EXISTS turns (id INTEGER PRIMARY KEY, session_id TEXT NOT NULL, sealed BLOB NOT NULL)',
    )
    ctx.storage.sql.exec('CREATE INDEX IF NOT EXISTS turns_of_session ON turns (session_id, id)')
  }

  async history(sessionId: string, messages: number) {
    const rows = this.ctx.storage.sql
      .exec<TurnRow>(
        'SELECT sealed FROM turns WHERE session_id = ? ORDER BY id DESC LIMIT ?',
        sessionId,
        Math.ceil(messages / 2),
      )
      .toArray()
    const key = await this.#openKey()
    const turns = await Promise.all(rows.map(({ sealed }) => open(key, sealed)))
    return turns.reverse().flatMap(({ question, answer }) => [
      { role: 'user' as const, content: question },
      { role: 'assistant' as const, content: answer },
    ])
  }

  async append(sessionId: string, question: string, answer: string): Promise<void> {
    const iv = crypto.getRandomValues(new Uint8Array(12))
    const text = new TextEncoder().encode(JSON.stringify({ question, answer }))
    const body = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, await this.#openKey(), text)
    const sealed = new Uint8Array(iv.length + body.byteLength)
    sealed.set(iv)
    sealed.set(new Uint8Array(body), iv.length)
    this.ctx.storage.sql.exec(
      'INSERT INTO turns (session_id, sealed) VALUES (?, ?)',
      sessionId,
      sealed,
    )
  }

  #openKey(): Promise<CryptoKey> {
    this.#key ??= crypto.subtle.importKey('raw', new Uint8Array(32).fill(7), 'AES-GCM', false, [
      'encrypt',
      'decrypt',
    ])
    return this.#key
  }
}

async function open(key: CryptoKey, sealed: ArrayBuffer) {
  const iv = new Uint8Array(sealed, 0, 12)
  const text = await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, key, new Uint8Array(sealed, 12))
  return JSON.parse(new TextDecoder().decode(text)) as { question: string; answer: string }
}
