import type { Example, Reference } from './route-examples'
import { expectOk } from './seed'
import { freshName, type World } from './world'

/** A UUIDv7 that nothing has. */
const ABSENT_ID = '01890a5d-ac96-774b-bcce-b302099a8057'

const userId: Reference = {
  in: 'params',
  field: 'uid',
  resource: 'User',
  foreign: (w) => w.foreign.ada.userId,
  absent: ABSENT_ID,
}
const spaceId: Reference = {
  in: 'params',
  field: 'sid',
  resource: 'Space',
  foreign: (w) => w.foreign.ada.spaceId,
  absent: ABSENT_ID,
}
const sessionId: Reference = {
  in: 'params',
  field: 'sid',
  resource: 'Session',
  foreign: (w) => w.foreign.ada.sessionId,
  absent: ABSENT_ID,
}
const agent = (where: 'params' | 'body'): Reference => ({
  in: where,
  field: 'name',
  resource: 'Agent',
  foreign: (w) => w.foreign.agent,
  absent: 'no-such-agent',
})

const ofAda = (w: World) => ({ params: { uid: w.own.ada.userId } })
const ofHome = (w: World) => ({ params: { sid: w.own.ada.spaceId } })
const ofTalk = (w: World) => ({ params: { sid: w.own.ada.sessionId } })

async function freshSpace(w: World): Promise<string> {
  const headers = { 'x-end-user': freshName('user') }
  const name = freshName('space')
  const { json } = await expectOk(w.own.tenant.call('POST', '/me/spaces', { name }, headers))
  return json.id
}

async function freshUser(w: World): Promise<string> {
  const { json } = await expectOk(w.own.tenant.as(freshName('user'), 'GET', '/me'))
  return json.user_id
}

const accounts = new WeakMap<World, Promise<string>>()

/** One account a world: making one costs a password hash. */
function ownAccount(w: World): Promise<string> {
  let account = accounts.get(w)
  if (!account) {
    const email = `${freshName('mail')}@people.example`
    const body = { tenant_id: w.own.tenant.id, email, password: 'correct horse battery' }
    account = expectOk(w.parley.call('POST', '/auth/register', { body })).then(
      ({ json }) => json.user_id,
    )
    accounts.set(w, account)
  }
  return account
}

export const MANAGE_EXAMPLES: Record<string, Example> = {
  'GET /v1/manage/users': { fill: () => ({ query: { sort: 'tokens24h', q: 'a' } }) },
  'GET /v1/manage/users/{uid}': { fill: ofAda, refers: [userId] },
  'DELETE /v1/manage/users/{uid}': {
    fill: async (w) => ({ params: { uid: await freshUser(w) } }),
    refers: [userId],
    makesObject: true,
  },
  'POST /v1/manage/users/{uid}/password': {
    fill: async (w) => ({
      params: { uid: await ownAccount(w) },
      body: { new_password: 'correct horse battery' },
    }),
    refers: [userId],
  },
  'POST /v1/manage/users/{uid}/spaces': {
    makesObject: true,
    fill: async (w) => ({
      params: { uid: await freshUser(w) },
      body: { name: freshName('space') },
    }),
    refers: [userId],
  },
  'GET /v1/manage/users/{uid}/sessions': { fill: ofAda, refers: [userId] },
  'GET /v1/manage/users/{uid}/documents': { fill: ofAda, refers: [userId] },
  'GET /v1/manage/spaces/{sid}': { fill: ofHome, refers: [spaceId] },
  'PATCH /v1/manage/spaces/{sid}': {
    makesObject: true,
    fill: async (w) => ({
      params: { sid: await freshSpace(w) },
      body: { name: freshName('space') },
    }),
    refers: [spaceId],
  },
  'DELETE /v1/manage/spaces/{sid}': {
    fill: async (w) => ({ params: { sid: await freshSpace(w) } }),
    refers: [spaceId],
    makesObject: true,
  },
  'GET /v1/manage/spaces/{sid}/agents': { fill: ofHome, refers: [spaceId] },
  'POST /v1/manage/spaces/{sid}/agents': {
    makesObject: true,
    fill: async (w) => ({ params: { sid: await freshSpace(w) }, body: { name: w.own.agent } }),
    refers: [spaceId, agent('body')],
  },
  'DELETE /v1/manage/spaces/{sid}/agents/{name}': {
    fill: async (w) => {
      const sid = await freshSpace(w)
      const name = w.own.agent
      await expectOk(w.own.tenant.call('POST', `/v1/manage/spaces/${sid}/agents`, { name }))
      return { params: { sid, name } }
    },
    refers: [spaceId, agent('params')],
    makesObject: true,
  },
  'GET /v1/manage/spaces/{sid}/documents': { fill: ofHome, refers: [spaceId] },
  'GET /v1/manage/spaces/{sid}/memories': { fill: ofHome, refers: [spaceId] },
  'GET /v1/manage/spaces/{sid}/profiles': { fill: ofHome, refers: [spaceId] },
  'GET /v1/manage/spaces/{sid}/sessions': { fill: ofHome, refers: [spaceId] },
  'GET /v1/manage/sessions/{sid}': { fill: ofTalk, refers: [sessionId] },
  'GET /v1/manage/sessions/{sid}/messages': { fill: ofTalk, refers: [sessionId] },
  'GET /v1/manage/sessions/{sid}/attachments': { fill: ofTalk, refers: [sessionId] },
}
