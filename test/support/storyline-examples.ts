import type { Behaviour } from '../../src/storylines/records'
import type { Example, Reference } from './route-examples'
import { expectOk } from './seed'
import { freshName, type World } from './world'

const ABSENT_ID = '01890a5d-ac96-774b-bcce-b302099a8057'
const GRAPH = {
  schema: 1,
  start: 'ask',
  nodes: {
    ask: {
      type: 'collect',
      slots: [{ slot: 'name', ask: 'Your name?' }],
      exits: [{ id: 'go', to: 'bye' }],
    },
    bye: { type: 'end', outcome: 'done' },
  },
}
const PROFILE = { type: 'object', properties: { name: { type: 'string' } } }
const BEHAVIOUR: Behaviour = {
  key: 'tour',
  name: 'Tour',
  displayName: 'Tour',
  description: '',
  entry: 'menu',
  trigger: 'manual',
  visibility: 'title',
  onComplete: 'return',
  concurrency: 'exclusive',
  allowExit: true,
  showProfile: false,
  allowAgentEnroll: false,
  nextStorylineId: null,
}

/** Each side's storyline has its tenant's id, so that the other side's is known without asking. */
const storylineId: Reference = {
  in: 'params',
  field: 'storyline_id',
  resource: 'Storyline',
  foreign: (w) => w.foreign.tenant.id,
  absent: ABSENT_ID,
}

const theirScenario = (w: World) => `theirs-${w.foreign.tenant.id.slice(0, 8)}`

async function ownStoryline(w: World) {
  await w.db.batch(
    [w.own, w.foreign].map(({ tenant, agent }) =>
      w.db
        .prepare(
          `INSERT OR IGNORE INTO storylines (id, tenant_id, agent_name, key, name, description, graph, profile_schema, status,
             is_default, user_visibility, entry, display_name, allow_exit, show_profile, on_complete, allow_agent_enroll,
             enroll_trigger, concurrency, position, version, created_at, updated_at)
           VALUES (?1, ?1, ?2, 'tour', 'Tour', '', ?3, ?4, 'draft', 0, 'title', 'menu', 'Tour', 1, 0, 'return', 0, 'manual',
             'exclusive', 0, 1, 0, 0)`,
        )
        .bind(tenant.id, agent, JSON.stringify(GRAPH), JSON.stringify(PROFILE)),
    ),
  )
  // It is never opened: whoever asks for it is not its tenant.
  await w.db
    .prepare(
      `INSERT OR IGNORE INTO storyline_scenarios (id, tenant_id, storyline_id, name, body, version, created_at, updated_at)
       VALUES (?1, ?1, ?1, ?2, '', 1, 0, 0)`,
    )
    .bind(w.foreign.tenant.id, theirScenario(w))
    .run()
  return { params: { storyline_id: w.own.tenant.id } }
}

/** Each side's has its tenant's id, as its storyline. */
const ownRevision = (w: World) =>
  w.db.batch(
    [w.own, w.foreign].map(({ tenant }) =>
      w.db
        .prepare(
          `INSERT OR IGNORE INTO storyline_revisions (id, tenant_id, storyline_id, version, actor, graph, profile_schema,
             behaviour, created_at)
           VALUES (?1, ?1, ?1, 1, NULL, ?2, ?3, ?4, 0)`,
        )
        .bind(tenant.id, JSON.stringify(GRAPH), JSON.stringify(PROFILE), JSON.stringify(BEHAVIOUR)),
    ),
  )

/** Each side's has its tenant's id, as its storyline. */
const ownMigration = (w: World) =>
  w.db.batch(
    [w.own, w.foreign].map(({ tenant }) =>
      w.db
        .prepare(
          `INSERT OR IGNORE INTO storyline_migrations (id, tenant_id, storyline_id, wanted, status, at, matched, changed,
             slots_dropped, skipped, created_at, updated_at)
           VALUES (?1, ?1, ?1, ?2, 'done', '', 0, 0, 0, '[]', 0, 0)`,
        )
        .bind(
          tenant.id,
          JSON.stringify({ action: 'exit', revisionId: '', fromNode: null, toNode: null }),
        ),
    ),
  )

