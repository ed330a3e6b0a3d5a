/** `GET /health` while forty people sign in at once: hashes take the whole isolate, so others must get their turn between. */
import { post, quantile, send, sendOk } from './load.mjs'
import { pause } from './measure.mjs'

const AT_ONCE = 40
const ASK_EVERY_MS = 50
const ACCOUNT = { email: 'ada@people.example', password: 'correct horse battery' }
export const LOGIN_VARS = { LIMITS_LOGIN: '100000', LIMITS_LOGIN_ADDRESS: '100000' }

export async function measureLogins({ server, world, plan }) {
  const { port } = server
  const body = { tenant_id: world.tenantId, ...ACCOUNT }
  await sendOk(port, 'POST', '/auth/register', body)
  const health = []
  const served = []
  const refused = []
  const wrong = []
  for (let round = 0; round < plan.logins; round++) {
    let isOver = false
    const logins = Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        const { status, ms } = await post(port, '/auth/login', body)
        if (status === 200) served.push(ms)
        else if (status === 429) refused.push(ms)
        else wrong.push(status)
      }),
    ).then(() => {
      isOver = true
    })
    const asked = []
    while (!isOver) {
      asked.push(send(port, 'GET', '/health').then(({ ms }) => health.push(ms)))
      await pause(ASK_EVERY_MS)
    }
    await Promise.all([logins, ...asked])
  }
  return { rounds: plan.logins, atOnce: AT_ONCE, health, served, refused, wrong }
}

export const loginRows = ({ health, served, refused }) =>
  Object.entries({ health, 'logins served': served, 'logins refused': refused }).map(
    ([name, times]) => [name, times.length, quantile(times, 0.5), quantile(times, 0.95)],
  )
