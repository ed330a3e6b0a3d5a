/** Makes the demo tenant, its knowledge base, its agents and their storylines, through the same HTTP API that everyone uses. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { zipSync } from 'fflate'
import { SetupError } from './run-script.mjs'

export const TENANT_ALIAS = 'demo'
export const AGENT_NAME = 'help-desk'
const BASE_NAME = 'help-desk'
const GUIDES = resolve(import.meta.dirname, '../demo/help-desk')
const STORYLINES = resolve(import.meta.dirname, '../demo/storylines')
const LANGUAGES = ['en', 'zh', 'zh-TW', 'es', 'ru', 'fr', 'ar']
const STALL_MS = 120_000
const POLL_MS = 200
/** However long the guides take, one line tells of them on the way: `npm run dev` speaks at most fifteen lines. */
const PROGRESS_STEPS = 2

/** What visitors read of the agent: in English, and in the other languages. */
const { en: words, ...translations } = JSON.parse(readFileSync(join(GUIDES, 'words.json'), 'utf8'))

const AGENT = {
  soul: "You are Parley's own help desk: calm, exact and brief. You answer in the language of the question.",
  task: 'Answer questions about running, configuring and using Parley from its guides. Quote exact names, paths and numbers.',
  knowledge_bases: [BASE_NAME],
  grounding_required: true,
  public_sources: true,
  ...words,
  translations,
  published: true,
}

/** The second agent only takes feedback. */
const FEEDBACK = {
  soul: 'You are friendly and brief.',
  task: 'Thank people for their feedback on Parley. Questions about Parley are for the help desk.',
  display_name: 'Parley Feedback',
  greeting: 'Hello! How do you like Parley?',
  menu_items: ['I would like to give feedback'],
  published: true,
}

/**
 * Brings the demo to its full state and changes nothing that is already there.
 * @param known `{tenantId, apiKey, guides}` of an earlier run, or null
 * @returns {{tenantId: string, apiKey: string, guides: string, documents: Map<string, string> | null}} guides: digest of
 *   what is loaded; documents: id to path of each guide, null where nothing had to be done
 * @throws SetupError naming the step that failed
 */
export async function seedDemo({ origin, adminToken, known, log = () => {} }) {
  const operator = client(origin, { 'X-Admin-Token': adminToken })
  const { tenantId, apiKey, guides } =
    (await reuse(origin, known)) ?? (await createTenant(operator, origin, adminToken))
  const tenant = client(origin, { 'X-API-Key': apiKey })
  const files = readGuides()
  const digest = digestOf(files)
  if (guides === digest && (await isComplete(tenant, files)))
    return { tenantId, apiKey, guides, documents: null }
  await ensure(tenant, `/v1/knowledge-bases/${BASE_NAME}`, 'POST', '/v1/knowledge-bases', {
    name: BASE_NAME,
    instructions: "Parley's own guides. Prefer the guide in the language of the question.",
    downloads: true,
  })
  const [documents] = await Promise.all([loadGuides(tenant, files, log), addAgents(tenant)])
  return { tenantId, apiKey, guides: digest, documents }
}

/** The two agents under their aliases, each with its storyline. */
async function addAgents(tenant) {
  const agent = `/v1/agents/${AGENT_NAME}`
  await ensure(tenant, agent, 'PUT', agent, AGENT)
  await call(tenant, 'PUT', `${agent}/alias`, { alias: AGENT_NAME })
  await ensure(tenant, '/v1/agents/feedback', 'PUT', '/v1/agents/feedback', FEEDBACK)
  await call(tenant, 'PUT', '/v1/agents/feedback/alias', { alias: 'feedback' })
  await addStorylines(tenant)
}

/** A storyline for each of the two agents, live. */
async function addStorylines(tenant) {
  const there = await listStorylines(tenant)
  for (const file of readStorylines()) {
    if (there.has(nameOf(file))) continue
    const { id } = await call(tenant, 'POST', '/v1/storylines/import', file)
    await call(tenant, 'POST', `/v1/storylines/${id}/publish`)
  }
}

const nameOf = ({ agent_name, key }) => `${agent_name}/${key}`

async function listStorylines(tenant) {
  return new Set((await call(tenant, 'GET', '/v1/storylines')).map(nameOf))
}

export function readStorylines() {
  return readdirSync(STORYLINES).map((name) =>
    JSON.parse(readFileSync(join(STORYLINES, name), 'utf8')),
  )
}

/** Whether the base and the agent that an earlier run finished are still there. */
async function isComplete(tenant, files) {
  const [base, agent, storylines] = await Promise.all([
    tenant('GET', `/v1/knowledge-bases/${BASE_NAME}`),
    tenant('GET', `/v1/agents/${AGENT_NAME}`),
    listStorylines(tenant),
  ])
  return (
    readStorylines().every((file) => storylines.has(nameOf(file))) &&
    agent.status === 200 &&
    base.status === 200 &&
    base.body.status === 'ready' &&
    base.body.document_count >= Object.keys(files).length
  )
}

function digestOf(files) {
  const hash = createHash('sha256')
  for (const [path, bytes] of Object.entries(files)) hash.update(`${path}\0`).update(bytes)
  return hash.digest('hex')
}

/** The known key, if it still opens the known tenant: the stored state may have been deleted since. */
async function reuse(origin, known) {
  if (!known) return null
  const { status } = await client(origin, { 'X-API-Key': known.apiKey })('GET', '/v1/tenant/me')
  return status === 200 ? known : null
}

