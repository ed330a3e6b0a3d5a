/**
 * `npm run demo`: the whole path without a person. Starts Parley on a free port with its own temporary state, loads the
 * guides, asks the questions of demo/help-desk/questions.json through /v1/chat and /v1/chat/stream in turn, and exits
 * with 1 when an answer lacks its source. Leaves nothing behind.
 *
 * `npm run demo -- --eval` asks the 120 questions of eval.json instead, eighteen of which the guides do not answer; nine in
 * ten of either kind must come out right. Those marked `held` were written before the guides took their present form.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { ensureSecrets, readVars } from './dev-secrets.mjs'
import { checkNode, findFreePort, startServer } from './local-server.mjs'
import { SetupError, stopOnSignals, unlessInterrupted } from './run-script.mjs'
import { AGENT_NAME, seedDemo, TENANT_ALIAS } from './seed-demo.mjs'

const GUIDES = resolve(import.meta.dirname, '../demo/help-desk')
const EVALUATE = process.argv.includes('--eval')
const EVAL_SHARE = 0.9
const ANSWER_MS = 60_000

async function main() {
  checkNode()
  stopOnSignals(130)
  const folder = mkdtempSync(join(tmpdir(), 'parley-demo-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  const secrets = join(folder, 'secrets.env')
  ensureSecrets(secrets, {})
  const vars = { ...readVars(secrets), MODEL_PROVIDER: 'offline' }

  const began = performance.now()
  const server = await startServer({ port: await findFreePort(), persistTo: folder, vars })
  console.log(`Parley is up after ${seconds(began)}.`)
  try {
    const demo = await seedDemo({
      origin: server.origin,
      adminToken: vars.ADMIN_TOKEN,
      known: null,
    })
    console.log(`${demo.documents.size} guides are ready after ${seconds(began)}.`)
    const page = await fetch(`${server.origin}/a/${TENANT_ALIAS}/${AGENT_NAME}`)
    console.log(`The agent's page answers ${page.status}.\n`)
    const failures = await askAll(server.origin, demo)
    if (page.status !== 200) failures.push(`the agent's page answered ${page.status}`)
    return report(failures)
  } catch (error) {
    if (!(error instanceof SetupError)) console.error(server.tail())
    throw error
  } finally {
    await server.stop()
  }
}

async function askAll(origin, demo) {
  const items = JSON.parse(
    readFileSync(join(GUIDES, EVALUATE ? 'eval.json' : 'questions.json'), 'utf8'),
  )
  const results = []
  for (const [index, item] of items.entries()) {
    const ask = index % 2 === 0 ? askOnce : askStreaming
    const began = performance.now()
    const answer = await ask(origin, demo.apiKey, item)
    const took = seconds(began)
    const sources = answer.sources.map((source) => ({
      ...source,
      path: demo.documents.get(source.document_id),
    }))
    const problem = findProblem(item, answer, sources)
    results.push({ item, problem: problem && `question ${index + 1}: ${problem}` })
    console.log(
      `${index + 1}. [${item.language}, ${ask === askOnce ? 'chat' : 'stream'}, ${took}] ${item.question}`,
    )
    console.log(`   ${answer.reply.replaceAll('\n', '\n   ')}`)
    for (const source of sources) console.log(`   [${source.n}] ${source.path} · “${source.quote}”`)
    if (problem) console.log(`   ✗ ${problem}`)
    console.log('')
  }
  return EVALUATE ? judgeShares(results) : results.flatMap(({ problem }) => problem ?? [])
}

function judgeShares(results) {
  const failures = []
  const languages = new Set(results.map(({ item }) => item.language))
  for (const language of languages)
    printShare(
      language,
      results.filter(({ item }) => item.language === language),
    )
  printShare(
    'held',
    results.filter(({ item }) => item.held),
  )
  for (const [name, isKind] of [
    ['answered from the right guide', (item) => item.documents.length > 0],
    ['told that nothing fits', (item) => item.documents.length === 0],
  ]) {
    const kind = results.filter(({ item }) => isKind(item))
    const right = kind.filter(({ problem }) => !problem).length
    console.log(`${name}: ${right} of ${kind.length}`)
    if (right < EVAL_SHARE * kind.length) failures.push(`too few were ${name}`)
  }
  return failures
}

function printShare(name, some) {
  const share = (kind) => `${kind.filter(({ problem }) => !problem).length} of ${kind.length}`
  const answerable = some.filter(({ item }) => item.documents.length > 0)
  const others = some.filter(({ item }) => item.documents.length === 0)
  console.log(`${name.padEnd(6)} answered ${share(answerable)}, refused rightly ${share(others)}`)
}

/** What is wrong with an answer, or null: it must cite an expected guide and say the expected words in its language. */
function findProblem(item, answer, sources) {
  if (item.documents.length === 0) {
    return answer.finish_reason === 'no_match' && sources.length === 0
      ? null
      : `answered (${answer.finish_reason})`
  }
  if (!sources.some((source) => item.documents.includes(source.path))) {
    return `no source among ${item.documents.join(', ')} (${answer.finish_reason})`
  }
  if (item.quote && !fold(answer.reply).includes(fold(item.quote)))
    return `no “${item.quote}” in the answer`
  return item.pattern && !new RegExp(item.pattern, 'iu').test(answer.reply)
    ? `nothing like /${item.pattern}/ in the answer`
    : null
}

