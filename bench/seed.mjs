import { makeCorpus } from './corpus.mjs'
import { sendOk } from './load.mjs'
import { ADMIN_TOKEN, applyMigrations } from './server.mjs'

const DOCUMENT_PASSAGES = 20
/** What the floor says to the model instead of rules. */
const INSTRUCTIONS = 'You answer the questions of customers from the sources that come with them.'

/** A tenant with one grounded agent for each size of base, and the floor's same passages. */
export async function seed({ runtime, port, floorPort }, sizes) {
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
  await sendOk(floorPort, 'POST', '/setup', { key, instructions: INSTRUCTIONS })
  const corpus = makeCorpus(Math.max(...sizes))
  const bases = {}
  for (const size of sizes) {
    const name = `base-${size}`
    const { id } = await sendOk(port, 'POST', '/v1/knowledge-bases', { name }, headers)
    for (let from = 0; from < size; from += DOCUMENT_PASSAGES) {
      const to = Math.min(size, from + DOCUMENT_PASSAGES)
      await sendOk(floorPort, 'POST', '/fill', {
        tenantId: tenant.id,
        baseId: id,
        base: name,
        documentId: crypto.randomUUID(),
        title: `Guide ${from / DOCUMENT_PASSAGES + 1}`,
        texts: corpus.texts.slice(from, to),
        vectors: corpus.vectors.slice(from, to),
      })
    }
    await sendOk(floorPort, 'POST', '/optimize', { base: name })
    await sendOk(
      port,
      'PUT',
      `/v1/agents/agent-${size}`,
      { published: true, knowledge_bases: [name], grounding_required: true },
      headers,
    )
    bases[size] = { name, id, agentName: `agent-${size}` }
  }
  for (const { id } of Object.values(bases)) await waitForUpkeep(floorPort, tenant.id, id)
  return { tenantId: tenant.id, key, bases }
}

const UPKEEP_MS = 120_000
const STEP_MS = 500

/** A base is measured as it is some seconds after its last change. */
async function waitForUpkeep(port, tenantId, baseId) {
  for (let waited = 0; waited < UPKEEP_MS; waited += STEP_MS) {
    const { segments } = await sendOk(port, 'POST', '/segments', { tenantId, baseId })
    if (segments <= 2) return
    await new Promise((done) => setTimeout(done, STEP_MS))
  }
  throw new Error('The upkeep of a base did not come to an end')
}
