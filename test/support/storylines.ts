import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Behaviour } from '../../src/storylines/records'
import { ROOT } from './build-once'
import type { Parley } from './harness'
import type { SeededTenant } from './seed'

/** A worked example of the storyline model, as a file for import. */
export function storylineFile(name: string): Record<string, unknown> {
  return JSON.parse(
    readFileSync(join(ROOT, 'test', 'fixtures', 'storylines', `${name}.json`), 'utf8'),
  )
}

let made = 0

/** Puts a storyline into the database as publishing leaves it. @returns its id and its revision's. */
export async function publishedStoryline(
  { worker }: Pick<Parley, 'worker'>,
  tenant: SeededTenant,
  file: Record<string, unknown>,
  fields: Partial<Behaviour> & { position?: number } = {},
): Promise<{ id: string; revisionId: string }> {
  const { DB } = await worker.getEnv()
  const id = crypto.randomUUID()
  const revisionId = crypto.randomUUID()
  const { position = made++, ...more } = fields
  const behaviour: Behaviour = {
    key: String(file.key),
    name: String(file.name),
    displayName: String(file.display_name),
    description: String(file.description),
    entry: file.entry as Behaviour['entry'],
    trigger: file.enroll_trigger as Behaviour['trigger'],
    visibility: file.user_visibility as Behaviour['visibility'],
    onComplete: file.on_complete as Behaviour['onComplete'],
    concurrency: 'exclusive',
    allowExit: file.allow_exit === true,
    showProfile: file.show_profile === true,
    allowAgentEnroll: file.allow_agent_enroll === true,
    nextStorylineId: null,
    ...more,
  }
  const graph = JSON.stringify(file.graph)
  const profile = JSON.stringify(file.profile_schema)
  const now = Date.now()
  await DB.batch([
    DB.prepare(
      `INSERT INTO storylines (id, tenant_id, agent_name, key, name, description, graph, profile_schema, status, published_revision_id, is_default, user_visibility, entry, display_name, allow_exit, show_profile, on_complete, allow_agent_enroll, enroll_trigger, concurrency, position, version, created_at, updated_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'published', ?, 0, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, ?, ?)`,
    ).bind(
      id,
      tenant.id,
      String(file.agent_name),
      behaviour.key,
      behaviour.name,
      behaviour.description,
      graph,
      profile,
      revisionId,
      behaviour.visibility,
      behaviour.entry,
      behaviour.displayName,
      Number(behaviour.allowExit),
      Number(behaviour.showProfile),
      behaviour.onComplete,
      Number(behaviour.allowAgentEnroll),
      behaviour.trigger,
      behaviour.concurrency,
      position,
      now,
      now,
    ),
    DB.prepare(
      `INSERT INTO storyline_revisions (id, tenant_id, storyline_id, version, actor, graph, profile_schema, behaviour, created_at)
       VALUES (?, ?, ?, 1, NULL, ?, ?, ?, ?)`,
    ).bind(revisionId, tenant.id, id, graph, profile, JSON.stringify(behaviour), now),
  ])
  return { id, revisionId }
}
