import type { SpaceCore } from './space-core'

export interface AgentRename {
  agentId: string
  from: string
  to: string
  /** What is younger and bears the old name is another agent's. */
  renamedAt: number
}

/**
 * What this space keeps under an agent's old name gets its new one. Sessions know the agent by its id; the rest goes by name
 * and age. What is remembered is sealed for its name, so it is sealed anew. Safe to run twice.
 * @returns the ids of the sessions that changed.
 */
export async function renameAgent(core: SpaceCore, rename: AgentRename): Promise<string[]> {
  const { agentId, from, to, renamedAt } = rename
  const { sql } = core.storage
  const keys = core.address ? await core.keys() : null
  if (!keys) return []
  const [held] = sql
    .exec<{ body_sealed: string; updated_at: number }>(
      'SELECT body_sealed, updated_at FROM remembered WHERE agent_name = ? AND updated_at < ?',
      from,
      renamedAt,
    )
    .toArray()
  const opened = held && (await keys.read('remembered', 'body', from, held.body_sealed))
  const sealed = opened && (await keys.seal('remembered', 'body', to, opened))
  if (core.isClosed) return []
  core.noteRename(rename)
  return core.storage.transactionSync(() => {
    if (held && sealed) {
      // Of two that meet here, which only a deleted agent's name brings about, the newer stays.
      const { rowsWritten } = sql.exec(
        'DELETE FROM remembered WHERE agent_name = ? AND body_sealed = ?',
        from,
        held.body_sealed,
      )
      if (rowsWritten > 0) {
        sql.exec(
          `INSERT INTO remembered (agent_name, body_sealed, updated_at) VALUES (?, ?, ?) ON CONFLICT (agent_name)
           DO UPDATE SET body_sealed = excluded.body_sealed, updated_at = excluded.updated_at WHERE updated_at < excluded.updated_at`,
          to,
          sealed,
          held.updated_at,
        )
      }
    }
    for (const table of ['messages', 'reminders', 'memories']) {
      sql.exec(
        `UPDATE ${table} SET agent_name = ? WHERE agent_name = ? AND created_at < ?`,
        to,
        from,
        renamedAt,
      )
    }
    return sql
      .exec<{ id: string }>(
        'UPDATE sessions SET agent_name = ? WHERE agent_id = ? AND agent_name <> ? RETURNING id',
        to,
        agentId,
        to,
      )
      .toArray()
      .map(({ id }) => id)
  })
}
