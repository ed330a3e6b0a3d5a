export interface AttachmentRow extends Record<string, SqlStorageValue> {
  id: string
  session_id: string
  message_id: string
  mime: string
  name_sealed: string
  size_bytes: number
  wrapped_key: string
  created_at: number
}

/** What is known of the images in a space; their bytes lie sealed in the object store. */
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
  }): void {
    this.#sql.exec(
      'INSERT INTO attachments (id, session_id, message_id, mime, name_sealed, size_bytes, wrapped_key, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
      row.id,
      row.sessionId,
      row.messageId,
      row.mime,
      row.nameSealed,
      row.size,
      row.wrappedKey,
      row.now,
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

  ids(): string[] {
    return this.#sql
      .exec<{ id: string }>('SELECT id FROM attachments')
      .toArray()
      .map((row) => row.id)
  }

  removeOfSession(sessionId: string): void {
    this.#sql.exec('DELETE FROM attachments WHERE session_id = ?', sessionId)
  }

  removeOfMessage(messageId: string): void {
    this.#sql.exec('DELETE FROM attachments WHERE message_id = ?', messageId)
  }
}
