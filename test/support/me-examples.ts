import { PIXEL } from './image-bytes'
import type { Caller, Example, Reference } from './route-examples'
import { expectOk, waitFor } from './seed'
import { freshName, type Person, type World } from './world'

/** A UUIDv7 that nothing has. */
const ABSENT_ID = '01890a5d-ac96-774b-bcce-b302099a8057'
const siblingOf = (w: World, who: Caller): Person => (who === 'key' ? w.own.bob : w.own.sibling)

const spaceId: Reference = {
  in: 'params',
  field: 'sid',
  resource: 'Space',
  foreign: (w) => w.foreign.ada.spaceId,
  absent: ABSENT_ID,
  siblings: (w, who) => [siblingOf(w, who).spaceId],
}
const sessionId: Reference = {
  in: 'params',
  field: 'sid',
  resource: 'Session',
  foreign: (w) => w.foreign.ada.sessionId,
  absent: ABSENT_ID,
  siblings: (w, who) => [siblingOf(w, who).sessionId],
}
const messageId = (field: string): Reference => ({
  in: 'params',
  field,
  resource: 'Message',
  foreign: (w) => w.foreign.ada.messageId,
  absent: ABSENT_ID,
  siblings: (w, who) => [siblingOf(w, who).messageId],
})

const sourceNumber: Reference = {
  in: 'params',
  field: 'n',
  resource: 'Source',
  foreign: () => '998',
  absent: '999',
}

/** Sessions stand for reminders: their ids lead to the same spaces. */
const reminderId: Reference = {
  in: 'params',
  field: 'rid',
  resource: 'Reminder',
  foreign: (w) => w.foreign.ada.sessionId,
  absent: ABSENT_ID,
  siblings: (w, who) => [siblingOf(w, who).sessionId],
}

const exportId: Reference = {
  in: 'params',
  field: 'id',
  resource: 'Export',
  foreign: (w) => w.foreign.ada.sessionId,
  absent: ABSENT_ID,
}

/** One that is ready. A person may begin a few a day, so it is the same one for all who ask. */
async function freshExport(w: World, who: Person): Promise<string> {
  const known = READY.get(who)
  if (known) return known
  const { headers } = who
  const { json } = await expectOk(w.parley.call('POST', '/me/exports', { headers }))
  await waitFor(async () => {
    const answer = await w.parley.call('GET', `/me/exports/${json.id}`, { headers })
    return answer.json.status === 'running' ? null : true
  })
  READY.set(who, json.id)
  return json.id
}

const READY = new WeakMap<Person, string>()

async function freshReminder(w: World, who: Person): Promise<string> {
  const body = { text: 'Call Ada', due_at: 'PT1H' }
  const answer = w.parley.call('POST', '/me/reminders', { headers: who.headers, body })
  return (await expectOk(answer)).json.id
}

async function freshSpace(w: World, who: Person): Promise<string> {
  const { json } = await expectOk(
    w.parley.call('POST', '/me/spaces', {
      headers: who.headers,
      body: { name: freshName('space') },
    }),
  )
  return json.id
}

async function freshTurn(w: World, who: Person, fields: Record<string, unknown> = {}) {
  const body = { message: 'When are refunds paid?', ...fields }
  const { json } = await expectOk(w.parley.call('POST', '/v1/chat', { headers: who.headers, body }))
  return { sid: json.session_id as string, mid: json.message_id as string }
}

async function freshSpaceDocument(w: World, who: Person): Promise<string> {
  const { json } = await expectOk(
    w.parley.call('POST', `/me/spaces/${who.spaceId}/documents`, {
      headers: who.headers,
      body: { title: freshName('note'), text: 'One line.' },
    }),
  )
  return json.id
}

/** An agent that remembers something of this person. */
async function rememberingAgent(w: World, who: Person): Promise<string> {
  await freshTurn(w, who, { message: `My name is ${freshName('ada')}.` })
  return waitFor(async () => {
    const { json } = await w.parley.call('GET', '/me/remembered', { headers: who.headers })
    return json[0]?.agent_name ?? null
  })
}

const own = (_w: World, who: Person) => ({ params: { sid: who.sessionId } })
const nothing = () => ({})

