import { productTalker } from './load.mjs'
import { pause } from './measure.mjs'

/** Until the end of what a turn hands on; what the queue starts comes a second after it. */
const SETTLED_MS = 400
const CONSUMED_MS = 2500

/**
 * What plain turns of an existing user and session use: the first one of an isolate, the ones after it, and the jobs that
 * follow; then that of somebody who was never seen. @param restart a fresh runtime with the same stored data
 */
export async function measureBill({ world, plan }, restart) {
  const { agentName } = world.bases[Math.min(...plan.bases)]
  let server = await restart()
  const talk = (session, user = 'bill') =>
    productTalker({
      port: server.port,
      key: world.key,
      agentName,
      stream: false,
      // The topic before has a sentence that a model is asked about, and which leaves a review.
      n: 1,
      user,
      session,
    })
  const before = talk(null)
  const bills = {}
  const take = async (name, talker, waitMs) => {
    const { isRight, status, text } = await talker.turn()
    if (!isRight) throw new Error(`The turn of the bill failed: ${status} ${text.slice(0, 500)}`)
    await pause(waitMs)
    bills[name] = await read(server)
  }
  await take('first of a user', before, SETTLED_MS)
  await pause(CONSUMED_MS)
  bills['its jobs'] = await read(server)
  server = await restart()
  const after = talk(before.session)
  await take('cold', after, SETTLED_MS)
  await pause(CONSUMED_MS)
  bills['jobs of cold'] = await read(server)
  await take('warm', after, SETTLED_MS)
  // Its admission takes along what the one before used, as the next one does for it.
  await take('warm', after, SETTLED_MS)
  const { warm } = bills
  await pause(CONSUMED_MS)
  bills['jobs of warm'] = await read(server)
  // The isolate and the meter know the tenant, its key and its agent, but not this user.
  await take('warm', after, SETTLED_MS)
  bills.warm = warm
  await take('new user', talk(null, 'bill-new'), SETTLED_MS)
  return bills
}

async function read({ port }) {
  const answer = await fetch(`http://127.0.0.1:${port}/__bill`)
  return answer.json()
}
