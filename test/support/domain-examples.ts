import { makePicture } from './pictures'
import type { Example, Reference } from './route-examples'
import { expectOk } from './seed'
import { freshName, type World } from './world'

const agentName: Reference = {
  in: 'params',
  field: 'name',
  resource: 'Agent',
  foreign: (w) => w.foreign.agent,
  absent: 'no-such-agent',
}
const ownAgent = (w: World) => ({ params: { name: w.own.agent } })
const freshDomain = () => `${freshName('chat')}.parley-customer.com`.replaceAll('_', '-')

async function bind(w: World): Promise<void> {
  const body = { domain: freshDomain() }
  await expectOk(w.own.tenant.call('PUT', '/v1/tenant/custom-domain', body))
}

function iconForm(): FormData {
  const form = new FormData()
  form.set('file', new File([makePicture(512)], 'icon.png'))
  return form
}

/** The routes of domains and apps. */
export const DOMAIN_EXAMPLES: Record<string, Example> = {
  'GET /v1/internal/tls-allow': {
    fill: () => ({ query: { domain: 'nobody.parley-customer.com' } }),
    unmet: { status: 404, body: { detail: 'Not Found' } },
  },
  'GET /v1/tenant/custom-domain/feature': { fill: () => ({}) },
  'GET /v1/tenant/custom-domain': { fill: () => ({}) },
  'PUT /v1/tenant/custom-domain': {
    fill: (w) => ({ body: { domain: freshDomain(), agent_alias: w.own.agentAlias } }),
    refers: [
      {
        in: 'body',
        field: 'agent_alias',
        resource: 'Agent',
        foreign: (w) => w.foreign.agentAlias,
        absent: 'no-such-alias',
      },
    ],
  },
  'DELETE /v1/tenant/custom-domain': {
    fill: async (w) => {
      await bind(w)
      return {}
    },
    makesObject: true,
  },
  'POST /v1/tenant/custom-domain/check': {
    fill: async (w) => {
      await bind(w)
      return {}
    },
    makesObject: true,
  },
  'GET /v1/agents/{name}/pwa': { fill: ownAgent, refers: [agentName] },
  'PATCH /v1/agents/{name}/pwa': {
    fill: (w) => ({ ...ownAgent(w), body: { install_prompt: 'manual' } }),
    refers: [agentName],
  },
  'POST /v1/agents/{name}/pwa/icon': {
    fill: (w) => ({ ...ownAgent(w), form: iconForm() }),
    refers: [agentName],
  },
  'DELETE /v1/agents/{name}/pwa/icon': { fill: ownAgent, refers: [agentName] },
  'GET /icons/{tenant_id}/{icon}/{file}': {
    fill: async (w) => {
      const path = `/v1/agents/${w.own.agent}/pwa/icon`
      const { json } = await expectOk(w.own.tenant.call('POST', path, iconForm()))
      const [, , tenant_id = '', icon = '', file = ''] = new URL(json.icon192_url).pathname.split(
        '/',
      )
      return { params: { tenant_id, icon, file } }
    },
    makesObject: true,
  },
  'GET /a/{tenant_alias}/{agent_alias}/manifest.webmanifest': {
    fill: (w) => ({
      params: { tenant_alias: w.own.tenant.alias, agent_alias: w.own.agentAlias },
    }),
  },
  'GET /widget/{tenant}': { fill: (w) => ({ params: { tenant: w.own.tenant.id } }) },
  'GET /widget/{tenant}/{agent}': {
    fill: (w) => ({ params: { tenant: w.own.tenant.id, agent: w.own.agentAlias } }),
  },
  'GET /widget-demo': { fill: () => ({}) },
  'GET /widget-demo/{host}': { fill: () => ({ params: { host: 'plain' } }) },
  'GET /a/{tenant_alias}/{agent_alias}/sw.js': {
    fill: (w) => ({
      params: { tenant_alias: w.own.tenant.alias, agent_alias: w.own.agentAlias },
    }),
  },
}