export const ME_EXAMPLES: Record<string, Example> = {
  // Nothing speaks in this world.
  'POST /v1/speech': {
    fill: (_w, who) => ({ body: { message_id: who.messageId, voice: 'nova' } }),
    refers: [{ ...messageId('message_id'), in: 'body' }],
    unmet: {
      status: 503,
      body: { detail: 'Text to speech is not available', code: 'tts_unavailable' },
    },
  },
  'GET /me': { fill: nothing },
  'GET /me/features': { fill: nothing },
  'GET /me/agents': { fill: nothing },
  'GET /me/profile': { fill: nothing },
  'PATCH /me/profile': { fill: () => ({ body: { pref_name: 'Ada', pref_city: 'Lima' } }) },
  // People of this world have no password, and are still needed.
  'POST /me/password': {
    fill: () => ({ body: { current_password: 'a', new_password: 'a longer secret' } }),
    unmet: { status: 404, body: { detail: 'Password not found' } },
  },
  'POST /me/email': {
    fill: () => ({ body: { email: 'ada@new.example', password: 'a longer secret' } }),
    unmet: { status: 404, body: { detail: 'Password not found' } },
  },
  'POST /me/sign-out-everywhere': {
    fill: nothing,
    unmet: { status: 404, body: { detail: 'Sign-in not found' } },
  },
  'DELETE /me': {
    fill: () => ({ body: { confirm: 'no' } }),
    unmet: {
      status: 409,
      body: { detail: 'Not confirmed: say your own user id', code: 'not_confirmed' },
    },
  },
  'POST /me/exports': { fill: nothing },
  'GET /me/exports/{id}': {
    fill: async (w, who) => ({ params: { id: await freshExport(w, who) } }),
    refers: [exportId],
  },
  'GET /me/exports/{id}/file': {
    fill: async (w, who) => ({ params: { id: await freshExport(w, who) } }),
    refers: [exportId],
  },
  'POST /me/onboarding': { fill: () => ({ body: { pref_city: 'Lima', consent: true } }) },

  'GET /me/spaces/{sid}/documents': {
    fill: (_w, who) => ({ params: { sid: who.spaceId }, query: { limit: '2' } }),
    refers: [spaceId],
  },
  'POST /me/spaces/{sid}/documents': {
    fill: (_w, who) => ({
      params: { sid: who.spaceId },
      body: { title: freshName('note'), text: 'One line.' },
    }),
    refers: [spaceId],
  },
  'DELETE /me/spaces/{sid}/documents/{id}': {
    fill: async (w, who) => ({
      params: { sid: who.spaceId, id: await freshSpaceDocument(w, who) },
    }),
    refers: [
      spaceId,
      {
        in: 'params',
        field: 'id',
        resource: 'Document',
        foreign: (w) => w.foreign.documentId,
        absent: ABSENT_ID,
      },
    ],
  },

  'GET /me/remembered': { fill: nothing },
  'DELETE /me/remembered/{agent_name}': {
    fill: async (w, who) => ({ params: { agent_name: await rememberingAgent(w, who) } }),
    refers: [
      {
        in: 'params',
        field: 'agent_name',
        resource: 'Agent',
        foreign: (w) => w.foreign.agent,
        absent: 'no-such-agent',
      },
    ],
  },

  'GET /me/spaces': { fill: nothing },
  'POST /me/spaces': { fill: () => ({ body: { name: freshName('space') } }) },
  'PATCH /me/spaces/{sid}': {
    fill: (_w, who) => ({ params: { sid: who.otherSpaceId }, body: { name: freshName('space') } }),
    refers: [spaceId],
  },
  'DELETE /me/spaces/{sid}': {
    makesObject: true,
    fill: async (w, who) => ({ params: { sid: await freshSpace(w, who) } }),
    refers: [spaceId],
  },
  'POST /me/spaces/{sid}/agents': {
    makesObject: true,
    fill: async (w, who) => ({
      params: { sid: await freshSpace(w, who) },
      body: { name: w.own.agent },
    }),
    refers: [
      spaceId,
      {
        in: 'body',
        field: 'name',
        resource: 'Agent',
        foreign: (w) => w.foreign.agent,
        absent: 'no-such-agent',
      },
    ],
  },
  'DELETE /me/spaces/{sid}/agents/{name}': {
    makesObject: true,
    fill: async (w, who) => {
      const params = { sid: await freshSpace(w, who), name: w.own.agent }
      const path = `/me/spaces/${params.sid}/agents`
      await expectOk(
        w.parley.call('POST', path, { headers: who.headers, body: { name: params.name } }),
      )
      return { params }
    },
    refers: [
      spaceId,
      {
        in: 'params',
        field: 'name',
        resource: 'Agent',
        foreign: (w) => w.foreign.agent,
        absent: 'no-such-agent',
      },
    ],
  },
  'GET /me/spaces/{sid}/sessions': {
    fill: (_w, who) => ({ params: { sid: who.spaceId }, query: { limit: '2' } }),
    refers: [spaceId],
  },
  'GET /me/spaces/{sid}/sessions/search': {
    fill: (_w, who) => ({ params: { sid: who.spaceId }, query: { q: 'refunds' } }),
    refers: [spaceId],
  },

  'PATCH /me/sessions/{sid}': {
    fill: (w, who) => ({ ...own(w, who), body: { title: 'Mine' } }),
    refers: [sessionId],
  },
  'DELETE /me/sessions/{sid}': {
    fill: async (w, who) => ({ params: { sid: (await freshTurn(w, who)).sid } }),
    refers: [sessionId],
  },
  'POST /me/sessions/{sid}/read': { fill: own, refers: [sessionId] },
  'GET /me/sessions/{sid}/messages': { fill: own, refers: [sessionId] },
  'PATCH /me/sessions/{sid}/messages/{mid}': {
    fill: (_w, who) => ({
      params: { sid: who.sessionId, mid: who.messageId },
      body: { content: 'Other words.' },
    }),
    refers: [sessionId, messageId('mid')],
  },
  'DELETE /me/sessions/{sid}/messages/{mid}': {
    fill: async (w, who) => ({ params: await freshTurn(w, who) }),
    refers: [sessionId, messageId('mid')],
  },
  'POST /me/sessions/{sid}/messages/{mid}/branch': {
    fill: (_w, who) => ({ params: { sid: who.sessionId, mid: who.messageId } }),
    refers: [sessionId, messageId('mid')],
  },
  'GET /me/sessions/{sid}/attachments': { fill: own, refers: [sessionId] },
  'GET /me/attachments/{aid}': {
    fill: async (w, who) => {
      const { sid } = await freshTurn(w, who, { images: [PIXEL] })
      const path = `/me/sessions/${sid}/attachments`
      const { json } = await expectOk(w.parley.call('GET', path, { headers: who.headers }))
      return { params: { aid: json[0].id } }
    },
    refers: [
      {
        in: 'params',
        field: 'aid',
        resource: 'Attachment',
        foreign: (w) => w.foreign.ada.messageId,
        absent: ABSENT_ID,
        siblings: (w, who) => [siblingOf(w, who).messageId],
      },
    ],
  },
  'GET /v1/messages/{message_id}/sources/{n}': {
    fill: (_w, who) => ({ params: { message_id: who.messageId, n: '1' } }),
    refers: [messageId('message_id'), sourceNumber],
  },
  'GET /v1/messages/{message_id}/sources/{n}/original': {
    fill: (_w, who) => ({ params: { message_id: who.messageId, n: '1' } }),
    refers: [messageId('message_id'), sourceNumber],
  },
  'POST /v1/messages/{message_id}/feedback': {
    fill: (_w, who) => ({ params: { message_id: who.messageId }, body: { value: 'up' } }),
    refers: [messageId('message_id')],
  },

  'GET /me/reminders': { fill: () => ({ query: { limit: '2' } }) },
  'POST /me/reminders': {
    fill: (_w, who) => ({
      body: { text: 'Call Ada', due_at: 'PT1H', session_id: who.sessionId, agent: null },
    }),
    refers: [
      {
        in: 'body',
        field: 'session_id',
        resource: 'Session',
        foreign: (w) => w.foreign.ada.sessionId,
        absent: ABSENT_ID,
        siblings: (w, who) => [siblingOf(w, who).sessionId],
      },
    ],
  },
  'POST /me/reminders/{rid}/cancel': {
    makesObject: true,
    fill: async (w, who) => ({ params: { rid: await freshReminder(w, who) } }),
    refers: [reminderId],
  },
  'DELETE /me/reminders/{rid}': {
    makesObject: true,
    fill: async (w, who) => ({ params: { rid: await freshReminder(w, who) } }),
    refers: [reminderId],
  },
  'GET /me/stream': { fill: nothing, endless: true },
}
