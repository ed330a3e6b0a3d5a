/** From an upload's answer to its last passage: a large file, many small ones, a long PDF; and a search beside it. */
import { buildPdf } from '../test/support/pdf-builder.ts'
import { buildZip } from '../test/support/zip-builder.ts'
import { makeCorpus } from './corpus.mjs'
import { quantile, sendOk } from './load.mjs'
import { pause } from './measure.mjs'

const MARKDOWN_BYTES = 5_000_000
const FILES = 200
const FILE_BYTES = 2000
const PAGES = 300
const LINES = 40
const LINE_CHARS = 90
const SECTION_PASSAGES = 5
const STEP_MS = 100
const STALLED_MS = 300_000
const SEARCHES = 40

/** @returns for each input its seconds, passages and CPU; and the search alone and beside the largest */
export async function measureIngestion({ server, world, say }) {
  const { port } = server
  const headers = { 'x-api-key': world.key }
  const { texts } = makeCorpus(MARKDOWN_BYTES / 800 + 200)
  const inputs = {
    'Markdown of 5 MB': ['guide.md', markdown(texts)],
    '200 files of 2 KB': ['folder.zip', zip(texts)],
    'PDF of 300 pages': ['book.pdf', pdf(texts)],
  }
  const { name: known } = world.bases[Math.min(...Object.keys(world.bases).map(Number))]
  // Without a deadline: all of it runs in one process here, which a busy machine holds up.
  const ask = async (path, options = {}) => {
    const answer = await fetch(`http://127.0.0.1:${port}/v1/knowledge-bases${path}`, {
      ...options,
      headers: { ...headers, ...options.headers },
    })
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
    return answer.json()
  }
  const question = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: 'How long does the battery last for video?' }),
  }
  const search = async () => {
    const began = performance.now()
    await ask(`/${known}/search`, question)
    return performance.now() - began
  }
  const alone = []
  for (let n = 0; n < SEARCHES; n++) alone.push(await search())
  const rows = []
  const beside = []
  for (const [title, [file, bytes]] of Object.entries(inputs)) {
    say(`ingestion: ${title}`)
    const name = `ingest-${rows.length}`
    await sendOk(port, 'POST', '/v1/knowledge-bases', { name }, headers)
    const form = new FormData()
    form.append('file', new Blob([bytes]), file)
    const cpu = server.cpuMs()
    await ask(`/${name}/documents/upload`, { method: 'POST', body: form })
    const began = performance.now()
    for (;;) {
      const base = await ask(`/${name}`)
      if (base.status === 'failed' || performance.now() - began > STALLED_MS)
        throw new Error(`${title} is not ready: ${JSON.stringify(base)}`)
      if (base.status === 'ready' && base.chunk_count > 0) {
        const ms = performance.now() - began
        rows.push({ title, chunks: base.chunk_count, ms, cpuMs: server.cpuMs() - cpu })
        break
      }
      if (rows.length === 0) beside.push(await search())
      await pause(STEP_MS)
    }
  }
  return { rows, alone: quantile(alone, 0.5), beside: quantile(beside, 0.5) }
}

function markdown(texts) {
  let text = ''
  for (let n = 0; text.length < MARKDOWN_BYTES; n++) {
    if (n % SECTION_PASSAGES === 0) text += `## Section ${n / SECTION_PASSAGES + 1}\n\n`
    text += `${texts[n % texts.length]}\n\n`
  }
  return text
}

const zip = (texts) =>
  buildZip(
    Array.from({ length: FILES }, (_, n) => ({
      name: `notes/note-${n}.md`,
      data: `# Note ${n}\n\n${texts.slice(n * 3, n * 3 + 3).join('\n\n')}`.slice(0, FILE_BYTES),
    })),
  )

function pdf(texts) {
  const words = texts.join(' ')
  return buildPdf(
    Array.from({ length: PAGES }, (_page, page) =>
      Array.from({ length: LINES }, (_line, line) => {
        const from = (page * LINES + line) * LINE_CHARS
        return { text: words.slice(from, from + LINE_CHARS), y: 790 - line * 18 }
      }),
    ),
  )
}