async function createTenant(operator, origin, adminToken) {
  const made = await operator('POST', '/v1/admin/tenants', {
    name: 'Parley demo',
    alias: TENANT_ALIAS,
  })
  if (made.status === 200)
    return { tenantId: made.body.tenant_id ?? made.body.id, apiKey: made.body.key.api_key }
  if (made.status !== 409) throw failure('creating the demo tenant', made)
  // The tenant is there but its key was lost: the operator mints another one for it.
  const tenantId = await findTenant(operator)
  const acting = client(origin, { 'X-Admin-Token': adminToken, 'X-Act-Tenant': tenantId })
  const key = await call(acting, 'POST', '/v1/tenant/keys', { name: 'demo' })
  return { tenantId, apiKey: key.api_key }
}

async function findTenant(operator) {
  let cursor = ''
  do {
    const page = await call(operator, 'GET', `/v1/admin/tenants?limit=200${cursor}`)
    const found = page.items.find((item) => item.alias === TENANT_ALIAS)
    if (found) return found.tenant_id ?? found.id
    cursor = page.next_cursor ? `&cursor=${encodeURIComponent(page.next_cursor)}` : ''
  } while (cursor)
  throw new SetupError(`The alias "${TENANT_ALIAS}" is taken, but no tenant has it.`)
}

/** Uploads the guides as one archive, removes what is no guide any more, and waits until all are ready. */
async function loadGuides(tenant, files, log) {
  // What an earlier run left half read is loaded afresh: the local queue does not outlive its process.
  for (const document of await listDocuments(tenant)) {
    if (document.status !== 'ready' || !(document.path in files))
      await removeDocument(tenant, document)
  }
  const form = new FormData()
  form.set(
    'file',
    new Blob([zipSync(files, { level: 6 })], { type: 'application/zip' }),
    'guides.zip',
  )
  const result = await call(
    tenant,
    'POST',
    `/v1/knowledge-bases/${BASE_NAME}/documents/upload`,
    form,
  )
  if (result.failed.length > 0)
    throw new SetupError(`Guides were refused: ${JSON.stringify(result.failed)}`)
  const count = (list) => (Array.isArray(list) ? list.length : list)
  log(`${count(result.imported)} guides loaded, ${count(result.skipped)} unchanged`)
  return waitUntilReady(tenant, log)
}

function removeDocument(tenant, { id }) {
  return call(tenant, 'DELETE', `/v1/knowledge-bases/${BASE_NAME}/documents/${id}`)
}

function readGuides() {
  const files = {}
  for (const language of LANGUAGES) {
    for (const name of readdirSync(join(GUIDES, language)).sort()) {
      files[`${language}/${name}`] = readFileSync(join(GUIDES, language, name))
    }
  }
  return files
}

async function listDocuments(tenant) {
  const documents = []
  let cursor = ''
  do {
    const page = await call(
      tenant,
      'GET',
      `/v1/knowledge-bases/${BASE_NAME}/documents?limit=200${cursor}`,
    )
    documents.push(...page.items)
    cursor = page.next_cursor ? `&cursor=${encodeURIComponent(page.next_cursor)}` : ''
  } while (cursor)
  return documents
}

async function waitUntilReady(tenant, log) {
  let before = ''
  let said = 0
  let deadline = Date.now() + STALL_MS
  for (;;) {
    const documents = await listDocuments(tenant)
    const failed = documents.filter((document) => document.status === 'failed')
    if (failed.length > 0) {
      const reasons = failed.map((document) => `${document.path}: ${document.error}`)
      throw new SetupError(`Guides could not be read:\n${reasons.join('\n')}`)
    }
    const ready = documents.filter((document) => document.status === 'ready').length
    if (ready === documents.length)
      return new Map(documents.map((document) => [document.id, document.path]))
    const now = documents
      .map((document) => `${document.id}${document.status}${document.progress}`)
      .join()
    if (now !== before) deadline = Date.now() + STALL_MS
    else if (Date.now() > deadline)
      throw new SetupError(`Reading the guides stopped at ${ready} of ${documents.length}.`)
    before = now
    const steps = Math.floor((ready * PROGRESS_STEPS) / documents.length)
    if (steps > said) log(`${ready} of ${documents.length} guides ready`)
    said = steps
    await new Promise((done) => setTimeout(done, POLL_MS))
  }
}

/** Creates what `path` shows unless it exists, so that a person's own changes to the demo stay. */
async function ensure(tenant, path, method, createPath, body) {
  const found = await tenant('GET', path)
  if (found.status === 200) return
  if (found.status !== 404) throw failure(`reading ${path}`, found)
  await call(tenant, method, createPath, body)
}

/** @returns a function (method, path, body?) → {status, body}; a FormData body goes as multipart, another as JSON */
export function client(origin, headers) {
  return async (method, path, body) => {
    const isForm = body instanceof FormData
    const answer = await fetch(`${origin}${path}`, {
      method,
      headers: { ...headers, ...(body && !isForm ? { 'Content-Type': 'application/json' } : {}) },
      body: body && !isForm ? JSON.stringify(body) : body,
    })
    const text = await answer.text()
    return {
      status: answer.status,
      body: text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text,
    }
  }
}

/** As the client, but anything but 2xx is a SetupError. */
async function call(send, method, path, body) {
  const answer = await send(method, path, body)
  if (answer.status >= 300) throw failure(`${method} ${path}`, answer)
  return answer.body
}

function failure(step, { status, body }) {
  return new SetupError(
    `${step} answered ${status}: ${typeof body === 'string' ? body : JSON.stringify(body)}`,
  )
}
