import * as z from 'zod'
import {
  cloneAgent,
  createAgent,
  deleteAgent,
  getAgent,
  importAgent,
  listAgents,
  patchAgent,
  replaceAgent,
  restoreAgent,
  setAlias,
} from '../agents/agents'
import { presentAlias } from '../agents/alias'
import { presentAgent, presentAgentListItem, presentExport } from '../agents/present-agent'
import {
  AgentExport,
  AgentImport,
  AgentIn,
  AgentListItem,
  AgentOut,
  AgentPatch,
  AliasOut,
  OpeningOut,
  PlanOut,
} from '../agents/schema'
import { readOpening } from '../chat/opening'
import { planTurn } from '../chat/preview-plan'
import { defineRoute } from '../http/route'
import { listRevisions, presentRevision } from '../revisions/revisions'
import { Revision } from '../revisions/schema'
import { aliasField } from '../tenants/schema'
import { pickLanguage } from '../wire/accept-language'
import { nameField, nameSought, queryBool, tenantName, uuidParam } from '../wire/fields'

const tag = 'Agents'
const params = z.object({ name: nameSought })
/** Of what may come to be by this name. */
const newParams = z.object({ name: nameField })
const newName = z.object({ name: nameField.nullable().optional() })
const queryName = z.object({ name: nameField.optional() })

