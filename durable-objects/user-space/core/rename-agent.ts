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
  const { sessions, messages, reminders, memories } = core.stores
  const keys = core.address ? await core.keys() : null
  if (!keys) return []
  const held = memories.sealedProfile(from, renamedAt)
  const opened = held && (await keys.read('remembered', 'body', from, held.body_sealed))
  const sealed = opened && (await keys.seal('remembered', 'body', to, opened))
  if (core.isClosed) return []
  core.agents.noteRename(rename)
  return core.storage.transactionSync(() => {
    if (held && sealed) memories.moveProfile(held, to, sealed)
    messages.renameAgent(rename)
    reminders.renameAgent(rename)
    memories.renameAgent(rename)
    return sessions.renameAgent(agentId, to)
  })
}