/** Line breaks of a page and code marks of Markdown are no difference between two quotes. */
const fold = (text) =>
  (text ?? '')
    .normalize('NFKC')
    .replace(/[\s`]+/g, ' ')
    .toLowerCase()

/** One person a language: a single one may not ask 120 questions in a minute. */
function post(origin, path, apiKey, { question, language }) {
  return fetch(`${origin}${path}`, {
    method: 'POST',
    headers: {
      'X-API-Key': apiKey,
      'X-End-User': `demo-${language}`,
      'Accept-Language': language,
      'Content-Type': 'application/json',
    },
    body: JSON.stringify({ message: question, agent: AGENT_NAME }),
    signal: AbortSignal.timeout(ANSWER_MS),
  })
}

async function askOnce(origin, apiKey, item) {
  const answer = await post(origin, '/v1/chat', apiKey, item)
  if (answer.status !== 200)
    throw new SetupError(`/v1/chat answered ${answer.status}: ${await answer.text()}`)
  return answer.json()
}

/** Reads the stream to its end; the text of the tokens must be the text of the finished answer. */
async function askStreaming(origin, apiKey, item) {
  const answer = await post(origin, '/v1/chat/stream', apiKey, item)
  if (answer.status !== 200)
    throw new SetupError(`/v1/chat/stream answered ${answer.status}: ${await answer.text()}`)
  const frames = (await answer.text()).split('\n\n').map(readFrame)
  const last = frames.findLast((frame) => frame.event === 'done' || frame.event === 'error')
  if (last?.event !== 'done')
    throw new SetupError(`The stream ended without an answer: ${JSON.stringify(last)}`)
  let text = ''
  for (const { event, data } of frames) {
    if (event === 'token') text += data.text
    if (event === 'replace') text = data.text
  }
  if (text.trim() !== last.data.reply.trim())
    throw new SetupError(`The streamed text differs from the answer: ${text}`)
  return last.data
}

function readFrame(frame) {
  const field = (name) => frame.match(new RegExp(`^${name}: ?(.*)$`, 'm'))?.[1]
  const data = field('data')
  return { event: field('event'), data: data ? JSON.parse(data) : null }
}

function report(failures) {
  if (failures.length === 0) {
    console.log(EVALUATE ? 'Good enough.' : 'Every answer names its source.')
    return 0
  }
  console.error(`${failures.length} of the checks failed:\n${failures.join('\n')}`)
  return 1
}

const seconds = (began) => `${((performance.now() - began) / 1000).toFixed(2)} s`

main().then(
  (code) => process.exit(code),
  async (error) => {
    await unlessInterrupted()
    console.error(error instanceof SetupError ? error.message : error)
    process.exit(1)
  },
)
