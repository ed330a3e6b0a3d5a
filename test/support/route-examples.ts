import type * as z from 'zod'
import { ChatRequest } from '../../src/chat/schema'
import { AUTH_EXAMPLES } from './auth-examples'
import { CHANNEL_EXAMPLES } from './channel-examples'
import { DOMAIN_EXAMPLES } from './domain-examples'
import { HANDOFF_EXAMPLES } from './handoff-examples'
import { GRAPH_EXAMPLES } from './knowledge-graph-examples'
import { MANAGE_EXAMPLES } from './manage-examples'
import { MCP_EXAMPLES } from './mcp-examples'
import { ME_EXAMPLES } from './me-examples'
import { MERGE_EXAMPLES } from './merge-examples'
import { PRIVACY_EXAMPLES } from './privacy-examples'
import { REVIEW_EXAMPLES } from './reviews-examples'
import { expectOk } from './seed'
import { STORYLINE_EXAMPLES } from './storyline-examples'
import { freshName, type Person, type World } from './world'

/** What fills a route's path, query and body. */
export interface Filled {
  params?: Record<string, string>
  query?: Record<string, string>
  body?: Record<string, unknown>
  form?: FormData
}

/** A place in the request that names an object, and what the 404 calls it. */
export interface Reference {
  in: 'params' | 'body'
  field: string
  resource: string
  /** The other tenant's, which may not be told from an absent one. */
  foreign: (w: World) => string
  absent: string
  /** Somebody else's or something else's of the same tenant. */
  siblings?: (w: World, who: Caller) => string[]
  /** The whole request when other fields must go with a foreign reference. */
  alongForeign?: (w: World) => Record<string, string>
}

export type Caller = 'key' | 'token'

export interface Example {
  /** A request that succeeds, with objects of its own where it changes them. */
  fill: (w: World, who: Person) => Filled | Promise<Filled>
  refers?: Reference[]
  /** Filling it changes the tenant: refused calls share one object. */
  makesObject?: boolean
  /** The answer to callers who are admitted, where nothing in this world lets the request succeed. */
  unmet?: { status: number; body: { detail: string; code?: string } }
  /** A request that succeeds uses up what it names, though it reads like any other. */
  usesUp?: boolean
  /** A request that succeeds costs a password hash: who is admitted shows mostly by what is said of one that fits nothing. */
  hashes?: boolean
  /** The body's real schema where the handler reads it. */
  body?: z.ZodType
  /** The answer has no end: its beginning is what is looked at. */
  endless?: boolean
}

export const ABSENT_ID = '01890a5d-ac96-774b-bcce-b302099a8057'

const agentName: Reference = {
  in: 'params',
  field: 'name',
  resource: 'Agent',
  foreign: (w) => w.foreign.agent,
  absent: 'no-such-agent',
}
const baseName: Reference = {
  in: 'params',
  field: 'name',
  resource: 'Knowledge base',
  foreign: (w) => w.foreign.base,
  absent: 'no-such-base',
}
const documentId: Reference = {
  in: 'params',
  field: 'id',
  resource: 'Document',
  foreign: (w) => w.foreign.documentId,
  absent: ABSENT_ID,
  siblings: (w) => [w.own.otherDocumentId],
}
const revisionId: Reference = {
  in: 'params',
  field: 'rev_id',
  resource: 'Revision',
  foreign: (w) => w.foreign.revisionId,
  absent: ABSENT_ID,
}
const skillName: Reference = {
  in: 'params',
  field: 'name',
  resource: 'Skill',
  foreign: (w) => w.foreign.skill,
  absent: 'no-such-skill',
}
const userId: Reference = {
  in: 'params',
  field: 'uid',
  resource: 'User',
  foreign: (w) => w.foreign.ada.userId,
  absent: ABSENT_ID,
}
const keyId: Reference = {
  in: 'params',
  field: 'kid',
  resource: 'API key',
  foreign: (w) => w.foreign.tenant.keyId,
  absent: ABSENT_ID,
}
const tenantId: Reference = {
  in: 'params',
  field: 'tenant_id',
  resource: 'Tenant',
  foreign: (w) => w.deleted.id,
  absent: ABSENT_ID,
}
const bodyAgent = (field: string): Reference => ({
  in: 'body',
  field,
  resource: 'Agent',
  foreign: (w) => w.foreign.agent,
  absent: 'no-such-agent',
})
const bodySession: Reference = {
  in: 'body',
  field: 'session_id',
  resource: 'Session',
  foreign: (w) => w.foreign.ada.sessionId,
  absent: ABSENT_ID,
  siblings: (w, who) => [who === 'key' ? w.own.bob.sessionId : w.own.sibling.sessionId],
}

