import { connect } from 'node:net'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Parley, sharedParley } from '../support/harness'
import { rawSend } from '../support/raw-send'
import { expectOk, type SeededTenant, seedAgent, seedTenant } from '../support/seed'

/** What HTTP itself forbids, and what it lets through in a shape that nobody means. */
describe('broken requests', () => {
  let parley: Parley
  let tenant: SeededTenant
  beforeAll(async () => {
    parley = await sharedParley()
    tenant = await seedTenant(parley)
    await seedAgent(tenant, 'desk')
  })

  /** Sends lines as they are, and hears what comes until the other side ends. */
  const send = (lines: readonly string[]) =>
    new Promise<{ status: number; body: string }>((resolve, reject) => {
      const socket = connect(Number(parley.url.port), parley.url.hostname, () =>
        socket.write(lines.join('\r\n')),
      )
      let text = ''
      socket.on('data', (part) => {
        text += part.toString()
      })
      socket.on('error', reject)
      socket.on('close', () => {
        const [head = '', body = ''] = text.split('\r\n\r\n')
        resolve({ status: Number(head.split(' ')[1]), body })
      })
    })

  const BROKEN = {
    'a size that is no number': ['ZZ', '{"message":"hi"}', '0', '', ''],
    'a later size that is none': ['5', '{"mes', 'ZZ', 'xx', ''],
    'a chunk longer than its size': ['5', '{"message":"hi"}', '0', '', ''],
  }
  it.each(Object.entries(BROKEN))('%s is a body that cannot be read', async (_, chunks) => {
    const form = 'multipart/form-data; boundary=x'
    const routes: [string, string, string][] = [
      ['POST', '/v1/chat', 'application/json'],
      ['POST', '/v1/agents/new', 'application/json'],
      ['PATCH', '/v1/agents/desk', 'application/json'],
      ['POST', '/v1/knowledge-bases/none/documents/upload', form],
      ['POST', '/auth/login', 'application/json'],
      ['POST', '/v1/mcp', 'application/json'],
    ]
    for (const [method, path, type] of routes) {
      const { status, body } = await send([
        `${method} ${path} HTTP/1.1`,
        'Host: localhost',
        `X-API-Key: ${tenant.key}`,
        'X-End-User: ada',
        'Idempotency-Key: once',
        `Content-Type: ${type}`,
        'Transfer-Encoding: chunked',
        'Connection: close',
        '',
        ...chunks,
      ])
      expect([path, status, JSON.parse(body).detail]).toEqual([
        path,
        400,
        'The request body cannot be read',
      ])
    }
    expect(await expectOk(tenant.call('GET', '/v1/agents/desk'))).toBeTruthy()
  })

  it('who sends a large body hears why it is refused, however early that was decided', async () => {
    const refusals: [string, string, number, number][] = [
      ['/v1/knowledge-bases/none/documents/upload', 'pk_wrong', 8, 401],
      ['/v1/knowledge-bases/none/documents/upload', tenant.key, 60, 413],
      ['/v1/nowhere', tenant.key, 8, 404],
      ['/v1/agents', tenant.key, 8, 405],
    ]
    for (const [path, key, mebibytes, status] of refusals) {
      const form = new FormData()
      form.append('file', new Blob([Buffer.alloc(mebibytes * 1024 * 1024, 'x')]), 'large.txt')
      const answer = await fetch(new URL(path, parley.url), {
        method: 'POST',
        headers: { 'x-api-key': key },
        body: form,
      }).then(
        (response) => response.status,
        (error: Error) => `${error.cause}`,
      )
      expect([path, answer]).toEqual([path, status])
    }
  })

  it('two X-End-User are no third user', async () => {
    for (const name of [['ada', 'bob'], 'ada, bob']) {
      const headers = { 'x-api-key': tenant.key, 'x-end-user': name }
      for (const [method, path] of [
        ['POST', '/v1/chat'],
        ['GET', '/v1/me'],
        ['POST', '/v1/users/token'],
      ] as const) {
        const body = method === 'POST' ? { message: 'Hello' } : undefined
        const answer = await rawSend(parley.url, method, path, { headers, body })
        expect([path, answer.status, answer.json.detail]).toEqual([
          path,
          422,
          [
            {
              type: 'value_error',
              loc: ['header', 'x-end-user'],
              msg: 'Value error, sent once, and without a comma before a space',
            },
          ],
        ])
      }
    }
    const { json } = await expectOk(tenant.call('GET', '/v1/manage/users'))
    expect(json.items).toEqual([])
    // A directory's name has commas of its own.
    const id = 'uid=ada,ou=people,dc=example'
    expect((await tenant.as(id, 'GET', '/v1/me')).json.external_user_id).toBe(id)
  })
})
