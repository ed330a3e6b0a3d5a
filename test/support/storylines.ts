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

interface Insert {
  sql: string
  values: (string | number)[]
}

/** The rows of a storyline as publishing leaves them. */
function insertStoryline(
  tenant: Pick<SeededTenant, 'id'>,
  file: Record<string, unknown>,
  fields: Partial<Behaviour> & { position?: number; id?: string; revisionId?: string } = {},
): Insert[] {
  const {
    position = made++,
    id = crypto.randomUUID(),
    revisionId = crypto.randomUUID(),
    ...more
  } = fields
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
  const storyline = {
    id,
    tenant_id: tenant.id,
    agent_name: String(file.agent_name),
    key: behaviour.key,
    name: behaviour.name,
    description: behaviour.description,
    graph,
    profile_schema: profile,
    status: 'published',
    published_revision_id: revisionId,
    is_default: 0,
    user_visibility: behaviour.visibility,
    entry: behaviour.entry,
    display_name: behaviour.displayName,
    allow_exit: Number(behaviour.allowExit),
    show_profile: Number(behaviour.showProfile),
    on_complete: behaviour.onComplete,
    allow_agent_enroll: Number(behaviour.allowAgentEnroll),
    enroll_trigger: behaviour.trigger,
    concurrency: behaviour.concurrency,
    position,
    version: 1,
    created_at: now,
    updated_at: now,
  }
  const revision = {
    id: revisionId,
    tenant_id: tenant.id,
    storyline_id: id,
    version: 1,
    graph,
    profile_schema: profile,
    behaviour: JSON.stringify(behaviour),
    created_at: now,
  }
  return [insert('storylines', storyline), insert('storyline_revisions', revision)]
}

const insert = (table: string, row: Record<string, string | number>): Insert => ({
  sql: `INSERT INTO ${table} (${Object.keys(row).join(', ')}) VALUES (${Object.keys(row)
    .map(() => '?')
    .join(', ')})`,
  values: Object.values(row),
})

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
  const inserts = insertStoryline(tenant, file, { ...fields, id, revisionId })
  await DB.batch(inserts.map(({ sql, values }) => DB.prepare(sql).bind(...values)))
  return { id, revisionId }
}
