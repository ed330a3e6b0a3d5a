import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { SpaceCore } from '../../../durable-objects/user-space/core/space-core'
import { readConfig } from '../../../src/config/read-config'
import type { BaseContext, UserContext } from '../../../src/context'
import { openPrimary } from '../../../src/db/client'
import type { TenantRow } from '../../../src/db/tables/tenants'
import { eraseUser } from '../../../src/deletion/erase-user'
import type { Job } from '../../../src/jobs/job'
import { createLog } from '../../../src/log'
import { SealError } from '../../../src/platform/crypto/field'
import { parseKeyring } from '../../../src/platform/crypto/keyring'
import { importMasterKeys, newTenantKey } from '../../../src/platform/crypto/keys'
import { dropIsolateCaches } from '../../../src/platform/isolate-caches'
import { callerOf } from '../../../src/spaces/caller'
import { createUser } from '../../../src/users/create-user'
import { resolveKeyApp } from '../../../src/users/resolve-caller'
import { startFresh } from '../../../src/users/start-fresh'
import { readUserFacts } from '../../../src/users/user-facts'
import { NodeDirectory } from '../../support/node-directory'
import { NodeStorage, nodeD1 } from '../../support/node-object'

const SECRETS = {
  ADMIN_TOKEN: 'unit-admin-token-0123456789-abcdefghij',
  MASTER_KEYS: 'unit-master-keys-abcdefghijklmnopqrstuvwxyz0123456789',
  JWT_SECRET: 'unit-jwt-secret-zyxwvutsrqponmlkjihgfedcba9876543210',
}
const TENANT = 'tenant'

/** A directory with one tenant and key, and a store of files; each call of either is noted. */
class World {
  readonly #directory = new NodeDirectory()
  readonly db = this.#directory.db
  readonly files = new Map<string, string>()
  readonly calls: string[] = []
  wrappedTenantKey = ''
  readonly jobs: { job: Job; delaySeconds: number }[] = []
  /** Called before and after a round trip to the directory, which may be lost by throwing, or its answer. */
  asked = () => {}
  answered = () => {}

  readonly env = {
    ...SECRETS,
    DB: nodeD1(this.db, {
      asked: () => {
        this.calls.push('D1')
        this.asked()
      },
      answered: () => this.answered(),
    }),
    JOBS: {
      send: async (job: Job, { delaySeconds }: { delaySeconds: number }) => {
        this.jobs.push({ job, delaySeconds })
      },
    },
    FILES: {
      put: async (key: string, text: string) => {
        this.calls.push('put')
        this.files.set(key, text)
      },
      get: async (key: string) => {
        this.calls.push('get')
        const text = this.files.get(key)
        return text === undefined ? null : { text: async () => text }
      },
      delete: async (keys: string[]) => {
        this.calls.push('delete')
        for (const key of keys) this.files.delete(key)
      },
    },
  } as unknown as Env

  async open() {
    const ring = parseKeyring(SECRETS.MASTER_KEYS, 'MASTER_KEYS')
    const { wrapped } = await newTenantKey(await importMasterKeys(ring), TENANT)
    this.wrappedTenantKey = wrapped
    this.insert('tenants', { id: TENANT, name: 'T', wrapped_key: wrapped })
    this.insert('api_keys', { id: 'key', tenant_id: TENANT, name: 'k', hash: 'hash' })
  }

  insert = (table: string, given: Record<string, string | number>) =>
    this.#directory.insert(table, given)

  count(table: string): number {
    return Number(this.db.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.n)
  }

  base = () =>
    ({
      env: this.env,
      config: readConfig(SECRETS),
      db: openPrimary(this.env.DB),
      now: Date.now(),
      log: createLog('unit'),
      waitUntil: () => {},
    }) as unknown as BaseContext

  /** Who calls with the tenant's key for an end user. */
  async call(endUser: string): Promise<UserContext> {
    const app = await resolveKeyApp(
      this.base(),
      'hash',
      () => endUser,
      () => null,
    )
    if (!app) throw new Error('The key is not known')
    return app.withUser(null)
  }