/** Two people on the way in each side's storyline. */
const ownPeople = (w: World) =>
  w.db.batch(
    [w.own, w.foreign].map(({ tenant }) =>
      w.db
        .prepare(
          `INSERT OR IGNORE INTO storyline_enrollments (id, tenant_id, storyline_id, revision_id, user_id, space_id, node_key,
             status, reports, entered_node_at, last_turn_at, created_at, updated_at)
           SELECT ?1 || n.value, ?1, ?1, ?1, u.id, ?1, 'ask', 'active', 1, 0, 0, 0, 0
           FROM users u, (SELECT '-1' AS value UNION SELECT '-2') n
           WHERE u.id = (SELECT id FROM users WHERE tenant_id = ?1 ORDER BY id LIMIT 1)`,
        )
        .bind(tenant.id),
    ),
  )

const storylineBody = (w: World) => ({
  agent_name: w.own.agent,
  key: freshName('tour'),
  graph: GRAPH,
  profile_schema: PROFILE,
})

async function freshStoryline(w: World, published = false) {
  const body = storylineBody(w)
  const { json } = await expectOk(w.own.tenant.call('POST', '/v1/storylines', body))
  if (published) await expectOk(w.own.tenant.call('POST', `/v1/storylines/${json.id}/publish`))
  return { params: { storyline_id: json.id as string }, body }
}

const scenarioBody = {
  messages: ['Hello', { form: { name: 'Ann' } }, { wait_minutes: 5 }],
  profile: { name: 'Ann' },
  tools: { weather: { ok: true, status: 200, data: { sky: 'clear' } } },
  judge: { go: 'yes' },
  expect: [{ turn: 1, node: 'bye', status: 'completed', says: 'name', slots: { name: 'Ann' } }],
}

const migrationId: Reference = {
  in: 'params',
  field: 'job_id',
  resource: 'Migration',
  foreign: (w) => w.foreign.tenant.id,
  absent: ABSENT_ID,
}

const scenarioName: Reference = {
  in: 'params',
  field: 'name',
  resource: 'Scenario',
  foreign: theirScenario,
  absent: 'no-such-scenario',
}

async function ownScenario(w: World) {
  const { params } = await ownStoryline(w)
  const name = freshName('scenario')
  await expectOk(
    w.own.tenant.call(
      'PUT',
      `/v1/storylines/${params.storyline_id}/scenarios/${name}`,
      scenarioBody,
    ),
  )
  return { params: { ...params, name } }
}

const own: Example = { fill: ownStoryline, refers: [storylineId] }
const fresh = (published = false): Example => ({
  fill: async (w) => ({ params: (await freshStoryline(w, published)).params }),
  refers: [storylineId],
})

