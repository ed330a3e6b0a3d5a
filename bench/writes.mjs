/** Two hundred changes of one tenant's configuration at once beside one alone: none fails for another's sake (its audit trail is one chain). */
import { quantile, send } from './load.mjs'

const AT_ONCE = 200
const ALONE = 100

export async function measureWrites({ server, world, plan }) {
  const { port } = server
  const headers = { 'x-api-key': world.key }
  const failed = []
  const write = async (name, description) => {
    const { status, ms } = await send(port, 'PUT', `/v1/skills/${name}`, { description }, headers)
    if (status !== 200) failed.push(status)
    return ms
  }
  const alone = []
  for (let n = 0; n < ALONE; n++) alone.push(await write(`alone-${n % 10}`, `${n}`))
  const together = []
  for (let round = 0; round < plan.writes; round++) {
    const written = Array.from({ length: AT_ONCE }, (_, n) => write(`s${n}`, `${round}`))
    together.push(...(await Promise.all(written)))
  }
  return { atOnce: AT_ONCE, rounds: plan.writes, alone, together, failed }
}

export const writeRows = ({ alone, together }) =>
  Object.entries({ alone, together }).map(([name, times]) => [
    name,
    times.length,
    quantile(times, 0.5),
    quantile(times, 0.99),
  ])
