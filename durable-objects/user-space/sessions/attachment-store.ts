export interface AttachmentRow extends Record<string, SqlStorageValue> {
  id: string
  session_id: string
  message_id: string
  mime: string
  name_sealed: string
  size_bytes: number
  wrapped_key: string
  created_at: number
  /** Of a speech: in which voice, '' for the deployment's own. */
  voice: string | null
}

/** What is known of the images and speeches in a space; their bytes lie sealed in the object store. */
export class AttachmentStore {
  readonly #sql: SqlStorage

  constructor(sql: SqlStorage) {
    this.#sql = sql
  }

  add(row: {
    id: string
    sessionId: string
    messageId: string
    mime: string
    nameSealed: string
    size: number
    wrappedKey: string
    now: number
    voice?: string
  }): void {
    this.#sql.exec(
      'INSERT INTO attachments (id, session_id, message_id, mime, name_sealed, size_bytes, wrapped_key, created_at, voice) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
      row.id,
      row.sessionId,
      row.messageId,
      row.mime,
      row.nameSealed,
      row.size,
      row.wrappedKey,
      row.now,
      row.voice ?? null,
    )
  }

  get(id: string): AttachmentRow | undefined {
    return this.#where('id', id)[0]
  }

  ofSession(sessionId: string): AttachmentRow[] {
    return this.#where('session_id', sessionId)
  }

  ofMessage(messageId: string): AttachmentRow[] {
    return this.#where('message_id', messageId)
  }

  #where(column: 'id' | 'session_id' | 'message_id', value: string): AttachmentRow[] {
    return this.#sql
      .exec<AttachmentRow>(`SELECT * FROM attachments WHERE ${column} = ? ORDER BY id`, value)
      .toArray()
  }

  speech(messageId: string, voice: string): AttachmentRow | undefined {
    return this.#sql
      .exec<AttachmentRow>(
        'SELECT * FROM attachments WHERE message_id = ? AND voice = ?',
        messageId,
        voice,
      )
      .toArray()[0]
  }

  ids(): string[] {
    return this.#sql
      .exec<{ id: string }>('SELECT id FROM attachments')
      .toArray()
      .map((row) => row.id)
  }

  removeOfSession(sessionId: string): void {
    this.#sql.exec('DELETE FROM attachments WHERE session_id = ?', sessionId)
  }

  remove(id: string): void {
    this.#sql.exec('DELETE FROM attachments WHERE id = ?', id)
  }

  /** @returns what was removed. */
  removeSpeeches(messageId: string): string[] {
    return this.#sql
      .exec<{ id: string }>(
        'DELETE FROM attachments WHERE message_id = ? AND voice IS NOT NULL RETURNING id',
        messageId,
      )
      .toArray()
      .map(({ id }) => id)
  }

  removeOfMessage(messageId: string): void {
    this.#sql.exec('DELETE FROM attachments WHERE message_id = ?', messageId)
  }
}
