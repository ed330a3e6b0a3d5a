import type { Example, Reference } from './route-examples'
import { expectOk, seedAgent } from './seed'
import type { Side, World } from './world'

const AGENT = 'people-desk'

const sessionId: Reference = {
  in: 'params',
  field: 'sid',
  resource: 'Session',
  foreign: (w) => w.foreign.ada.sessionId,
  absent: '01890a5d-ac96-774b-bcce-b302099a8057',
}

/** A session whose user has just asked for a person. */
async function waitingSession({ tenant }: Side): Promise<string> {
  await seedAgent(tenant, AGENT, { tools: ['handoff'], model: 'offline' })
  const body = { message: 'Can I talk to a human?', agent: AGENT }
  return (await expectOk(tenant.as('waiting', 'POST', '/v1/chat', body))).json.session_id
}
const ofWaiting = async (w: World) => ({ params: { sid: await waitingSession(w.own) } })

export const HANDOFF_EXAMPLES: Record<string, Example> = {
  'GET /v1/manage/handoffs': {
    fill: () => ({ query: { status: 'requested', limit: '2' } }),
  },
  'POST /v1/manage/sessions/{sid}/reply': {
    fill: async (w) => ({ ...(await ofWaiting(w)), body: { text: 'Refunds take two days.' } }),
    refers: [sessionId],
    makesObject: true,
  },
  'POST /v1/manage/sessions/{sid}/resume': {
    fill: ofWaiting,
    refers: [sessionId],
    makesObject: true,
  },
}
