import * as z from 'zod'
import { PAGES } from '../config/limits'
import { ENROLLMENT_STATES } from '../config/names'
import { defineRoute } from '../http/route'
import { draftStoryline } from '../rehearsal/draft-storyline'
import { simulateStoryline } from '../rehearsal/run-simulation'
import {
  deleteScenario,
  getScenario,
  listScenarios,
  putScenario,
  requireScenarios,
  runScenarios,
} from '../rehearsal/scenarios'
import { storylineFeature } from '../storylines/feature'
import { readFunnel } from '../storylines/funnel'
import { listEnrollments } from '../storylines/list-enrollments'
import {
  getMigration,
  migratePeople,
  presentMigration,
  proposeMigration,
  undoMigration,
} from '../storylines/migrate-people'
import {
  exportStoryline,
  presentRevisionHead,
  presentStoryline,
} from '../storylines/present-storyline'
import { checkStoryline, publishStoryline, unpublishStoryline } from '../storylines/publish'
import {
  DraftIn,
  EnrollmentOut,
  FeatureOut,
  FunnelOut,
  MigrationBegun,
  MigrationIn,
  MigrationOut,
  MigrationState,
  ProposalOut,
  ScenarioIn,
  ScenarioOut,
  ScenariosRun,
  SimulateIn,
  SimulationOut,
  StorylineExport,
  StorylineImport,
  StorylineIn,
  StorylineOut,
  StorylineRevisionOut,
  ValidationOut,
} from '../storylines/schema'
import {
  cloneStoryline,
  createStoryline,
  deleteStoryline,
  getStoryline,
  importStoryline,
  listStorylineRevisions,
  listStorylines,
  replaceStoryline,
} from '../storylines/storylines'
import { nameField, pageQuery, queryBool, uuidParam } from '../wire/fields'

const tag = 'Storylines'
const params = z.object({ storyline_id: uuidParam })
const migrationParams = params.extend({ job_id: uuidParam })
const scenarioParams = params.extend({ name: nameField })

