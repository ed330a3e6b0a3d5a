import type { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Answer, Parley } from '../support/harness'
import { type Killable, startKillable } from '../support/killable'
import { expectOk, type SeededTenant, seedAgent, seedTenant, waitFor } from '../support/seed'

/** D1's sealed columns have no suffix that tells them. */
const IN_D1: Record<string, readonly string[]> = {
  accounts: ['email'],
  user_profiles: ['pref_name', 'contact_email', 'contact_phone'],
}

interface Sealed {
  table: string
  column: string
}

function columnsOf(database: DatabaseSync, table: string): string[] {
  return database
    .prepare(`SELECT name FROM pragma_table_info('${table}')`)
    .all()
    .map(({ name }) => String(name))
}

/** The sealed columns of a database that hold something. */
function sealedIn(database: DatabaseSync): Sealed[] {
  const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all()
  return tables.flatMap(({ name }) => {
    const table = String(name)
    return columnsOf(database, table)
      .filter((column) => column.endsWith('_sealed') || IN_D1[table]?.includes(column))
      .filter(
        (column) =>
          database.prepare(`SELECT 1 FROM "${table}" WHERE "${column}" IS NOT NULL`).get() !==
          undefined,
      )
      .map((column) => ({ table, column }))
  })
}

/** Rule FE9: what does not open is an item of its own, never the failure of the list around it. */
describe('what does not open', { timeout: 240_000 }, () => {
  let server: Killable
  let tenant: SeededTenant
  let sessionId: string
  let spaceId: string
  let userId: string

  const ada = (method: string, path: string, body?: unknown, headers = {}): Promise<Answer> =>
    tenant.as('ada', method, path, body, headers)

  beforeAll(async () => {
    server = await startKillable()
    tenant = await seedTenant(server.parley as Parley)
    await seedAgent(tenant, 'desk')
    const { json: me } = await expectOk(ada('GET', '/me'))
    spaceId = me.space_id
    userId = me.id
    const first = await expectOk(
      ada('POST', '/v1/chat', { message: 'My name is Wilma and I live in Lisbon.' }),
    )
    sessionId = first.json.session_id
    await expectOk(
      ada('POST', '/v1/chat', { message: 'And I keep quokkas.', session_id: sessionId }),
    )
    await expectOk(
      ada('POST', `/v1/messages/${first.json.message_id}/feedback`, {
        value: 'down',
        comment: 'no',
      }),
    )
    await expectOk(ada('PATCH', `/me/sessions/${sessionId}`, { title: 'A title' }))
    await expectOk(
      ada('PATCH', '/me/profile', { pref_name: 'Wilma', contact_email: 'w@x.example' }),
    )
    await expectOk(ada('POST', '/me/reminders', { text: 'Feed them', due_at: 'PT2H' }))
    await expectOk(
      ada('POST', `/me/spaces/${spaceId}/documents`, {
        title: 'Will',
        text: 'The brooch goes on.',
      }),
    )
    await waitFor(async () => {
      const { json } = await ada('GET', '/me/remembered')
      return json[0]?.content ? true : null
    })
    await waitFor(async () => {
      const { json } = await ada('GET', `/me/spaces/${spaceId}/documents`)
      return json.items?.[0]?.status === 'ready' || json[0]?.status === 'ready' ? true : null
    })
  }, 120_000)
  afterAll(() => server.dispose())

  it('fails no list, whichever sealed column is damaged, and no turn', async () => {
    await server.kill()
    const damaged = new Set<string>()
    server.databases((database) => {
      for (const { table, column } of sealedIn(database)) {
        const value = database.prepare(`SELECT "${column}" AS value FROM "${table}" LIMIT 1`).get()
        const bytes = value?.value instanceof Uint8Array
        // One row of each: what is around it must still be there.
        const { changes } = database
          .prepare(
            `UPDATE "${table}" SET "${column}" = ${bytes ? "x'0101'" : "'v1.gone.AAAA'"}
             WHERE "${column}" = (SELECT "${column}" FROM "${table}" WHERE "${column}" IS NOT NULL LIMIT 1)`,
          )
          .run()
        if (Number(changes) > 0) damaged.add(`${table}.${column}`)
      }
    })
    expect([...damaged]).toEqual(
      expect.arrayContaining([
        'messages.body_sealed',
        'messages.comment_sealed',
        'sessions.title_sealed',
        'memories.body_sealed',
        'reminders.text_sealed',
        'space_documents.name_sealed',
        'space_chunks.body_sealed',
        'space_indexes.index_sealed',
        'user_profiles.pref_name',
      ]),
    )
    await server.start()

    const own = [
      '/me',
      '/me/profile',
      '/me/sessions',
      `/me/sessions/${sessionId}/messages`,
      `/me/sessions/${sessionId}/attachments`,
      '/me/sessions/search?q=quokkas',
      '/me/remembered',
      '/me/reminders',
      `/me/spaces/${spaceId}/documents`,
    ]
    for (const path of own) expect(await ada('GET', path), path).toMatchObject({ status: 200 })
    const managed = [
      '/manage/users',
      `/manage/users/${userId}`,
      `/manage/spaces/${spaceId}/sessions`,
      `/manage/spaces/${spaceId}/memories`,
      `/manage/spaces/${spaceId}/profiles`,
      `/manage/spaces/${spaceId}/documents`,
      `/manage/sessions/${sessionId}/messages`,
    ]
    for (const path of managed) {
      const { status } = await tenant.call('GET', path)
      expect([200, 404], `${path}: ${status}`).toContain(status)
    }

    const { json: messages } = await ada('GET', `/me/sessions/${sessionId}/messages`)
    const unreadable = messages.filter(({ status }: { status: string }) => status === 'unreadable')
    expect(messages).toHaveLength(4)
    expect(unreadable).toEqual([expect.objectContaining({ content: null, sources: [] })])
    expect((await ada('GET', '/me/sessions')).json.items?.[0] ?? {}).toMatchObject({ title: null })

    const turn = await ada('POST', '/v1/chat', { message: 'Hello again', session_id: sessionId })
    expect(turn).toMatchObject({ status: 200, json: { session_id: sessionId } })
    const edited = await ada('PATCH', `/me/sessions/${sessionId}/messages/${unreadable[0].id}`, {
      content: 'Said anew',
    })
    expect(edited).toMatchObject({
      status: 200,
      json: { content: 'Said anew', status: 'complete' },
    })
  })
})
