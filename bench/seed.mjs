import { makeCorpus } from './corpus.mjs'
import { sendOk } from './load.mjs'
import { ADMIN_TOKEN, applyMigrations } from './server.mjs'
import { EMBEDDER } from './workload.ts'

const DOCUMENT_PASSAGES = 20
const FLOOR_PASSAGES = 100

/** A tenant with one grounded agent for each size of base. */
export async function seed({ runtime, port }, sizes) {
  await applyMigrations(runtime)
  const tenant = await sendOk(
    port,
    'POST',
    '/v1/admin/tenants',
    { name: 'Bench', alias: 'bench' },
    { 'x-admin-token': ADMIN_TOKEN },
  )
  const key = tenant.key.api_key
  const headers = { 'x-api-key': key }
  const corpus = makeCorpus(Math.max(...sizes))
  const objects = await runtime.getDurableObjectNamespace('KNOWLEDGE_BASE', 'parley')
  const bases = {}
  for (const size of sizes) {
    const name = `base-${size}`
    const { id } = await sendOk(port, 'POST', '/v1/knowledge-bases', { name }, headers)
    const object = objects.get(objects.idFromName(`${tenant.id}/${id}`))
    for (let from = 0; from < size; from += DOCUMENT_PASSAGES) {
      const to = Math.min(size, from + DOCUMENT_PASSAGES)
      const document = {
        tenantId: tenant.id,
        documentId: crypto.randomUUID(),
        version: 'v1',
        edition: 0,
        title: `Guide ${from / DOCUMENT_PASSAGES + 1}`,
      }
      await fill(object, id, document, corpus.texts.slice(from, to), corpus.vectors.slice(from, to))
    }
    await sendOk(
      port,
      'PUT',
      `/v1/agents/agent-${size}`,
      { published: true, knowledge_bases: [name], grounding_required: true },
      headers,
    )
    bases[size] = { name, id, object, agentName: `agent-${size}` }
  }
  for (const { object } of Object.values(bases)) await waitForUpkeep(object, tenant.id)
  return { tenantId: tenant.id, key, bases, corpus }
}

/** A document with passages and vectors that are there already: what is measured is not how they came about. */
async function fill(object, baseId, document, texts, vectors) {
  let start = 0
  const chunks = texts.map((text, n) => {
    const chunk = { n, text, heading: null, page: null, start, end: start + text.length }
    start = chunk.end + 2
    return chunk
  })
  await object.stageChunks({ ...document, baseId, from: 0, chunks })
  const items = vectors.map((vector, n) => ({ n, vector }))
  await object.putVectors({ ...document, embedder: EMBEDDER, items })
  await object.commitDocument({
    ...document,
    baseId,
    name: document.title,
    url: null,
    total: texts.length,
  })
}

/** Empties the floor, which has one base. */
export const setUpFloor = ({ port }) => sendOk(port, 'POST', '/setup')

/** Adds passages to the floor's base. */
export async function fillFloor({ port }, { corpus }, from, to) {
  for (let at = from; at < to; at += FLOOR_PASSAGES) {
    const chunks = corpus.texts.slice(at, Math.min(to, at + FLOOR_PASSAGES))
    await sendOk(port, 'POST', '/kb', { chunks })
  }
}

const UPKEEP_MS = 120_000
const STEP_MS = 500

/** A base is measured as it is some seconds after its last change: two pieces of its indexes once its upkeep has run. */
async function waitForUpkeep(object, tenantId) {
  for (let waited = 0; waited < UPKEEP_MS; waited += STEP_MS) {
    const { segments } = await object.stats({ tenantId })
    if (segments <= 2) return
    await new Promise((done) => setTimeout(done, STEP_MS))
  }
  throw new Error('The upkeep of a base did not come to an end')
}
