/** `GET /health` while forty people sign in at once: hashes take the whole isolate, so others must get their turn between. */
import { post, quantile, send, sendOk } from './load.mjs'
import { pause } from './measure.mjs'

const AT_ONCE = 40
const ASK_EVERY_MS = 50
const ACCOUNT = { email: 'ada@people.example', password: 'correct horse battery' }
export const LOGIN_VARS = { LIMITS_LOGIN: '100000', LIMITS_LOGIN_ADDRESS: '100000' }
export const ACCOUNT_VARS = {
  ...LOGIN_VARS,
  LIMITS_FORGOT: '100000',
  LIMITS_RESEND: '100000',
}

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

const PATHS = [
  ['/auth/login', { password: 'wrong password' }],
  ['/auth/forgot-password', {}],
  ['/auth/resend-verification', {}],
]

/** How long an answer takes for an address with an account beside one without (AU5): interleaved pairs, each first in turn. */
export async function measureAccounts({ server, world, plan }) {
  const { port } = server
  await sendOk(port, 'POST', '/auth/register', { tenant_id: world.tenantId, ...ACCOUNT })
  const rows = []
  for (const [path, fields] of PATHS) {
    const known = []
    const unknown = []
    const call = async (times, email) =>
      times.push((await post(port, path, { tenant_id: world.tenantId, email, ...fields })).ms)
    for (let pair = 0; pair < plan.accounts; pair++) {
      const both = [
        () => call(known, ACCOUNT.email),
        () => call(unknown, `nobody${pair}@people.example`),
      ]
      for (const one of pair % 2 === 0 ? both : both.toReversed()) await one()
    }
    rows.push({ path, pairs: plan.accounts, known, unknown })
  }
  return rows
}