async function freshAgent(w: World): Promise<string> {
  const name = freshName('agent')
  await expectOk(w.own.tenant.call('POST', `/v1/agents/${name}`, { soul: 'Short.' }))
  return name
}

async function freshSkill(w: World): Promise<string> {
  const name = freshName('skill')
  await expectOk(w.own.tenant.call('POST', `/v1/skills/${name}`, { description: 'Short.' }))
  return name
}

async function freshBase(w: World): Promise<string> {
  const name = freshName('base')
  await expectOk(w.own.tenant.call('POST', '/v1/knowledge-bases', { name }))
  return name
}

async function freshKey(w: World): Promise<string> {
  const { json } = await expectOk(w.own.tenant.call('POST', '/v1/tenant/keys', { name: 'spare' }))
  return json.id
}

async function freshTenant(w: World): Promise<string> {
  const { json } = await expectOk(w.parley.admin('POST', '/v1/admin/tenants', { name: 'Spare' }))
  return json.id
}

async function freshDocument(w: World): Promise<string> {
  const { json } = await expectOk(
    w.own.tenant.call('POST', `/v1/knowledge-bases/${w.own.base}/documents/text`, {
      title: freshName('text'),
      text: 'A text to read again or to delete.',
    }),
  )
  return json.documents[0].id
}

function textFile(name: string): FormData {
  const form = new FormData()
  form.set('file', new Blob([`# ${name}\n\nA file of one line.`]), `${name}.md`)
  return form
}

const nothing = () => ({})
const message = () => ({ body: { message: 'When are refunds paid?' } })
const ownAgent = (w: World) => ({ params: { name: w.own.agent } })
const ownSkill = (w: World) => ({ params: { name: w.own.skill } })
/** A finished import in each side's base, with the tenant's id; none is running, so that another one may begin. */
const ownImport = (w: World) =>
  w.db.batch([
    ...[w.own, w.foreign].map(({ tenant, base }) =>
      w.db
        .prepare(
          `INSERT OR IGNORE INTO site_imports (id, tenant_id, base_id, url, origin, page_limit, status, step, created_at, updated_at)
           SELECT ?1, ?1, id, 'https://site.example/', 'https://site.example', 10, 'done', 3, 0, 0
           FROM knowledge_bases WHERE tenant_id = ?1 AND name = ?2`,
        )
        .bind(tenant.id, base),
    ),
    w.db
      .prepare("UPDATE site_imports SET status = 'done' WHERE tenant_id = ?")
      .bind(w.own.tenant.id),
  ])
const ownBase = (w: World) => ({ params: { name: w.own.base } })
const ownDocument = (w: World) => ({ params: { name: w.own.base, id: w.own.documentId } })

