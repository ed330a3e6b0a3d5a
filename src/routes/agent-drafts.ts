import * as z from 'zod'
import { presentAgent } from '../agents/present-agent'
import { AgentDraftIn, AgentOut, AgentTemplateOut } from '../agents/schema'
import { defineRoute } from '../http/route'
import { loadTemplates } from '../lazy'
import { draftAgent } from '../rehearsal/draft-agent'

const tag = 'Agents'

/** How an agent begins: from a template, or from a description. */
export const agentDraftRoutes = [
  defineRoute({
    method: 'GET',
    path: '/v1/agents/templates',
    layer: 'tenant',
    tag,
    summary: 'Beginnings for an agent, each with the fields to create it with',
    answers: { 200: z.array(AgentTemplateOut) },
    handler: async (c) => c.json([...(await loadTemplates()).AGENT_TEMPLATES]),
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/agents/draft',
    layer: 'tenant',
    tag,
    summary:
      "Have the tenant's model write an agent for a description; it is never published by itself",
    json: AgentDraftIn,
    answers: { 200: AgentOut },
    errors: [409, 502, 503],
    idempotent: true,
    handler: async (c) =>
      c.json(presentAgent(await draftAgent(c.get('tenant'), c.req.valid('json')))),
  }),
]
