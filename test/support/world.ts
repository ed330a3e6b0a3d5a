import { formatApiKey } from '../../src/platform/crypto/api-key'
import { signUserToken, type UserClaims } from '../../src/platform/crypto/jwt'
import { parseKeyring } from '../../src/platform/crypto/keyring'
import { newTag } from '../../src/platform/ids'
import { type Parley, SECRETS } from './harness'
import { expectOk, type SeededTenant, seedAgent, seedBase, seedTenant } from './seed'
import type { TelegramServer } from './telegram-server'

/** An end user of one tenant with a finished conversation in the default space, and a second space. */
export interface Person {
  /** What identifies the person, without X-Space-Id. */
  headers: Record<string, string>
  userId: string
  spaceId: string
  otherSpaceId: string
  sessionId: string
  messageId: string
}

/** One tenant with an object of every kind. */
export interface Side {
  tenant: SeededTenant
  agent: string
  agentId: string
  agentAlias: string
  revisionId: string
  skill: string
  skillRevisionId: string
  base: string
  /** A second base, and a document of it. */
  otherBase: string
  otherDocumentId: string
  documentId: string
  /** Known through X-End-User. */
  ada: Person
  bob: Person
  /** Known by a token. */
  visitor: Person & { token: string; claims: UserClaims }
  sibling: Person & { token: string; claims: UserClaims }
}

export interface World {
  parley: Parley
  db: D1Database
  /** Origin of a server that the egress guard lets through. */
  page: string
  telegram: TelegramServer
  own: Side
  foreign: Side
  /** Tenants that may not act, with the credentials they had. */
  suspended: { id: string; key: string; token: string }
  deleted: { id: string; key: string; token: string }
  keys: Record<'unknown' | 'revoked' | 'deleted' | 'chat' | 'manage' | 'read', string>
}

export const JWT_RING = parseKeyring(SECRETS.JWT_SECRET, 'JWT_SECRET')
const WEEK_S = 7 * 24 * 3600

let made = 0
/** A name that nothing else has. */
export const freshName = (kind: string): string => `${kind}-${(++made).toString(36)}-${process.pid}`

/** Two tenants with everything, and whatever else a credential can be. Names differ between the two. */
export async function makeWorld(
  parley: Parley,
  page: string,
  telegram: TelegramServer,
): Promise<World> {
  const db = (await parley.worker.getEnv()).DB as D1Database
  const [own, foreign, suspended, deleted] = await Promise.all([
    makeSide(parley, db, 'own'),
    makeSide(parley, db, 'foreign'),
    makeIdle(parley),
    makeIdle(parley),
  ])
  await expectOk(
    parley.admin('PATCH', `/v1/admin/tenants/${suspended.id}`, { status: 'suspended' }),
  )
  await expectOk(parley.admin('DELETE', `/v1/admin/tenants/${deleted.id}`))
  return {
    parley,
    db,
    page,
    telegram,
    own,
    foreign,
    suspended,
    deleted,
    keys: await makeKeys(own.tenant),
  }
}

async function makeIdle(parley: Parley) {
  const tenant = await seedTenant(parley)
  const { token } = await makeVisitor(parley, tenant.id)
  return { id: tenant.id, key: tenant.key, token }
}

async function makeKeys(tenant: SeededTenant): Promise<World['keys']> {
  const mint = async (scopes: string[] | null) =>
    (await expectOk(tenant.call('POST', '/v1/tenant/keys', { name: freshName('key'), scopes })))
      .json
  const [revoked, deleted, chat, manage, read] = await Promise.all([
    mint(null),
    mint(null),
    mint(['chat']),
    mint(['manage']),
    mint(['read']),
  ])
  await expectOk(tenant.call('POST', `/v1/tenant/keys/${revoked.id}/revoke`))
  await expectOk(tenant.call('DELETE', `/v1/tenant/keys/${deleted.id}`))
  return {
    unknown: formatApiKey(crypto.getRandomValues(new Uint8Array(32))),
    revoked: revoked.api_key,
    deleted: deleted.api_key,
    chat: chat.api_key,
    manage: manage.api_key,
    read: read.api_key,
  }
}

