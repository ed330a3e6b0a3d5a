import { expectOk, type SeededTenant, waitFor } from './seed'

/** All that a user sees of one space, without what a merge changes by design (the space's id). */
export interface SpaceContent {
  sessions: Record<string, unknown>[]
  /** By session. */
  messages: Record<string, Record<string, unknown>[]>
  /** Bytes by attachment. */
  attachments: Record<string, string>
  documents: Record<string, unknown>[]
  reminders: Record<string, unknown>[]
  remembered: Record<string, unknown>[]
}

/** Reads a whole space through the API, page by page. */
export async function readSpace(
  tenant: SeededTenant,
  user: string,
  space: string,
): Promise<SpaceContent> {
  const get = async (path: string, headers = {}) =>
    (await expectOk(tenant.as(user, 'GET', path, undefined, headers))).json
  const pages = async (path: string, headers = {}) => {
    const items: Record<string, unknown>[] = []
    for (let cursor = ''; ; ) {
      const page = await get(`${path}?limit=100${cursor && `&cursor=${cursor}`}`, headers)
      items.push(...page.items)
      if (page.next_cursor === null) return items
      cursor = page.next_cursor
    }
  }
  const named = { 'x-space-id': space }
  const sessions = await pages(`/me/spaces/${space}/sessions`)
  const content: SpaceContent = {
    sessions: sessions.map(({ space_id: _space, ...session }) => session),
    messages: {},
    attachments: {},
    documents: (await pages(`/me/spaces/${space}/documents`)).map(
      ({ space_id: _space, ...document }) => document,
    ),
    reminders: await pages('/me/reminders', named),
    remembered: await get('/me/remembered', named),
  }
  for (const { id } of sessions) {
    const path = `/me/sessions/${id}`
    const messages = await get(`${path}/messages?limit=500`)
    content.messages[String(id)] = messages
    for (const message of messages)
      for (const { id: attachment } of message.attachments)
        content.attachments[attachment] = (
          await expectOk(tenant.as(user, 'GET', `/me/attachments/${attachment}`))
        ).text
  }
  return content
}

/** Both spaces' content as one, in the orders of the API. Remembered profiles are left to the test. */
export function joinContents(one: SpaceContent, other: SpaceContent): SpaceContent {
  const newest = (field: string) => (a: Record<string, unknown>, b: Record<string, unknown>) =>
    String(b[field]).localeCompare(String(a[field])) || String(b.id).localeCompare(String(a.id))
  return {
    sessions: [...one.sessions, ...other.sessions].sort(newest('updated_at')),
    messages: { ...one.messages, ...other.messages },
    attachments: { ...one.attachments, ...other.attachments },
    documents: [...one.documents, ...other.documents].sort(newest('id')),
    reminders: [...one.reminders, ...other.reminders].sort(newest('created_at')),
    remembered: [],
  }
}

/** A further space of the user that offers the agent. */
export async function addSpaceOf(
  tenant: SeededTenant,
  user: string,
  agent: string,
): Promise<string> {
  const { json } = await expectOk(tenant.as(user, 'POST', '/me/spaces', { name: 'Other' }))
  await expectOk(tenant.as(user, 'POST', `/me/spaces/${json.id}/agents`, { name: agent }))
  return json.id
}

export const homeOf = async (tenant: SeededTenant, user: string): Promise<string> =>
  (await expectOk(tenant.as(user, 'GET', '/me'))).json.space_id

/** Fills a space with sessions of fifty messages (or one smaller one): one is talked through, the others branch off it. */
export async function fillSpace(
  tenant: SeededTenant,
  user: string,
  space: string,
  messages: number,
  fields: Record<string, unknown> = {},
): Promise<string[]> {
  const named = { 'x-space-id': space }
  const length = Math.min(50, messages)
  let session: string | undefined
  let last = ''
  for (let n = 0; n < length / 2; n++) {
    const { json } = await expectOk(
      tenant.as(
        user,
        'POST',
        '/v1/chat',
        {
          message: `Question number ${n}, asked by ${user}`,
          ...(session ? { session_id: session } : fields),
        },
        named,
      ),
    )
    session = json.session_id
    last = json.message_id
  }
  const ids = [session ?? '']
  while (ids.length * length < messages) {
    const path = `/me/sessions/${session}/messages/${last}/branch`
    ids.push((await expectOk(tenant.as(user, 'POST', path, undefined, named))).json.id)
  }
  return ids
}

/** Resolves once the background work of the space's turns has written its titles. */
export async function settleTitles(
  tenant: SeededTenant,
  user: string,
  sessions: string[],
  space: string,
): Promise<void> {
  await waitFor(async () => {
    const { json } = await tenant.as(user, 'GET', `/me/spaces/${space}/sessions?limit=100`)
    const untitled = json.items.filter(
      ({ id, title }: { id: string; title: string | null }) =>
        sessions.includes(id) && title === null,
    )
    return untitled.length === 0 ? true : null
  })
}
