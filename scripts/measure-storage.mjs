/**
 * Prints what a row costs in bytes, indexes included: `node scripts/measure-storage.mjs`. The numbers of docs/scale.md.
 * Fills the real schemas with rows of usual length in a plain SQLite and divides the growth by the number of rows.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { build } from 'esbuild'

const ROOT = resolve(import.meta.dirname, '..')
const ROWS = 2000
const NOW = Date.UTC(2026, 10, 1)
/** Envelope of a sealed field: "v1", key id and dots, nonce and tag in base64url. */
const sealed = (bytes) =>
  `v1.${randomBytes(6).toString('hex')}.${randomBytes(bytes + 28).toString('base64url')}`
const id = () => randomUUID()
const words = (length) => randomBytes(length).toString('base64url').slice(0, length)

/** Sum of all pages in use, so that b-tree slack counts as it does in production. */
function size(db) {
  const { page_count: pages } = db.prepare('PRAGMA page_count').get()
  const { freelist_count: free } = db.prepare('PRAGMA freelist_count').get()
  return (pages - free) * db.prepare('PRAGMA page_size').get().page_size
}

/** Bytes per row: `row(i)` gives the columns of the i-th row of `table`. */
function measure(schema, table, row, rows = ROWS) {
  const db = new DatabaseSync(':memory:')
  db.exec('PRAGMA foreign_keys = OFF')
  for (const step of schema) db.exec(step)
  const before = size(db)
  db.exec('BEGIN')
  for (let i = 0; i < rows; i++) {
    const values = row(i)
    const names = Object.keys(values)
    const marks = names.map(() => '?').join(',')
    db.prepare(`INSERT INTO ${table} (${names.map((name) => `"${name}"`)}) VALUES (${marks})`).run(
      ...Object.values(values),
    )
  }
  db.exec('COMMIT')
  return (size(db) - before) / rows
}

/** Rising ids, as UUIDv7 are: they fill pages better than random ones. */
const rising = (i) => `019a${String(i).padStart(8, '0')}-7${id().slice(15)}`

const AGENT_CONFIG = JSON.stringify({
  soul: words(600),
  task: words(1200),
  tools: ['current_time', 'ip_geo', 'weather'],
  skills: ['returns', 'orders'],
  knowledge_bases: ['handbook'],
  greeting: words(80),
  flags: words(700),
})

const D1_ROWS = {
  tenants: (i) => ({
    id: rising(i),
    name: words(20),
    alias: `tenant-${i}`,
    profile: words(200),
    wrapped_key: sealed(32),
    created_at: NOW,
    updated_at: NOW,
  }),
  api_keys: (i) => ({
    id: rising(i),
    tenant_id: id(),
    name: words(12),
    hash: randomBytes(32).toString('hex'),
    prefix: words(8),
    created_at: NOW,
  }),
  audit: (i) => ({
    tenant_id: 'same',
    seq: i + 1,
    id: rising(i),
    created_at: NOW,
    actor: `key:${words(8)}`,
    actor_type: 'key',
    via: 'api',
    action: 'update',
    entity: 'agent',
    entity_id: id(),
    entity_name: words(12),
    before: words(250),
    after: words(250),
    request_id: id(),
    hash: randomBytes(32).toString('hex'),
  }),
  agents: (i) => ({
    id: rising(i),
    tenant_id: id(),
    name: words(12),
    alias: `agent-${i}`,
    config: AGENT_CONFIG,
    created_at: NOW,
    updated_at: NOW,
  }),
  skills: (i) => ({
    id: rising(i),
    tenant_id: id(),
    name: words(12),
    config: words(1500),
    created_at: NOW,
    updated_at: NOW,
  }),
  revisions: (i) => ({
    id: rising(i),
    tenant_id: id(),
    entity: 'agent',
    entity_id: id(),
    actor: 'key:main',
    snapshot: AGENT_CONFIG,
    created_at: NOW,
  }),
  knowledge_bases: (i) => ({
    id: rising(i),
    tenant_id: id(),
    name: words(12),
    instructions: words(200),
    embedding_model: '@cf/baai/bge-m3',
    created_at: NOW,
    updated_at: NOW,
  }),
  documents: (i) => ({
    id: rising(i),
    tenant_id: id(),
    base_id: id(),
    path: `handbook/${words(24)}.md`,
    name: `${words(20)}.md`,
    kind: 'md',
    mime: 'text/markdown',
    size_bytes: 12_345,
    version: randomBytes(32).toString('hex'),
    live_version: randomBytes(32).toString('hex'),
    status: 'ready',
    progress: 100,
    chunk_count: 12,
    progressed_at: NOW,
    created_at: NOW,
    updated_at: NOW,
  }),
  users: (i) => ({
    id: rising(i),
    tenant_id: id(),
    source: 'proxy',
    external_id: words(16),
    created_at: NOW,
    last_active_at: NOW + i,
  }),
  spaces: (i) => ({
    id: rising(i),
    tenant_id: id(),
    user_id: id(),
    name: 'Default',
    is_default: 1,
    tag: i * 7919,
    created_at: NOW,
    updated_at: NOW,
  }),
  usage_hourly: (i) => ({
    tenant_id: 'same',
    hour: 490_000 + (i >> 4),
    agent_id: id(),
    user_id: id(),
    space_id: id(),
    model: '@cf/meta/llama-3.3-70b',
    kind: 'chat',
    requests: 3,
    input_tokens: 6000,
    output_tokens: 900,
    cached_tokens: 0,
    events: 3,
  }),
}