/** One example for every operation: `METHOD path` of the route table. A route that is missing here fails the tests. */
export const EXAMPLES: Record<string, Example> = {
  ...AUTH_EXAMPLES,
  ...ME_EXAMPLES,
  ...PRIVACY_EXAMPLES,
  ...MERGE_EXAMPLES,
  ...DOMAIN_EXAMPLES,
  ...REVIEW_EXAMPLES,
  ...CHANNEL_EXAMPLES,
  ...HANDOFF_EXAMPLES,
  ...MANAGE_EXAMPLES,
  ...MCP_EXAMPLES,
  ...STORYLINE_EXAMPLES,
  ...GRAPH_EXAMPLES,
  'GET /': { fill: nothing },
  'GET /health': { fill: nothing },
  'GET /readyz': { fill: nothing },
  'GET /openapi.json': { fill: nothing },
  'GET /docs': { fill: nothing },

  'POST /v1/admin/tenants': { fill: () => ({ body: { name: 'Made by example' } }) },
  'GET /v1/admin/tenants': { fill: () => ({ query: { limit: '2' } }) },
  'GET /v1/admin/tenants/{tenant_id}': {
    fill: (w) => ({ params: { tenant_id: w.own.tenant.id } }),
    refers: [tenantId],
  },
  'PATCH /v1/admin/tenants/{tenant_id}': {
    fill: async (w) => ({ params: { tenant_id: await freshTenant(w) }, body: { name: 'Renamed' } }),
    refers: [tenantId],
  },
  'DELETE /v1/admin/tenants/{tenant_id}': {
    fill: async (w) => ({ params: { tenant_id: await freshTenant(w) } }),
    refers: [tenantId],
  },

  'GET /v1/tenant/me': { fill: nothing },
  'GET /v1/tenant/quota': { fill: nothing },
  'GET /v1/tenant/keys': { fill: nothing },
  'POST /v1/tenant/keys': { fill: () => ({ body: { name: 'minted', scopes: ['read'] } }) },
  'DELETE /v1/tenant/keys/{kid}': {
    fill: async (w) => ({ params: { kid: await freshKey(w) } }),
    refers: [keyId],
  },
  'POST /v1/tenant/keys/{kid}/revoke': {
    fill: async (w) => ({ params: { kid: await freshKey(w) } }),
    refers: [keyId],
  },

  'GET /v1/tenant/audit': { fill: () => ({ query: { limit: '2', entity: 'agent' } }) },
  'GET /v1/tenant/audit.csv': { fill: () => ({ query: { action: 'create' } }) },
  'GET /v1/manage/usage': { fill: () => ({ query: { group: 'agent', since: '7d' } }) },
  'GET /v1/manage/users/{uid}/usage': {
    fill: (w) => ({ params: { uid: w.own.ada.userId }, query: { days: '2' } }),
    refers: [userId],
  },

  'GET /v1/agents': { fill: () => ({ query: { published: 'true' } }) },
  'GET /v1/agents/templates': { fill: () => ({}) },
  'POST /v1/agents/draft': {
    fill: () => ({ body: { description: 'Answers questions of guests.' } }),
    unmet: {
      status: 503,
      body: {
        detail: 'Drafting needs a model that writes: set one up',
        code: 'model_required',
      },
    },
  },
  'POST /v1/agents/import': {
    fill: () => ({ body: { schema_version: 1, kind: 'agent', name: freshName('imported') } }),
  },
  'POST /v1/agents/{name}': {
    fill: () => ({ params: { name: freshName('posted') }, body: { soul: 'Kind.', tools: [] } }),
  },
  'PUT /v1/agents/{name}': {
    fill: () => ({
      params: { name: freshName('put') },
      body: { task: 'Help.', history_window: 4 },
    }),
  },
  'GET /v1/agents/{name}': { fill: ownAgent, refers: [agentName] },
  'GET /v1/agents/{name}/opening': {
    fill: (w) => ({ params: { name: w.own.agent }, query: { tenant_id: w.own.tenant.id } }),
    refers: [agentName],
  },
  'PATCH /v1/agents/{name}': {
    fill: async (w) => ({ params: { name: await freshAgent(w) }, body: { task: 'Other.' } }),
    refers: [agentName],
  },
  'DELETE /v1/agents/{name}': {
    fill: async (w) => ({ params: { name: await freshAgent(w) } }),
    refers: [agentName],
  },
  'GET /v1/agents/{name}/alias': { fill: ownAgent, refers: [agentName] },
  'PUT /v1/agents/{name}/alias': {
    fill: async (w) => ({
      params: { name: await freshAgent(w) },
      body: { alias: freshName('al') },
    }),
    refers: [agentName],
  },
  'POST /v1/agents/{name}/clone': {
    fill: (w) => ({ ...ownAgent(w), body: { name: freshName('clone') } }),
    refers: [agentName],
  },
  'GET /v1/agents/{name}/export': { fill: ownAgent, refers: [agentName] },
  'POST /v1/agents/{name}/preview-plan': {
    fill: (w) => ({ ...ownAgent(w), body: { goal: 'What is the weather in Lima?' } }),
    refers: [agentName],
  },
  'GET /v1/agents/{name}/revisions': { fill: ownAgent, refers: [agentName] },
  'POST /v1/agents/{name}/revisions/{rev_id}/restore': {
    fill: async (w) => {
      const name = await freshAgent(w)
      const { json } = await expectOk(w.own.tenant.call('GET', `/v1/agents/${name}/revisions`))
      return { params: { name, rev_id: json[0].id } }
    },
    refers: [agentName, { ...revisionId, siblings: (w) => [w.own.revisionId] }],
  },

  'GET /v1/skills': { fill: nothing },
  'POST /v1/skills/{name}': {
    fill: () => ({ params: { name: freshName('posted') }, body: { instructions: 'Be kind.' } }),
  },
  'PUT /v1/skills/{name}': {
    fill: () => ({ params: { name: freshName('put') }, body: { tools: ['weather'] } }),
  },
  'GET /v1/skills/{name}': { fill: ownSkill, refers: [skillName] },
  'PATCH /v1/skills/{name}': {
    fill: async (w) => ({ params: { name: await freshSkill(w) }, body: { menu_label: 'Ask' } }),
    refers: [skillName],
  },
  'DELETE /v1/skills/{name}': {
    fill: async (w) => ({ params: { name: await freshSkill(w) } }),
    refers: [skillName],
  },
  'GET /v1/skills/{name}/revisions': { fill: ownSkill, refers: [skillName] },
  'POST /v1/skills/{name}/revisions/{rev_id}/restore': {
    fill: async (w) => {
      const name = await freshSkill(w)
      const { json } = await expectOk(w.own.tenant.call('GET', `/v1/skills/${name}/revisions`))
      return { params: { name, rev_id: json[0].id } }
    },
    refers: [
      skillName,
      {
        ...revisionId,
        foreign: (w) => w.foreign.skillRevisionId,
        siblings: (w) => [w.own.skillRevisionId, w.own.revisionId],
      },
    ],
  },

  'GET /v1/knowledge-bases': { fill: nothing },
  'POST /v1/knowledge-bases': {
    fill: () => ({ body: { name: freshName('made'), instructions: 'Quote it.' } }),
  },
  'GET /v1/knowledge-bases/{name}': { fill: ownBase, refers: [baseName] },
  'PATCH /v1/knowledge-bases/{name}': {
    fill: async (w) => ({ params: { name: await freshBase(w) }, body: { instructions: 'New.' } }),
    refers: [baseName],
  },
  'DELETE /v1/knowledge-bases/{name}': {
    fill: async (w) => ({ params: { name: await freshBase(w) } }),
    refers: [baseName],
  },
  'POST /v1/knowledge-bases/{name}/search': {
    fill: (w) => ({ ...ownBase(w), body: { query: 'refunds', k: 3 } }),
    refers: [baseName],
  },
  'GET /v1/knowledge-bases/{name}/documents': { fill: ownBase, refers: [baseName] },
  'POST /v1/knowledge-bases/{name}/documents/upload': {
    fill: (w) => ({ ...ownBase(w), form: textFile(freshName('file')) }),
    refers: [baseName],
  },
  'POST /v1/knowledge-bases/{name}/documents/text': {
    fill: (w) => ({ ...ownBase(w), body: { title: freshName('text'), text: 'One line.' } }),
    refers: [baseName],
  },
  'POST /v1/knowledge-bases/{name}/documents/url': {
    fill: (w) => ({ ...ownBase(w), body: { url: `${w.page}/${freshName('page')}` } }),
    refers: [baseName],
  },
  'POST /v1/knowledge-bases/{name}/documents/site': {
    fill: async (w) => {
      await ownImport(w)
      return { ...ownBase(w), body: { url: `${w.page}/${freshName('site')}`, limit: 1 } }
    },
    refers: [baseName],
  },
  'GET /v1/knowledge-bases/{name}/imports/{job_id}': {
    fill: async (w) => {
      await ownImport(w)
      return { params: { name: w.own.base, job_id: w.own.tenant.id } }
    },
    refers: [
      baseName,
      {
        in: 'params',
        field: 'job_id',
        resource: 'Import',
        foreign: (w) => w.foreign.tenant.id,
        absent: ABSENT_ID,
      },
    ],
  },
  'GET /v1/knowledge-bases/{name}/documents/{id}': {
    fill: ownDocument,
    refers: [baseName, documentId],
  },
  'DELETE /v1/knowledge-bases/{name}/documents/{id}': {
    fill: async (w) => ({ params: { name: w.own.base, id: await freshDocument(w) } }),
    refers: [baseName, documentId],
  },
  'GET /v1/knowledge-bases/{name}/documents/{id}/chunks': {
    fill: ownDocument,
    refers: [baseName, documentId],
  },
  'GET /v1/knowledge-bases/{name}/documents/{id}/original': {
    fill: ownDocument,
    refers: [baseName, documentId],
  },
  'POST /v1/knowledge-bases/{name}/documents/{id}/reindex': {
    fill: async (w) => ({ params: { name: w.own.base, id: await freshDocument(w) } }),
    refers: [baseName, documentId],
  },

  'POST /v1/chat': {
    fill: (_w, who) => ({ body: { ...message().body, session_id: who.sessionId } }),
    refers: [bodyAgent('agent'), bodySession],
  },
  'POST /v1/chat/stream': {
    fill: message,
    body: ChatRequest,
    refers: [bodyAgent('agent'), bodySession],
  },
  'GET /v1/chat/stream/{message_id}': {
    fill: (_w, who) => ({ params: { message_id: who.messageId } }),
    refers: [
      {
        in: 'params',
        field: 'message_id',
        resource: 'Message',
        foreign: (w) => w.foreign.ada.messageId,
        absent: ABSENT_ID,
        siblings: (w, who) => [who === 'key' ? w.own.bob.messageId : w.own.sibling.messageId],
      },
    ],
  },
  'POST /v1/chat/stop': {
    fill: (_w, who) => ({ body: { session_id: who.sessionId } }),
    refers: [bodySession],
  },
  'POST /v1/chat/dismiss': {
    fill: (_w, who) => ({ body: { session_id: who.sessionId } }),
    refers: [bodySession],
  },
  'POST /v1/chat/ui': {
    fill: () => ({
      body: {
        id: 'my-chat',
        messages: [{ role: 'user', parts: [{ type: 'text', text: 'Hello' }] }],
      },
    }),
    refers: [bodyAgent('agent'), { ...bodySession, field: 'id' }],
  },
  'GET /v1/chat/ui/{id}/stream': {
    fill: (_w, who) => ({ params: { id: who.sessionId } }),
    refers: [{ ...bodySession, in: 'params', field: 'id' }],
  },
  'GET /v1/models': { fill: nothing },
  'GET /v1/models/{id}': {
    fill: (w) => ({ params: { id: w.own.agent } }),
    refers: [{ ...bodyAgent('id'), in: 'params' }],
  },
  'POST /v1/chat/completions': {
    fill: (w) => ({
      body: { model: w.own.agent, messages: [{ role: 'user', content: 'When are refunds paid?' }] },
    }),
    refers: [bodyAgent('model')],
  },

  'POST /auth/anonymous': {
    fill: (w) => ({ body: { tenant_id: w.own.tenant.id } }),
    refers: [{ ...tenantId, in: 'body' }],
  },
  'GET /a/{tenant_alias}/{agent_alias}': {
    fill: (w) => ({
      params: { tenant_alias: w.own.tenant.alias, agent_alias: w.own.agentAlias },
    }),
  },
}