export const storylineRoutes = [
  defineRoute({
    method: 'GET',
    path: '/v1/storylines',
    layer: 'tenant',
    tag,
    summary: 'List storylines, by agent in the order in which they may start',
    query: z.object({ agent: nameField.optional() }),
    answers: { 200: z.array(StorylineOut) },
    handler: async (c) =>
      c.json(
        (await listStorylines(c.get('tenant'), c.req.valid('query').agent)).map(presentStoryline),
      ),
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/storylines',
    layer: 'tenant',
    tag,
    summary:
      'Create a draft; it is checked when it is validated or published, not when it is saved',
    json: StorylineIn,
    answers: { 200: StorylineOut },
    errors: [409],
    idempotent: true,
    handler: async (c) =>
      c.json(presentStoryline(await createStoryline(c.get('tenant'), c.req.valid('json')))),
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/storylines/feature',
    layer: 'tenant',
    tag,
    summary: 'Whether storylines are on for the tenant, and what their graphs may hold',
    answers: { 200: FeatureOut },
    handler: async (c) => c.json(await storylineFeature(c.get('tenant'))),
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/storylines/import',
    layer: 'tenant',
    tag,
    summary: 'Make a draft from an export; a key that is taken gets a number',
    json: StorylineImport,
    answers: { 200: StorylineOut },
    errors: [409],
    idempotent: true,
    handler: async (c) =>
      c.json(presentStoryline(await importStoryline(c.get('tenant'), c.req.valid('json')))),
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/storylines/draft',
    layer: 'tenant',
    tag,
    summary: "Have the agent's model write a draft for a goal; it is never live by itself",
    json: DraftIn,
    answers: { 200: StorylineOut },
    errors: [404, 409, 502, 503],
    idempotent: true,
    handler: async (c) =>
      c.json(presentStoryline(await draftStoryline(c.get('tenant'), c.req.valid('json')))),
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/storylines/{storyline_id}',
    layer: 'tenant',
    tag,
    summary: 'Read a storyline: the working copy',
    params,
    answers: { 200: StorylineOut },
    errors: [404],
    handler: async (c) =>
      c.json(
        presentStoryline(await getStoryline(c.get('tenant'), c.req.valid('param').storyline_id)),
      ),
  }),
  defineRoute({
    method: 'PUT',
    path: '/v1/storylines/{storyline_id}',
    layer: 'tenant',
    tag,
    summary:
      'Replace the fields that are sent; what is published stays live. `expected_version` refuses to overwrite a newer one',
    params,
    json: StorylineIn,
    answers: { 200: StorylineOut },
    errors: [404, 409],
    handler: async (c) => {
      const { storyline_id: id } = c.req.valid('param')
      const row = await replaceStoryline(c.get('tenant'), id, c.req.valid('json'))
      return c.json(presentStoryline(row))
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/v1/storylines/{storyline_id}',
    layer: 'tenant',
    tag,
    summary: 'Delete a storyline with its revisions, its enrollments and what they noted',
    params,
    answers: { 204: 'empty' },
    errors: [404],
    handler: async (c) => {
      await deleteStoryline(c.get('tenant'), c.req.valid('param').storyline_id)
      return c.body(null, 204)
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/storylines/{storyline_id}/clone',
    layer: 'tenant',
    tag,
    summary: 'Copy to a draft of the same agent',
    params,
    answers: { 200: StorylineOut },
    errors: [404, 409],
    idempotent: true,
    handler: async (c) =>
      c.json(
        presentStoryline(await cloneStoryline(c.get('tenant'), c.req.valid('param').storyline_id)),
      ),
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/storylines/{storyline_id}/export',
    layer: 'tenant',
    tag,
    summary: 'The storyline as a file for import elsewhere',
    params,
    answers: { 200: StorylineExport },
    errors: [404],
    handler: async (c) =>
      c.json(
        exportStoryline(await getStoryline(c.get('tenant'), c.req.valid('param').storyline_id)),
      ),
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/storylines/{storyline_id}/validate',
    layer: 'tenant',
    tag,
    summary: 'Check the working copy; `ok` means that it can be published',
    params,
    answers: { 200: ValidationOut },
    errors: [404],
    readable: true,
    handler: async (c) => {
      const ctx = c.get('tenant')
      const row = await getStoryline(ctx, c.req.valid('param').storyline_id)
      return c.json(await checkStoryline(ctx, row))
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/storylines/{storyline_id}/publish',
    layer: 'tenant',
    tag,
    summary:
      'Check the working copy and make it live for new enrollments; with `gate=scenarios` only if its scenarios hold',
    params,
    query: z.object({ gate: z.enum(['scenarios']).optional() }),
    answers: { 200: StorylineOut },
    errors: [404, 409],
    handler: async (c) => {
      const { storyline_id: id } = c.req.valid('param')
      const { gate } = c.req.valid('query')
      const ctx = c.get('tenant')
      const wants = gate === 'scenarios' ? requireScenarios : undefined
      return c.json(presentStoryline(await publishStoryline(ctx, id, wants)))
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/storylines/{storyline_id}/simulate',
    layer: 'tenant',
    tag,
    summary:
      'Try the working copy out: what it says, notes and does at each message. Nothing is stored, called or sent',
    params,
    json: SimulateIn,
    answers: { 200: SimulationOut },
    errors: [404],
    readable: true,
    handler: async (c) => {
      const ctx = c.get('tenant')
      const row = await getStoryline(ctx, c.req.valid('param').storyline_id)
      return c.json(await simulateStoryline(ctx, row, c.req.valid('json')))
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/storylines/{storyline_id}/scenarios',
    layer: 'tenant',
    tag,
    summary: 'List the conversations that a storyline must lead as expected, by name',
    params,
    answers: { 200: z.array(ScenarioOut) },
    errors: [404, 409],
    handler: async (c) => {
      const ctx = c.get('tenant')
      const { id } = await getStoryline(ctx, c.req.valid('param').storyline_id)
      return c.json(await listScenarios(ctx, id))
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/storylines/{storyline_id}/scenarios/run',
    layer: 'tenant',
    tag,
    summary: 'Run every scenario against the working copy, by rule and by its own verdicts alone',
    params,
    answers: { 200: ScenariosRun },
    errors: [404, 409],
    readable: true,
    handler: async (c) => {
      const ctx = c.get('tenant')
      const row = await getStoryline(ctx, c.req.valid('param').storyline_id)
      const scenarios = await runScenarios(ctx, row)
      return c.json({ ok: scenarios.length === 0, scenarios })
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/storylines/{storyline_id}/scenarios/{name}',
    layer: 'tenant',
    tag,
    summary: 'Read a scenario',
    params: scenarioParams,
    answers: { 200: ScenarioOut },
    errors: [404, 409],
    handler: async (c) => {
      const ctx = c.get('tenant')
      const { storyline_id, name } = c.req.valid('param')
      const { id } = await getStoryline(ctx, storyline_id)
      return c.json(await getScenario(ctx, id, name))
    },
  }),
  defineRoute({
    method: 'PUT',
    path: '/v1/storylines/{storyline_id}/scenarios/{name}',
    layer: 'tenant',
    tag,
    summary: 'Write a scenario: what is said, and what is expected of each turn',
    params: scenarioParams,
    json: ScenarioIn,
    answers: { 200: ScenarioOut },
    errors: [404, 409],
    handler: async (c) => {
      const ctx = c.get('tenant')
      const { storyline_id, name } = c.req.valid('param')
      const { id } = await getStoryline(ctx, storyline_id)
      return c.json(await putScenario(ctx, id, name, c.req.valid('json')))
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/v1/storylines/{storyline_id}/scenarios/{name}',
    layer: 'tenant',
    tag,
    summary: 'Delete a scenario',
    params: scenarioParams,
    answers: { 204: 'empty' },
    errors: [404],
    handler: async (c) => {
      const ctx = c.get('tenant')
      const { storyline_id, name } = c.req.valid('param')
      const { id } = await getStoryline(ctx, storyline_id)
      await deleteScenario(ctx, id, name)
      return c.body(null, 204)
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/storylines/{storyline_id}/unpublish',
    layer: 'tenant',
    tag,
    summary: 'No new starts; enrollments under way are paused',
    params,
    answers: { 200: StorylineOut },
    errors: [404, 409],
    handler: async (c) =>
      c.json(
        presentStoryline(
          await unpublishStoryline(c.get('tenant'), c.req.valid('param').storyline_id),
        ),
      ),
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/storylines/{storyline_id}/revisions',
    layer: 'tenant',
    tag,
    summary: 'What was published, newest first',
    params,
    answers: { 200: z.array(StorylineRevisionOut) },
    errors: [404],
    handler: async (c) => {
      const { storyline_id: id } = c.req.valid('param')
      return c.json((await listStorylineRevisions(c.get('tenant'), id)).map(presentRevisionHead))
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/storylines/{storyline_id}/enrollments',
    layer: 'tenant',
    tag,
    summary: 'Where people stand, newest first; the next page is in the `Link` header',
    params,
    query: z.object({
      ...pageQuery(PAGES.enrollments),
      status: z.enum(ENROLLMENT_STATES).optional(),
      node: z.string().min(1).max(48).optional(),
    }),
    answers: { 200: z.array(EnrollmentOut) },
    errors: [404],
    handler: async (c) => {
      const ctx = c.get('tenant')
      const { storyline_id: id } = c.req.valid('param')
      const query = c.req.valid('query')
      const page = await listEnrollments(ctx, await getStoryline(ctx, id), query)
      if (page.next_cursor !== null) c.header('Link', nextLink(c.req.path, query, page.next_cursor))
      return c.json(page.items)
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/storylines/{storyline_id}/enrollments/migrate',
    layer: 'tenant',
    tag,
    summary:
      'Move the people who are on the way; `dry_run` only counts. More than fifty are moved in the background: 202 with a job',
    params,
    query: z.object({ dry_run: queryBool.optional() }),
    json: MigrationIn,
    idempotent: true,
    answers: { 200: MigrationOut, 202: MigrationBegun },
    errors: [404, 409],
    handler: async (c) => {
      const ctx = c.get('tenant')
      const row = await getStoryline(ctx, c.req.valid('param').storyline_id)
      const dryRun = c.req.valid('query').dry_run ?? false
      const answer = await migratePeople(ctx, row, c.req.valid('json'), dryRun)
      return c.json(answer, 'matched' in answer ? 200 : 202)
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/storylines/{storyline_id}/enrollments/migrate/proposal',
    layer: 'tenant',
    tag,
    summary:
      'Propose where people on older revisions go on in the live one, as an order to map takes it',
    params,
    answers: { 200: ProposalOut },
    errors: [404, 409],
    handler: async (c) => {
      const ctx = c.get('tenant')
      const row = await getStoryline(ctx, c.req.valid('param').storyline_id)
      return c.json(await proposeMigration(ctx, row))
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/storylines/{storyline_id}/enrollments/migrate/{job_id}/undo',
    layer: 'tenant',
    tag,
    summary:
      'Take an order back, for thirty minutes after it was done; who went on since stays where they are',
    params: migrationParams,
    idempotent: true,
    answers: { 200: MigrationOut, 202: MigrationBegun },
    errors: [404, 409, 410],
    handler: async (c) => {
      const ctx = c.get('tenant')
      const { storyline_id: id, job_id } = c.req.valid('param')
      const answer = await undoMigration(ctx, await getStoryline(ctx, id), job_id)
      return c.json(answer, 'matched' in answer ? 200 : 202)
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/storylines/{storyline_id}/enrollments/migrate/{job_id}',
    layer: 'tenant',
    tag,
    summary: 'How far moving people is',
    params: migrationParams,
    answers: { 200: MigrationState },
    errors: [404],
    handler: async (c) => {
      const ctx = c.get('tenant')
      const { storyline_id: id, job_id } = c.req.valid('param')
      const row = await getStoryline(ctx, id)
      return c.json(presentMigration(await getMigration(ctx, row.id, job_id)))
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/storylines/{storyline_id}/funnel',
    layer: 'tenant',
    tag,
    summary: 'How many people came to each node, what became of them, and which exits they took',
    params,
    answers: { 200: FunnelOut },
    errors: [404],
    handler: async (c) => {
      const ctx = c.get('tenant')
      const row = await getStoryline(ctx, c.req.valid('param').storyline_id)
      return c.json(await readFunnel(ctx, row))
    },
  }),
]

/** RFC 8288: the same list from where this page ended. */
function nextLink(path: string, query: Record<string, unknown>, cursor: string): string {
  const given = Object.entries({ ...query, cursor }).filter(([, value]) => value !== undefined)
  const next = new URLSearchParams(given.map(([name, value]) => [name, String(value)]))
  return `<${path}?${next}>; rel="next"`
}
