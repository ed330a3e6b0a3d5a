import * as z from 'zod'
import { PAGES } from '../../config/limits'
import { ENROLLMENT_STATES } from '../../config/names'
import { defineRoute } from '../../http/route'
import { readFunnel } from '../../storylines/funnel'
import { listEnrollments } from '../../storylines/list-enrollments'
import {
  getMigration,
  migratePeople,
  presentMigration,
  undoMigration,
} from '../../storylines/migrate-people'
import { proposeMigration } from '../../storylines/propose-migration'
import {
  EnrollmentOut,
  FunnelOut,
  MigrationBegun,
  MigrationIn,
  MigrationOut,
  MigrationState,
  ProposalOut,
} from '../../storylines/schema'
import { getStoryline } from '../../storylines/storylines'
import { pageQuery, queryBool, uuidParam } from '../../wire/fields'
import { nextLink } from '../../wire/paging'

const tag = 'Storylines'
const params = z.object({ storyline_id: uuidParam })
const migrationParams = params.extend({ job_id: uuidParam })

export const enrollmentRoutes = [
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
