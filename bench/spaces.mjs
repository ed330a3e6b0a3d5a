/** What a user's space costs as it grows: merging it, its first page, searching it, and recalling what it remembers. */
import { inParallel, post, productTalker, quantile, run, sendOk } from './load.mjs'
import { pause } from './measure.mjs'

const BRANCH_FROM = 50
const LOOKS = 30
const PER_MESSAGE = 8
const RECALL_WAIT_MS = 60_000

const headersOf = (world, user) => ({ 'x-api-key': world.key, 'x-end-user': user })
const agentOf = (world, plan) => world.bases[Math.min(...plan.bases)].agentName

/** Sessions of `length` messages each, in the given space: one is talked through, the others branch off it. */
async function fill({ server: { port }, world, plan }, user, space, sessions, length) {
  const headers = { ...headersOf(world, user), ...(space ? { 'x-space-id': space } : {}) }
  const body = { message: 'How many working days does a refund take?', agent: agentOf(world, plan) }
  let session
  let last
  for (let n = 0; n < length / 2; n++) {
    const said = await sendOk(
      port,
      'POST',
      '/v1/chat',
      session ? { ...body, session_id: session } : body,
      headers,
    )
    session = said.session_id
    last = said.message_id
  }
  await inParallel(Array.from({ length: sessions - 1 }), 8, () =>
    sendOk(port, 'POST', `/me/sessions/${session}/messages/${last}/branch`, undefined, headers),
  )
}

const homeOf = async ({ server, world }, user) =>
  (await sendOk(server.port, 'GET', '/me', undefined, headersOf(world, user))).space_id

/** Merges of spaces of several sizes. @returns messages a second of each */
export async function measureMerges(context) {
  const { server, world, plan } = context
  const rows = []
  for (const messages of plan.merges) {
    const times = []
    for (let round = 0; round < plan.mergeRounds; round++) {
      const user = `merge-${messages}-${round}`
      const headers = headersOf(world, user)
      const home = await homeOf(context, user)
      const space = await sendOk(server.port, 'POST', '/me/spaces', { name: 'Other' }, headers)
      const name = agentOf(world, plan)
      await sendOk(server.port, 'POST', `/me/spaces/${space.id}/agents`, { name }, headers)
      const length = Math.min(BRANCH_FROM, messages)
      await fill(context, user, space.id, messages / length, length)
      const path = `/me/spaces/${space.id}/merge`
      const answer = await post(server.port, path, { target_space_id: home }, headers)
      if (answer.status !== 204) throw new Error(`${path}: ${answer.status} ${answer.text}`)
      times.push(answer.ms)
    }
    const ms = quantile(times, 0.5)
    rows.push({ messages, ms, perSecond: (messages / ms) * 1000 })
  }
  return rows
}

/** The same call for two users, turn about. @returns the median times in ms, and CPU of each */
async function compare({ server }, users, call) {
  for (const user of users) await call(user)
  const seen = users.map(() => ({ times: [], cpuMs: 0 }))
  for (let round = 0; round < LOOKS; round++) {
    for (const [index, user] of users.entries()) {
      const cpu = server.cpuMs()
      const started = performance.now()
      await call(user)
      seen[index].times.push(performance.now() - started)
      seen[index].cpuMs += (server.cpuMs() - cpu) / LOOKS
    }
  }
  return seen.map(({ times, cpuMs }) => ({ ms: quantile(times, 0.5), cpuMs }))
}

export async function measureFirstPage(context) {
  const { server, world, plan } = context
  const users = []
  for (const sessions of plan.pages) {
    const user = `page-${sessions}`
    await fill(context, user, null, sessions, 2)
    users.push({ path: `/me/spaces/${await homeOf(context, user)}/sessions`, user })
  }
  const seen = await compare(context, users, async ({ path, user }) => {
    const page = await sendOk(server.port, 'GET', path, undefined, headersOf(world, user))
    if (page.items.length !== 30) throw new Error(`A first page of ${page.items.length} sessions`)
  })
  return seen.map((row, i) => ({ sessions: plan.pages[i], ...row }))
}

/** A word that no message holds: everything is opened. */
export async function measureKeyword(context) {
  const { server, world, plan } = context
  const users = []
  for (const messages of plan.keyword) {
    const user = `keyword-${messages}`
    await fill(context, user, null, messages / BRANCH_FROM, BRANCH_FROM)
    const space = await homeOf(context, user)
    users.push({ path: `/me/spaces/${space}/sessions/search?q=quokka`, user })
  }
  const seen = await compare(context, users, ({ path, user }) =>
    sendOk(server.port, 'GET', path, undefined, headersOf(world, user)),
  )
  return seen.map((row, i) => ({ messages: plan.keyword[i], ...row }))
}

/** Turns of people of whom much and little is remembered. The server works its queue off, which is where memories are made. */
export async function measureRecall(context) {
  const { server, world, plan } = context
  const rows = []
  for (const memories of plan.memories) {
    const user = `recall-${memories}`
    const headers = headersOf(world, user)
    const agent = agentOf(world, plan)
    await inParallel(Array.from({ length: memories / PER_MESSAGE }), 8, (_, n) => {
      const likes = Array.from(
        { length: PER_MESSAGE },
        (_none, k) => `I like tea number ${n * PER_MESSAGE + k}.`,
      )
      return sendOk(server.port, 'POST', '/v1/chat', { message: likes.join(' '), agent }, headers)
    })
    const known = await waitForMemories(context, user, memories)
    const talker = productTalker({
      port: server.port,
      key: world.key,
      agentName: agent,
      stream: false,
      n: 0,
      user,
    })
    rows.push({ memories: known, talker, windows: [] })
  }
  await pause(3000)
  for (const { talker } of rows) await run([talker], 10, server.cpuMs)
  for (let round = 0; round < LOOKS; round++) {
    for (const row of rows) row.windows.push(await run([row.talker], 2, server.cpuMs))
  }
  return rows.map(({ memories, windows }) => ({
    memories,
    cpuMs: windows.reduce((sum, window) => sum + window.cpuMs, 0) / (2 * LOOKS),
    ms: quantile(
      windows.flatMap((window) => window.times),
      0.5,
    ),
    wrong: windows.flatMap((window) => window.wrong),
  }))
}

async function waitForMemories({ server, world }, user, wanted) {
  const me = await sendOk(server.port, 'GET', '/me', undefined, headersOf(world, user))
  const spaces = await server.runtime.getDurableObjectNamespace('USER_SPACE', 'parley')
  const name = `${me.tenant_id}/${me.user_id}/${me.space_id}`
  const space = spaces.get(spaces.idFromName(name))
  let kept = 0
  for (let waited = 0; waited < RECALL_WAIT_MS; waited += 500) {
    kept = (await space.work('space', 'countVectors', [])).memories
    if (kept >= wanted) return kept
    await pause(500)
  }
  throw new Error(`Only ${kept} of ${wanted} memories were made`)
}