export const STORYLINE_EXAMPLES: Record<string, Example> = {
  'GET /v1/storylines': {
    fill: async (w) => {
      await ownStoryline(w)
      return { query: { agent: w.own.agent } }
    },
  },
  'POST /v1/storylines': { fill: (w) => ({ body: storylineBody(w) }) },
  'GET /v1/storylines/feature': { fill: () => ({}) },
  'POST /v1/storylines/import': {
    fill: (w) => ({ body: { schema_version: 1, kind: 'storyline', ...storylineBody(w) } }),
  },
  'POST /v1/storylines/draft': {
    fill: (w) => ({ body: { agent_name: w.own.agent, goal: 'Ask for the name and say goodbye.' } }),
    refers: [
      {
        in: 'body',
        field: 'agent_name',
        resource: 'Agent',
        foreign: (w) => w.foreign.agent,
        absent: 'no-such-agent',
      },
    ],
    unmet: {
      status: 503,
      body: {
        detail: 'Drafting needs a model that writes: set one up',
        code: 'model_required',
      },
    },
  },
  'GET /v1/storylines/{storyline_id}': own,
  'PUT /v1/storylines/{storyline_id}': {
    fill: async (w) => {
      const { params, body } = await freshStoryline(w)
      return { params, body: { ...body, description: 'Shows the way.', position: 1 } }
    },
    refers: [storylineId],
  },
  'DELETE /v1/storylines/{storyline_id}': fresh(),
  'POST /v1/storylines/{storyline_id}/clone': own,
  'GET /v1/storylines/{storyline_id}/export': own,
  'POST /v1/storylines/{storyline_id}/validate': own,
  'POST /v1/storylines/{storyline_id}/publish': {
    fill: async (w) => ({
      params: (await freshStoryline(w)).params,
      query: { gate: 'scenarios' },
    }),
    refers: [storylineId],
  },
  'POST /v1/storylines/{storyline_id}/simulate': {
    fill: async (w) => {
      const { params } = await ownStoryline(w)
      const { expect: _, ...body } = scenarioBody
      return { params, body }
    },
    refers: [storylineId],
  },
  'GET /v1/storylines/{storyline_id}/scenarios': {
    fill: async (w) => ({ params: (await ownStoryline(w)).params }),
    refers: [storylineId],
  },
  'POST /v1/storylines/{storyline_id}/scenarios/run': own,
  'GET /v1/storylines/{storyline_id}/scenarios/{name}': {
    fill: ownScenario,
    refers: [storylineId, scenarioName],
  },
  'PUT /v1/storylines/{storyline_id}/scenarios/{name}': {
    fill: async (w) => {
      const { params } = await ownStoryline(w)
      return { params: { ...params, name: freshName('scenario') }, body: scenarioBody }
    },
    refers: [storylineId],
  },
  'DELETE /v1/storylines/{storyline_id}/scenarios/{name}': {
    fill: ownScenario,
    refers: [storylineId, scenarioName],
  },
  'POST /v1/storylines/{storyline_id}/unpublish': fresh(true),
  'GET /v1/storylines/{storyline_id}/revisions': own,
  'GET /v1/storylines/{storyline_id}/revisions/{revision_id}': {
    fill: async (w) => {
      const { params } = await ownStoryline(w)
      await ownRevision(w)
      return { params: { ...params, revision_id: w.own.tenant.id } }
    },
    refers: [
      storylineId,
      {
        in: 'params',
        field: 'revision_id',
        resource: 'Revision',
        foreign: (w) => w.foreign.tenant.id,
        absent: ABSENT_ID,
      },
    ],
  },
  'GET /v1/storylines/{storyline_id}/funnel': own,
  'POST /v1/storylines/{storyline_id}/enrollments/migrate': {
    fill: async (w) => ({
      params: (await freshStoryline(w, true)).params,
      query: { dry_run: 'false' },
      body: { action: 'move', from_node: 'ask', to_node: 'bye' },
    }),
    refers: [storylineId],
  },
  'GET /v1/storylines/{storyline_id}/enrollments/migrate/proposal': {
    fill: async (w) => ({ params: (await freshStoryline(w, true)).params }),
    refers: [storylineId],
  },
  'POST /v1/storylines/{storyline_id}/enrollments/migrate/{job_id}/undo': {
    fill: async (w) => {
      const { params } = await freshStoryline(w, true)
      await ownMigration(w)
      const order = { action: 'exit' }
      const path = `/v1/storylines/${params.storyline_id}/enrollments/migrate`
      const { json } = await expectOk(w.own.tenant.call('POST', path, order))
      return { params: { ...params, job_id: json.job_id } }
    },
    refers: [storylineId, migrationId],
  },
  'GET /v1/storylines/{storyline_id}/enrollments/migrate/{job_id}': {
    fill: async (w) => {
      const { params } = await ownStoryline(w)
      await ownMigration(w)
      return { params: { ...params, job_id: w.own.tenant.id } }
    },
    refers: [storylineId, migrationId],
  },
  'GET /v1/storylines/{storyline_id}/enrollments': {
    fill: async (w) => {
      const { params } = await ownStoryline(w)
      await ownPeople(w)
      return { params, query: { limit: '2' } }
    },
    refers: [storylineId],
  },
}
