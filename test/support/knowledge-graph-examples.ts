import type { Example, Reference } from './route-examples'
import { expectOk, waitFor } from './seed'
import type { Person, Side, World } from './world'

const ABSENT_ID = '01890a5d-ac96-774b-bcce-b302099a8057'

const uid: Reference = {
  in: 'params',
  field: 'uid',
  resource: 'User',
  foreign: (w) => w.foreign.ada.userId,
  absent: ABSENT_ID,
}

/** A memory of somebody, made by a real conversation. */
async function itemOf(w: World, { tenant }: Side, person: Person): Promise<string> {
  const path = `/v1/manage/users/${person.userId}/knowledge-graph?source=memory`
  const find = async () => (await expectOk(tenant.call('GET', path))).json.nodes[0]?.id ?? null
  const known = await find()
  if (known) return known
  await expectOk(
    w.parley.call('POST', '/v1/chat', {
      headers: person.headers,
      body: { message: 'I live in Lima.' },
    }),
  )
  return waitFor(find)
}

/** Of the other tenant, and of another user; made once with the first request. */
const others = new WeakMap<World, { foreign: string; sibling: string }>()

const itemId: Reference = {
  in: 'params',
  field: 'item_id',
  resource: 'Item',
  foreign: (w) => others.get(w)?.foreign ?? ABSENT_ID,
  absent: ABSENT_ID,
  siblings: (w) => [others.get(w)?.sibling ?? ABSENT_ID],
}

async function ownItem(w: World) {
  if (!others.has(w)) {
    const [foreign, sibling] = await Promise.all([
      itemOf(w, w.foreign, w.foreign.ada),
      itemOf(w, w.own, w.own.bob),
    ])
    others.set(w, { foreign, sibling })
  }
  return { params: { uid: w.own.ada.userId, item_id: await itemOf(w, w.own, w.own.ada) } }
}

export const GRAPH_EXAMPLES: Record<string, Example> = {
  'GET /v1/manage/users/{uid}/knowledge-graph': {
    fill: (w) => ({
      params: { uid: w.own.ada.userId },
      query: { source: 'all', limit: '5', q: 'Lima', refresh: 'true' },
    }),
    refers: [uid],
  },
  'GET /v1/manage/users/{uid}/knowledge-graph/items/{item_id}': {
    fill: ownItem,
    refers: [uid, itemId],
  },
}