const SPACE_ROWS = {
  sessions: (i) => ({
    id: rising(i),
    agent_id: id(),
    agent_name: words(12),
    channel: 'api',
    title_sealed: sealed(40),
    message_count: 12,
    read_count: 12,
    summary_sealed: sealed(600),
    created_at: NOW,
    updated_at: NOW + i,
  }),
  messages: (i) => ({
    session_id: 'same',
    id: rising(i),
    role: i % 2 ? 'assistant' : 'user',
    agent_name: words(12),
    status: 'complete',
    body_sealed: sealed(i % 2 ? 1500 : 120),
    created_at: NOW,
  }),
}

async function load(entry) {
  const { outputFiles } = await build({
    stdin: { contents: entry, resolveDir: ROOT, loader: 'ts' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    write: false,
    logLevel: 'error',
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(process.cwd() + '/x.js');",
    },
  })
  return import(
    `data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`
  )
}

/** The guides as a base holds them: text, both indexes and vectors, a chunk; with their other ways to ask or without. */
function measureChunks({
  KNOWLEDGE_BASE_MIGRATIONS,
  readMd,
  chunkDocument,
  preparePassage,
  languages,
  isPhrased,
}) {
  const rows = []
  for (const language of languages) {
    const folder = join(ROOT, 'demo/help-desk', language)
    for (const name of readdirSync(folder).filter((file) => file.endsWith('.md'))) {
      const document = readMd(readFileSync(join(folder, name), 'utf8'))
      for (const read of chunkDocument(document)) {
        const chunk = isPhrased ? read : { ...read, phrasings: null }
        rows.push({ chunk, passage: preparePassage(document.title ?? name, chunk) })
      }
    }
  }
  const fill = (withVectors) => {
    const db = new DatabaseSync(':memory:')
    for (const step of KNOWLEDGE_BASE_MIGRATIONS) db.exec(step)
    const before = size(db)
    db.exec('BEGIN')
    // Twenty times over, so that what a schema costs once does not weigh.
    for (let round = 0; round < 20; round++) {
      for (const [n, { chunk, passage }] of rows.entries()) {
        const row = (round + 1) * 2 ** 20 + n
        db.prepare(
          'INSERT INTO chunks (id, sketch, page, start_at, end_at, heading, text, phrasings) VALUES (?,?,?,?,?,?,?,?)',
        ).run(
          row,
          passage.sketch,
          null,
          chunk.start,
          chunk.end,
          chunk.heading,
          chunk.text,
          chunk.phrasings ?? null,
        )
        db.prepare('INSERT INTO kb_a (rowid, title, body) VALUES (?,?,?)').run(
          row,
          passage.words.title,
          passage.words.body,
        )
        db.prepare('INSERT INTO kb_b (rowid, title, body) VALUES (?,?,?)').run(
          row,
          passage.letters.title,
          passage.letters.body,
        )
        if (withVectors)
          db.prepare(
            'INSERT INTO vectors (chunk_id, embedder_id, scale, bytes) VALUES (?,?,?,?)',
          ).run(row, 1, 0.01, randomBytes(1024))
      }
    }
    db.exec('COMMIT')
    return (size(db) - before) / (rows.length * 20)
  }
  const text = rows.reduce((sum, { chunk }) => sum + Buffer.byteLength(chunk.text), 0) / rows.length
  return { text, lexical: fill(false), vectors: fill(true) - fill(false) }
}

const code = await load(`
  export { KNOWLEDGE_BASE_MIGRATIONS } from './durable-objects/knowledge-base/schema'
  export { SPACE_MIGRATIONS } from './durable-objects/user-space/core/schema'
  export { readMd } from './src/knowledge/read/read-md'
  export { chunkDocument } from './src/knowledge/chunk-document'
  export { preparePassage } from './src/knowledge/prepare-passage'
`)
const migrations = readdirSync(join(ROOT, 'migrations'))
  .sort()
  .map((file) => readFileSync(join(ROOT, 'migrations', file), 'utf8'))
for (const [table, row] of Object.entries(D1_ROWS))
  console.log(`D1 ${table}\t${Math.round(measure(migrations, table, row))}`)
for (const [table, row] of Object.entries(SPACE_ROWS))
  console.log(`UserSpace ${table}\t${Math.round(measure(code.SPACE_MIGRATIONS, table, row))}`)
for (const languages of [['en', 'es', 'ru'], ['zh']])
  for (const isPhrased of [false, true]) {
    const { text, lexical, vectors } = measureChunks({ ...code, languages, isPhrased })
    const name = `KnowledgeBase chunk (${languages.join(', ')}${isPhrased ? ', other ways to ask' : ''})`
    console.log(
      `${name}\t${Math.round(text)} text, ${Math.round(lexical)} with both indexes, ${Math.round(vectors)} a vector of 1,024`,
    )
  }