async function makeSide(parley: Parley, db: D1Database, label: string): Promise<Side> {
  const tenant = await seedTenant(parley)
  const names = { agent: `${label}-desk`, base: `${label}-guide`, otherBase: `${label}-second` }
  await seedBase(tenant, names.base, {
    Refunds: `Refunds of ${label} take five working days.`,
    Long: longText(label),
  })
  await expectOk(tenant.call('PATCH', `/v1/knowledge-bases/${names.base}`, { downloads: true }))
  await seedBase(tenant, names.otherBase, { Other: `The other base of ${label} says little.` })
  const skill = `${label}-skill`
  await expectOk(
    tenant.call('POST', `/v1/skills/${skill}`, { description: 'Answers about refunds.' }),
  )
  await seedAgent(tenant, names.agent, {
    knowledge_bases: [names.base],
    skills: [skill],
    public_sources: true,
  })
  const agentAlias = `${label}-desk`
  await expectOk(tenant.call('PUT', `/v1/agents/${names.agent}/alias`, { alias: agentAlias }))
  const [agent, revisions, skillRevisions, documents, otherDocuments] = await Promise.all([
    tenant.call('GET', `/v1/agents/${names.agent}`),
    tenant.call('GET', `/v1/agents/${names.agent}/revisions`),
    tenant.call('GET', `/v1/skills/${skill}/revisions`),
    tenant.call('GET', `/v1/knowledge-bases/${names.base}/documents`),
    tenant.call('GET', `/v1/knowledge-bases/${names.otherBase}/documents`),
  ])
  const person = (name: string) => makeProxyUser(parley, db, tenant, name)
  const visitor = () => makeTokenUser(parley, db, tenant)
  const [ada, bob, first, second] = await Promise.all([
    person('ada'),
    person('bob'),
    visitor(),
    visitor(),
  ])
  return {
    tenant,
    ...names,
    skill,
    skillRevisionId: skillRevisions.json[0].id,
    agentId: agent.json.id,
    agentAlias,
    revisionId: revisions.json[0].id,
    documentId: documents.json.items.find((item: { name: string }) => item.name === 'Long.txt').id,
    otherDocumentId: otherDocuments.json.items[0].id,
    ada,
    bob,
    visitor: first,
    sibling: second,
  }
}

async function makeProxyUser(
  parley: Parley,
  db: D1Database,
  tenant: SeededTenant,
  name: string,
): Promise<Person> {
  const headers = { 'x-api-key': tenant.key, 'x-end-user': name }
  const talk = await converse(parley, headers)
  const space = await db
    .prepare(
      `SELECT s.id, s.user_id FROM spaces s JOIN users u ON u.id = s.user_id
       WHERE u.tenant_id = ? AND u.source = 'proxy' AND u.external_id = ? AND s.is_default = 1`,
    )
    .bind(tenant.id, name)
    .first<{ id: string; user_id: string }>()
  if (!space) throw new Error(`${name} has no space`)
  const otherSpaceId = await addSpace(db, tenant.id, space.user_id)
  return { headers, userId: space.user_id, spaceId: space.id, otherSpaceId, ...talk }
}

async function makeTokenUser(parley: Parley, db: D1Database, tenant: SeededTenant) {
  const { token, claims } = await makeVisitor(parley, tenant.id)
  const headers = { authorization: `Bearer ${token}` }
  const otherSpaceId = await addSpace(db, tenant.id, claims.user)
  return {
    headers,
    userId: claims.user,
    spaceId: claims.space,
    otherSpaceId,
    ...(await converse(parley, headers)),
    token,
    claims,
  }
}

async function makeVisitor(parley: Parley, tenantId: string) {
  const { json } = await expectOk(
    parley.call('POST', '/auth/anonymous', { body: { tenant_id: tenantId } }),
  )
  const payload = JSON.parse(
    atob(json.access_token.split('.')[1].replace(/-/g, '+').replace(/_/g, '/')),
  )
  const claims: UserClaims = {
    user: payload.sub,
    tenant: payload.tid,
    version: payload.ver,
    space: payload.spc,
    tag: payload.tag,
    source: payload.src,
  }
  return { token: json.access_token as string, claims }
}

async function converse(parley: Parley, headers: Record<string, string>) {
  const { json } = await expectOk(
    parley.call('POST', '/v1/chat', { body: { message: 'When are refunds paid?' }, headers }),
  )
  return { sessionId: json.session_id as string, messageId: json.message_id as string }
}

/** A second space without agents, written as a management call would leave it. */
async function addSpace(db: D1Database, tenantId: string, userId: string): Promise<string> {
  const id = crypto.randomUUID()
  await db
    .prepare(
      'INSERT INTO spaces (id, tenant_id, user_id, name, is_default, tag, created_at, updated_at) VALUES (?, ?, ?, ?, 0, ?, 0, 0)',
    )
    .bind(id, tenantId, userId, 'Second', newTag())
    .run()
  return id
}

/** A token of our own making, to vary what a real one says. */
export function signToken(claims: UserClaims, now = Date.now()): Promise<string> {
  return signUserToken(JWT_RING, claims, now, WEEK_S)
}

/** Enough for several passages. */
function longText(label: string): string {
  const sentence = (n: number) =>
    `Rule ${n} of ${label} says that parcel ${n} is kept for ${n} days in hall ${n}.`
  return Array.from({ length: 80 }, (_, n) => sentence(n)).join(' ')
}