export const agentRoutes = [
  defineRoute({
    method: 'GET',
    path: '/v1/agents',
    layer: 'tenant',
    tag,
    summary: 'List agents by name',
    query: z.object({ published: queryBool.optional() }),
    answers: { 200: z.array(AgentListItem) },
    handler: async (c) =>
      c.json(
        (await listAgents(c.get('tenant'), c.req.valid('query').published)).map(
          presentAgentListItem,
        ),
      ),
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/agents/import',
    layer: 'tenant',
    tag,
    summary: 'Make a draft from an export',
    json: AgentImport,
    answers: { 200: AgentOut },
    errors: [409],
    idempotent: true,
    handler: async (c) =>
      c.json(presentAgent(await importAgent(c.get('tenant'), c.req.valid('json')))),
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/agents/{name}',
    layer: 'tenant',
    tag,
    summary: 'Create an agent',
    params: newParams,
    json: AgentIn,
    answers: { 200: AgentOut },
    errors: [409],
    idempotent: true,
    handler: async (c) =>
      c.json(
        presentAgent(
          await createAgent(c.get('tenant'), c.req.valid('param').name, c.req.valid('json')),
        ),
      ),
  }),
  defineRoute({
    method: 'PUT',
    path: '/v1/agents/{name}',
    layer: 'tenant',
    tag,
    summary: 'Replace an agent in full, or create it',
    params: newParams,
    json: AgentIn,
    answers: { 200: AgentOut },
    errors: [403, 409],
    handler: async (c) =>
      c.json(
        presentAgent(
          await replaceAgent(c.get('tenant'), c.req.valid('param').name, c.req.valid('json')),
        ),
      ),
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/agents/{name}',
    layer: 'tenant',
    tag,
    summary: 'Read an agent',
    params,
    answers: { 200: AgentOut },
    errors: [404],
    handler: async (c) =>
      c.json(presentAgent(await getAgent(c.get('tenant'), c.req.valid('param').name))),
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/agents/{name}/opening',
    layer: 'public',
    tag,
    summary: 'What a visitor sees of a published agent before the first message',
    params,
    query: z.object({ tenant_id: tenantName }),
    answers: { 200: OpeningOut },
    errors: [403, 404, 429],
    rate: 'opening',
    takesEffect: true,
    reads: ['Accept-Language'],
    handler: async (c) =>
      c.json(
        await readOpening(
          c.get('base'),
          c.req.valid('query').tenant_id,
          c.req.valid('param').name,
          pickLanguage(c.req.header('accept-language')),
        ),
      ),
  }),
  defineRoute({
    method: 'PATCH',
    path: '/v1/agents/{name}',
    layer: 'tenant',
    tag,
    summary: 'Change only the fields that are sent; `name` renames',
    params,
    json: AgentPatch,
    answers: { 200: AgentOut },
    errors: [403, 404, 409],
    handler: async (c) =>
      c.json(
        presentAgent(
          await patchAgent(c.get('tenant'), c.req.valid('param').name, c.req.valid('json')),
        ),
      ),
  }),
  defineRoute({
    method: 'DELETE',
    path: '/v1/agents/{name}',
    layer: 'tenant',
    tag,
    summary: 'Delete an agent',
    params,
    answers: { 204: 'empty' },
    errors: [403, 404],
    handler: async (c) => {
      await deleteAgent(c.get('tenant'), c.req.valid('param').name)
      return c.body(null, 204)
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/agents/{name}/alias',
    layer: 'tenant',
    tag,
    summary: 'Where end users find the agent',
    params,
    answers: { 200: AliasOut },
    errors: [404],
    handler: async (c) => {
      const ctx = c.get('tenant')
      return c.json(presentAlias(ctx, await getAgent(ctx, c.req.valid('param').name)))
    },
  }),
  defineRoute({
    method: 'PUT',
    path: '/v1/agents/{name}/alias',
    layer: 'tenant',
    tag,
    summary: 'Set the alias; null clears it',
    params,
    json: z.object({ alias: aliasField.nullish() }),
    answers: { 200: AliasOut },
    errors: [403, 404, 409],
    handler: async (c) => {
      const ctx = c.get('tenant')
      return c.json(
        presentAlias(
          ctx,
          await setAlias(ctx, c.req.valid('param').name, c.req.valid('json').alias ?? null),
        ),
      )
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/agents/{name}/clone',
    layer: 'tenant',
    tag,
    summary: 'Copy to an unpublished draft without an alias',
    params,
    query: queryName,
    json: newName,
    answers: { 200: AgentOut },
    errors: [404, 409],
    idempotent: true,
    handler: async (c) => {
      const name = c.req.valid('json').name ?? c.req.valid('query').name
      return c.json(
        presentAgent(await cloneAgent(c.get('tenant'), c.req.valid('param').name, name)),
      )
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/agents/{name}/export',
    layer: 'tenant',
    tag,
    summary: 'The agent as a file for import elsewhere',
    params,
    answers: { 200: AgentExport },
    errors: [404],
    handler: async (c) =>
      c.json(presentExport(await getAgent(c.get('tenant'), c.req.valid('param').name))),
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/agents/{name}/preview-plan',
    layer: 'tenant',
    tag,
    summary: 'How the agent would go about a goal; nothing is done',
    params,
    json: z.object({ goal: z.string().min(1).max(4000) }),
    answers: { 200: PlanOut },
    errors: [404],
    rate: 'previewPlan',
    handler: async (c) => {
      const ctx = c.get('tenant')
      return c.json(
        await planTurn(
          ctx,
          await getAgent(ctx, c.req.valid('param').name),
          c.req.valid('json').goal,
        ),
      )
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/agents/{name}/revisions',
    layer: 'tenant',
    tag,
    summary: 'States of the agent, newest first, at most 100',
    params,
    answers: { 200: z.array(Revision) },
    errors: [404],
    handler: async (c) => {
      const ctx = c.get('tenant')
      const agent = await getAgent(ctx, c.req.valid('param').name)
      return c.json((await listRevisions(ctx, 'agent', agent.id)).map(presentRevision))
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/agents/{name}/revisions/{rev_id}/restore',
    layer: 'tenant',
    tag,
    summary: 'Make the agent equal that revision',
    params: params.extend({ rev_id: uuidParam }),
    answers: { 200: AgentOut },
    errors: [403, 404, 409],
    handler: async (c) => {
      const { name, rev_id } = c.req.valid('param')
      return c.json(presentAgent(await restoreAgent(c.get('tenant'), name, rev_id)))
    },
  }),
]
