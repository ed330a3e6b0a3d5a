/** /me/stream: many idle streams at once, how long a push takes, and a bad network while reminders fall due. */
import { request } from 'node:http'
import { createParser } from 'eventsource-parser'
import { inParallel, quantile, sendOk } from './load.mjs'
import { pause } from './measure.mjs'

/** A client that comes back at once may do so before its old stream is known to be gone. */
export const STREAM_VARS = {
  STREAM_PING_S: '5',
  LIMITS_REMINDER_LEAD_S: '0',
  LIMITS_STREAMS_PER_USER: '1000',
}
/** An object without work sleeps after ten seconds. */
const ASLEEP_MS = 14_000
const PUSHES = 100
const STORM = { users: 10, reminders: 50, leadMs: 8000 }

/** An open stream; `onEvent` hears each frame as it comes. Resolves once it is greeted, with what closes it. */
function open(port, headers, onEvent = () => {}) {
  return new Promise((done, fail) => {
    const outgoing = request(
      { host: '127.0.0.1', port, path: '/me/stream', agent: false, headers },
      (response) => {
        if (response.statusCode !== 200) return fail(new Error(`stream: ${response.statusCode}`))
        const parser = createParser({
          onEvent: ({ id, event, data }) => {
            onEvent({ id: Number(id), event, data: JSON.parse(data) })
            if (event === 'hello') done(() => outgoing.destroy())
          },
        })
        response.on('data', (part) => parser.feed(part.toString()))
        response.on('error', () => {})
      },
    )
    outgoing.on('error', fail)
    outgoing.end()
  })
}

/** Opens streams that nothing happens on: memory of each, and how many objects they keep awake. Then pushes to some of them. */
export async function measureStreams({ server, world, plan }) {
  const { port } = server
  const users = Array.from({ length: plan.streams }, (_, i) => ({
    headers: { 'x-api-key': world.key, 'x-end-user': `idle-${i}` },
  }))
  await inParallel(users, 8, async (user) => {
    user.me = await sendOk(port, 'GET', '/me', undefined, user.headers)
  })
  const openAll = () =>
    inParallel(users, 16, async (user) => {
      user.leave = await open(port, user.headers, (frame) => user.hear?.(frame))
    })
  // A first time, so that what the runtime keeps for a thousand objects that wake at once is there already: it does not
  // give it back. What is measured is what the open streams hold.
  await openAll()
  for (const { leave } of users) leave()
  await pause(ASLEEP_MS)
  const before = await server.memory()
  const since = performance.now()
  await openAll()
  const openMs = (performance.now() - since) / users.length
  await pause(ASLEEP_MS)
  const after = await server.memory()
  const kb = (after.kb - before.kb) / users.length
  const heapKb = (after.heapKb - before.heapKb) / users.length

  let awake = 0
  for (const { me } of users) {
    const name = `${me.tenant_id}/${me.user_id}/${me.space_id}`
    try {
      await server.runtime.unsafeEvictDurableObject('parley', 'UserSpace', {
        name,
        webSockets: 'hibernate',
      })
      awake += 1
    } catch (error) {
      if (!String(error).includes('not currently running')) throw error
    }
  }

  const times = { asleep: [], awake: [] }
  for (const user of users.slice(0, PUSHES)) {
    for (const state of ['asleep', 'awake']) {
      const body = { text: 'wake up', due_at: 'PT0S' }
      const heard = new Promise((done) => {
        user.hear = ({ event }) => event === 'reminder' && done(performance.now())
      })
      const start = performance.now()
      await sendOk(port, 'POST', '/me/reminders', body, user.headers)
      times[state].push((await heard) - start)
    }
  }
  for (const { leave } of users) leave()
  const of = (state) => ({
    p50: quantile(times[state], 0.5),
    p99: quantile(times[state], 0.99),
  })
  return {
    count: users.length,
    kb,
    heapKb,
    openMs,
    awake,
    push: { asleep: of('asleep'), awake: of('awake') },
  }
}

/** Clients that are cut off again and again and go on from the last event they saw, while reminders fall due. */
export async function measureStorm({ server, world, plan }) {
  const { port } = server
  const people = Array.from({ length: STORM.users }, (_, i) => ({
    headers: { 'x-api-key': world.key, 'x-end-user': `storm-${i}` },
    wanted: new Set(),
    seen: [],
    lateness: [],
  }))
  let disconnects = 0
  const arrange = ({ headers, wanted }) => {
    const start = Date.now() + STORM.leadMs
    return inParallel(Array.from({ length: STORM.reminders }), 8, async (_, n) => {
      const due_at = new Date(start + (n % 2 === 0 ? 4000 : n * 200)).toISOString()
      const body = { text: `${n}`, due_at }
      wanted.add((await sendOk(port, 'POST', '/me/reminders', body, headers)).id)
    })
  }
  const suffer = async (person) => {
    let last = 0
    while (person.seen.length < person.wanted.size || disconnects < plan.disconnects) {
      const headers = { ...person.headers, 'last-event-id': String(last) }
      const leave = await open(port, headers, ({ id, event, data }) => {
        last = id
        if (event !== 'reminder') return
        person.seen.push(data.id)
        person.lateness.push(Date.now() - Date.parse(data.due_at))
      })
      if (person.seen.length < person.wanted.size) await pause(Math.random() * 100)
      leave()
      disconnects += 1
    }
  }
  const all = []
  for (const person of people) {
    await arrange(person)
    all.push(suffer(person))
  }
  await Promise.all(all)
  const seen = people.flatMap((person) => person.seen)
  const lost = people.flatMap(({ wanted, seen: own }) =>
    [...wanted].filter((id) => !own.includes(id)),
  )
  const late = people.flatMap(({ lateness }) => lateness)
  return {
    disconnects,
    told: seen.length,
    lost: lost.length,
    twice: seen.length - new Set(seen).size,
    late: { p50: quantile(late, 0.5), p99: quantile(late, 0.99) },
  }
}
