import type { Answer, CallOptions, Parley } from './harness'

export interface SeededTenant {
  id: string
  alias: string
  key: string
  keyId: string
  /** A call with the tenant's key. */
  call(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer>
  /** A call as an end user that the tenant vouches for. */
  as(
    endUser: string,
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer>
}

let minted = 0

/** A tenant of the test's own: nothing is shared between tests and nothing has to be wiped. */
export async function seedTenant(
  parley: Pick<Parley, 'admin' | 'call'>,
  fields: Record<string, unknown> = {},
): Promise<SeededTenant> {
  minted += 1
  const alias = `t${process.pid}-${Date.now().toString(36)}-${minted}`
  const { status, json, text } = await parley.admin('POST', '/v1/admin/tenants', {
    name: `Tenant ${alias}`,
    alias,
    ...fields,
  })
  if (status !== 200) throw new Error(`The tenant could not be made: ${status} ${text}`)
  const key: string = json.key.api_key
  const call = (
    method: string,
    path: string,
    body?: unknown,
    headers: CallOptions['headers'] = {},
  ) => parley.call(method, path, { body, headers: { 'x-api-key': key, ...headers } })
  return {
    id: json.id,
    alias,
    key,
    keyId: json.key.id,
    call,
    as: (endUser, method, path, body, headers = {}) =>
      call(method, path, body, { 'x-end-user': endUser, ...headers }),
  }
}

/** Adds texts to a new base and waits until all of them can be searched. */
export async function seedBase(
  tenant: SeededTenant,
  name: string,
  texts: Record<string, string>,
): Promise<void> {
  await expectOk(tenant.call('POST', '/v1/knowledge-bases', { name }))
  for (const [title, text] of Object.entries(texts)) {
    await expectOk(
      tenant.call('POST', `/v1/knowledge-bases/${name}/documents/text`, { title, text }),
    )
  }
  await waitForBase(tenant, name)
}

/** Resolves once no document of the base is in progress. */
export async function waitForBase(tenant: SeededTenant, name: string): Promise<Answer['json']> {
  return waitFor(async () => {
    const { json } = await expectOk(tenant.call('GET', `/v1/knowledge-bases/${name}`))
    return json.status === 'processing' ? null : json
  })
}

export async function seedAgent(
  tenant: SeededTenant,
  name: string,
  fields: Record<string, unknown> = {},
): Promise<void> {
  await expectOk(tenant.call('PUT', `/v1/agents/${name}`, { published: true, ...fields }))
}

export async function expectOk(answer: Promise<Answer>): Promise<Answer> {
  const got = await answer
  if (got.status >= 300)
    throw new Error([`Unexpected ${got.status}: ${got.text}`, ...(got.log ?? [])].join(' '))
  return got
}

const WAIT_MS = 25_000
/** Pauses between two looks: what is nearly there is seen at once, what takes its time is not asked for all the time. */
const FIRST_STEP_MS = 10
const LAST_STEP_MS = 100

/** Asks until the answer is not null. @throws Error after 25 s, or as long as is given. */
export async function waitFor<T>(ask: () => Promise<T | null>, mostMs = WAIT_MS): Promise<T> {
  let step = FIRST_STEP_MS
  for (let waited = 0; waited < mostMs; waited += step) {
    const got = await ask()
    if (got !== null) return got
    step = Math.min(step * 1.5, LAST_STEP_MS)
    await new Promise((resolve) => setTimeout(resolve, step))
  }
  throw new Error(`Nothing after ${mostMs} ms`)
}
