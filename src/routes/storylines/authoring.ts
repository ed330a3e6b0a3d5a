import * as z from 'zod'
import { defineRoute } from '../../http/route'
import { draftStoryline } from '../../rehearsal/draft-storyline'
import { requireScenarios } from '../../rehearsal/scenarios'
import { storylineFeature } from '../../storylines/feature'
import {
  exportStoryline,
  presentRevision,
  presentRevisionHead,
  presentStoryline,
} from '../../storylines/present-storyline'
import { checkStoryline, publishStoryline, unpublishStoryline } from '../../storylines/publish'
import {
  DraftIn,
  FeatureOut,
  StorylineExport,
  StorylineImport,
  StorylineIn,
  StorylineOut,
  StorylineRevisionFull,
  StorylineRevisionOut,
  ValidationOut,
} from '../../storylines/schema'
import {
  cloneStoryline,
  createStoryline,
  deleteStoryline,
  getStoryline,
  getStorylineRevision,
  importStoryline,
  listStorylineRevisions,
  listStorylines,
  replaceStoryline,
} from '../../storylines/storylines'
import { nameSought, uuidParam } from '../../wire/fields'

const tag = 'Storylines'
const params = z.object({ storyline_id: uuidParam })
const revisionParams = params.extend({ revision_id: uuidParam })

export const authoringRoutes = [
  defineRoute({
    method: 'GET',
    path: '/v1/storylines',
    layer: 'tenant',
    tag,
    summary: 'List storylines, by agent in the order in which they may start',
    query: z.object({ agent: nameSought.optional() }),
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
    path: '/v1/storylines/{storyline_id}/revisions/{revision_id}',
    layer: 'tenant',
    tag,
    summary: 'What one publishing froze: the graph, the slots and how it behaves',
    params: revisionParams,
    answers: { 200: StorylineRevisionFull },
    errors: [404],
    handler: async (c) => {
      const { storyline_id: id, revision_id } = c.req.valid('param')
      return c.json(presentRevision(await getStorylineRevision(c.get('tenant'), id, revision_id)))
    },
  }),
]
