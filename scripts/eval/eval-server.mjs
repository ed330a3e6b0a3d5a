/** Parley on a free port with a state of its own, and the calls that measuring retrieval needs. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { zipSync } from 'fflate'
import { ensureSecrets, readVars } from '../dev-secrets.mjs'
import { checkNode, findFreePort, startServer } from '../local-server.mjs'
import { stopOnSignals } from '../run-script.mjs'

/** Passages an archive: the product's limit of entries. */
const ARCHIVE = 1000
const POLL_MS = 500
/** Ingestion that makes no progress for this long has failed. */
const STALL_MS = 120_000
const PARALLEL_SEARCHES = 4
const HITS = 20

/** Starts the server, hands it to `work`, and leaves nothing behind whatever happens. */
export async function withServer(work) {
  checkNode()
  stopOnSignals(130)
  const folder = mkdtempSync(join(tmpdir(), 'parley-eval-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  const secrets = join(folder, 'secrets.env')
  ensureSecrets(secrets, {})
  const vars = { ...readVars(secrets), MODEL_PROVIDER: 'offline', LIMITS_UPLOADS: '100000' }
  const server = await startServer({ port: await findFreePort(), persistTo: folder, vars })
  try {
    const operator = client(server.origin, { 'x-admin-token': vars.ADMIN_TOKEN })
    const tenant = await operator('POST', '/v1/admin/tenants', { name: 'Eval', alias: 'eval' })
    return await work(client(server.origin, { 'x-api-key': tenant.key.api_key }))
  } catch (error) {
    console.error(server.tail())
    throw error
  } finally {
    await server.stop()
  }
}

/** @returns a function that makes a call and gives its JSON; throws on any status that is no success. */
function client(origin, headers) {
  return async (method, path, body) => {
    const form = body instanceof FormData
    const answer = await fetch(`${origin}${path}`, {
      method,
      headers: form || !body ? headers : { ...headers, 'content-type': 'application/json' },
      ...(body ? { body: form ? body : JSON.stringify(body) } : {}),
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return answer.status === 204 ? null : answer.json()
  }
}

/**
 * Puts a set's passages into a new base, one document each, by upload and queue, and waits until all are ready.
 * A passage is a page whose title is the passage's, so that nothing in its text is taken for markup.
 * @returns a function from a question to the passages found: `{hits: [{id, score}], found}`, `found` as the API gave it
 */
export async function openBase(call, name, corpus) {
  await call('POST', '/v1/knowledge-bases', { name })
  const passageOf = new Map()
  for (let from = 0; from < corpus.length; from += ARCHIVE) {
    const part = corpus.slice(from, from + ARCHIVE)
    const pages = part.map((passage, i) => [
      `${from + i}.html`,
      new TextEncoder().encode(toPage(passage)),
    ])
    const form = new FormData()
    form.append('file', new Blob([zipSync(Object.fromEntries(pages))]), `${from}.zip`)
    const { documents, skipped, failed } = await call(
      'POST',
      `/v1/knowledge-bases/${name}/documents/upload`,
      form,
    )
    if (skipped.length + failed.length > 0) {
      throw new Error(`Not all passages were taken: ${JSON.stringify([...skipped, ...failed][0])}`)
    }
    for (const { id, path } of documents) passageOf.set(id, corpus[Number.parseInt(path, 10)].id)
  }
  await waitUntilReady(call, name, corpus.length)
  return async (query, k = HITS) => {
    const found = await call('POST', `/v1/knowledge-bases/${name}/search`, { query, k })
    const best = new Map()
    for (const { document_id, score } of found.hits) {
      const id = passageOf.get(document_id)
      if (!best.has(id)) best.set(id, score)
    }
    return { hits: [...best].map(([id, score]) => ({ id, score })), found }
  }
}

async function waitUntilReady(call, name, total) {
  let last = ''
  let since = Date.now()
  for (;;) {
    const base = await call('GET', `/v1/knowledge-bases/${name}`)
    if (base.status === 'ready' && base.document_count === total) return
    const state = JSON.stringify([base.status, base.progress, base.chunk_count, base.updated_at])
    if (state !== last) since = Date.now()
    last = state
    if (base.status === 'failed' || Date.now() - since > STALL_MS) {
      throw new Error(`Ingestion stopped: ${JSON.stringify(base)}`)
    }
    await new Promise((done) => setTimeout(done, POLL_MS))
  }
}

function toPage({ title, text }) {
  const quote = (part) => part.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  const head = title ? `<head><title>${quote(title)}</title></head>` : ''
  const paragraphs = text.split('\n').map((line) => `<p>${quote(line)}</p>`)
  return `<!doctype html><html>${head}<body>${paragraphs.join('')}</body></html>`
}

/** Runs `ask` for every item, a few at a time, and gives the results in order. */
export async function mapParallel(items, ask) {
  const results = new Array(items.length)
  let next = 0
  const work = async () => {
    for (let i = next++; i < items.length; i = next++) results[i] = await ask(items[i])
  }
  await Promise.all(Array.from({ length: PARALLEL_SEARCHES }, work))
  return results
}