  /** A new object of a space. */
  async object() {
    const ctx = { storage: new NodeStorage().open(() => {}) } as unknown as DurableObjectState
    const core = new SpaceCore(ctx, this.env)
    await core.open()
    return core
  }
}

describe('the first call for a user who was never seen', () => {
  let world: World
  beforeEach(async () => {
    vi.useFakeTimers({ now: Date.parse('2026-11-23T12:00:00Z'), toFake: ['Date'] })
    world = new World()
    await world.open()
    dropIsolateCaches()
  })
  afterEach(() => vi.useRealTimers())

  const visit = async (core: SpaceCore, ctx: UserContext) => {
    const visited = await core.as(callerOf(ctx), 'write')
    if (!visited.ok) return visited.refusal.reason
    return core.profile.facts(visited.value.keys)
  }

  it('is a look-up, a file and a batch, and the object asks nobody', async () => {
    const ctx = await world.call('ada')
    expect(world.calls).toEqual(['D1', 'put', 'D1'])
    const facts = await visit(await world.object(), ctx)
    expect(world.calls).toEqual(['D1', 'put', 'D1'])
    const tenant = { id: TENANT, wrappedKey: world.wrappedTenantKey }
    expect(facts).toEqual(await readUserFacts(world.env, tenant, ctx.user.id))
  })

  it('seals with the key that later calls open with', async () => {
    const first = await world.object()
    const ctx = await world.call('ada')
    const made = await first.as(callerOf(ctx), 'write')
    const sealed = made.ok ? await made.value.keys.seal('facts', 'value', 'x', 'said') : ''
    const again = await world.call('ada')
    expect(again.newcomer).toBeUndefined()
    const found = await (await world.object()).as(callerOf(again), 'read')
    expect(found.ok && (await found.value.keys.open('facts', 'value', 'x', sealed))).toBe('said')
  })

  it('makes nothing of a user who was deleted meanwhile, however late it comes', async () => {
    const ctx = await world.call('ada')
    world.files.clear()
    const told = await world.object()
    told.markDeleted()
    expect(await visit(told, ctx)).toBe('user_gone')
    vi.setSystemTime(Date.now() + 10_001)
    expect(await visit(await world.object(), ctx)).toBe('user_gone')
    expect(world.calls.at(-1)).toBe('get')
  })

  it('asks for a profile that was written on its way', async () => {
    const ctx = await world.call('ada')
    const core = await world.object()
    core.profile.forget()
    world.insert('user_profiles', { user_id: ctx.user.id, tenant_id: TENANT, pref_city: 'Porto' })
    expect(await visit(core, ctx)).toMatchObject({ city: 'Porto' })
  })

  it('comes twice at once for one user, whose key stays alone', async () => {
    const [one, other] = await Promise.all([world.call('ada'), world.call('ada')])
    expect(one?.user.id).toBe(other?.user.id)
    expect([world.count('users'), world.count('spaces'), world.files.size]).toEqual([1, 1, 1])
    expect([...world.files.keys()]).toEqual([`keys/${TENANT}/${one?.user.id}`])
  })

  const tenant = () => ({ id: TENANT, wrappedKey: world.wrappedTenantKey }) as TenantRow
  const create = () => createUser(world.base(), tenant(), { source: 'proxy', externalId: 'ada' })

  it('leaves a key to a user whose making was not answered', async () => {
    let lost = 0
    world.answered = () => {
      if (world.count('users') === 1 && lost++ === 0) throw new Error('Network connection lost')
    }
    const made = await create()
    expect(lost).toBeGreaterThan(0)
    expect(world.files.has(`keys/${TENANT}/${made.user.id}`)).toBe(true)
  })

  const lose = () => {
    throw new Error('Network connection lost')
  }
  const listKeys = () => [...world.files.keys()].map((path) => path.split('/').at(-1))
  const userIds = () =>
    world.db
      .prepare('SELECT id FROM users')
      .all()
      .map(({ id }) => id)

  it('says nothing of an outage where the key of the tenant does not open', async () => {
    const broken = { ...tenant(), id: 'other' }
    const made = createUser(world.base(), broken, { source: 'proxy', externalId: 'ada' })
    await expect(made).rejects.toBeInstanceOf(SealError)
    expect(world.files.size).toBe(0)
  })

  it('leaves no key of a user whom a directory that is down did not make, once it is up', async () => {
    world.asked = lose
    await expect(create()).rejects.toMatchObject({ code: 'unavailable' })
    const [key] = listKeys()
    // Nobody knows whether the batch was committed: a key that went would have deleted the user.
    expect(world.jobs).toEqual([
      { job: { type: 'user.delete', tenantId: TENANT, userId: key }, delaySeconds: 120 },
    ])
    world.asked = () => {}
    await eraseUser(world.env, TENANT, key ?? '')
    expect([listKeys(), world.count('users')]).toEqual([[], 0])
  })

  it('keeps the key of a user who was made by a directory that then could not be asked', async () => {
    world.answered = () => {
      if (world.count('users') === 1) lose()
    }
    await expect(create()).rejects.toMatchObject({ code: 'unavailable' })
    world.answered = () => {}
    expect(world.jobs.map(({ job }) => job)).toEqual([
      { type: 'user.delete', tenantId: TENANT, userId: userIds()[0] },
    ])
    await eraseUser(world.env, TENANT, String(userIds()[0]))
    expect([listKeys(), userIds()]).toEqual([userIds(), listKeys()])
    expect((await world.call('ada')).user.id).toBe(userIds()[0])
  })

  it('leaves no key where the store of files fails in that moment', async () => {
    const { delete: remove } = world.env.FILES
    world.env.FILES.delete = async () => lose()
    world.asked = () => {
      if (world.files.size === 1 && world.calls.length === 2) lose()
    }
    await expect(create()).rejects.toMatchObject({ code: 'unavailable' })
    world.env.FILES.delete = remove
    expect(world.jobs).toHaveLength(1)
    await eraseUser(world.env, TENANT, listKeys()[0] ?? '')
    expect(listKeys()).toEqual([])
  })

  const OWNER = {
    source: 'email',
    email: 'ada@example.org',
    emailIndex: 'index',
    password: null,
    identity: null,
    lang: null,
  }

  it('leaves a key to an account whose making was not answered', async () => {
    let lost = 0
    world.answered = () => {
      if (world.count('accounts') === 1 && lost++ === 0) lose()
    }
    const made = await startFresh(world.base(), tenant(), OWNER, null)
    expect([lost > 0, listKeys(), userIds()]).toEqual([true, [made.user.id], [made.user.id]])
  })

  it.each<[string, () => Promise<unknown>]>([
    ['of a proxy tenant', () => world.call('ada')],
    ['that comes by itself', () => createUser(world.base(), tenant(), { source: 'anonymous' })],
    ['whose address is confirmed', () => startFresh(world.base(), tenant(), OWNER, null)],
  ])('takes another tag where its own is taken: a user %s', async (_, make) => {
    const first = await world.call('first')
    const { getRandomValues } = crypto
    // Three are drawn: one at the end of each id, and the tag itself.
    const tag = new Uint32Array([first.space.tag, first.space.tag / 2 ** 32])
    let drawn = 0
    vi.spyOn(crypto, 'getRandomValues').mockImplementation((bytes) => {
      if (!(bytes instanceof Uint32Array) || bytes.length !== 2 || drawn++ >= 3)
        return getRandomValues.call(crypto, bytes)
      bytes.set(tag)
      return bytes
    })
    await make().finally(() => vi.restoreAllMocks())
    expect(drawn).toBeGreaterThan(3)
    expect([world.count('users'), world.count('spaces'), world.files.size]).toEqual([2, 2, 2])
  })

  it('is refused where the name is that of a deleted user, and leaves no key', async () => {
    world.insert('users', {
      id: 'gone',
      tenant_id: TENANT,
      source: 'proxy',
      external_id: 'gone',
      status: 'deleted',
    })
    world.insert('spaces', {
      id: 'home',
      tenant_id: TENANT,
      user_id: 'gone',
      is_default: 1,
      tag: 7,
    })
    await expect(world.call('gone')).rejects.toMatchObject({ code: 'not_found' })
    expect(world.files.size).toBe(0)
  })
})
