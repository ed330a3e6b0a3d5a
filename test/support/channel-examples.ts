import { ABSENT_ID, type Example } from './route-examples'
import { expectOk } from './seed'
import type { Bot } from './telegram-server'
import type { Person, World } from './world'

const CHANNEL = { params: { channel: 'telegram' } }
const PATH = '/v1/tenant/channels/telegram'

/** A bot that the own tenant has just set up, or the one that it has. */
async function connect(w: World, anew: boolean): Promise<Bot> {
  const { tenant } = w.own
  const known = await expectOk(tenant.call('GET', PATH))
  const bot = w.telegram.bots().find(({ id }) => String(id) === known.json.bot_id)
  if (bot && !anew) return bot
  const made = w.telegram.addBot()
  await expectOk(tenant.call('PUT', PATH, { token: made.token }))
  return made
}

async function bindCode(w: World) {
  await connect(w, false)
  return { ...CHANNEL, query: { agent: w.own.agent } }
}

let chats = 900_000

async function link(w: World, who: Person): Promise<typeof CHANNEL> {
  const bot = await connect(w, false)
  const path = `/me/chatapp/bind-code?agent=${w.own.agent}`
  const { json } = await expectOk(w.parley.call('POST', path, { headers: who.headers }))
  await w.telegram.say(bot, ++chats, { text: `/start ${json.code}` })
  return CHANNEL
}

export const CHANNEL_EXAMPLES: Record<string, Example> = {
  'GET /v1/tenant/channels': { fill: () => ({}) },
  'GET /v1/tenant/channels/{channel}': { fill: () => CHANNEL },
  'PUT /v1/tenant/channels/{channel}': {
    fill: (w) => ({ ...CHANNEL, body: { token: w.telegram.addBot().token } }),
  },
  'DELETE /v1/tenant/channels/{channel}': {
    fill: async (w) => {
      await connect(w, true)
      return CHANNEL
    },
    makesObject: true,
  },
  'POST /me/{channel}/bind-code': { fill: bindCode },
  'GET /me/channels': { fill: () => ({}) },
  'DELETE /me/channels/{channel}': { fill: link, makesObject: true },
  'POST /v1/channels/telegram/{tenant_id}': {
    fill: () => ({ params: { tenant_id: ABSENT_ID } }),
    unmet: { status: 401, body: { detail: 'Invalid webhook secret' } },
  },
}
