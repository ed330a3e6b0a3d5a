import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../../src/config/read-config'
import type { BaseContext } from '../../src/context'
import { openPrimary } from '../../src/db/client'
import { createLog } from '../../src/log'
import { requestAccountMail } from '../../src/users/account-mails'
import { logIn } from '../../src/users/log-in'
import { type Parley, SECRETS, sharedParley, WIDE_RATES } from '../support/harness'
import { expectOk, type SeededTenant, seedTenant } from '../support/seed'

const KNOWN = 'ada@people.example'
const UNKNOWN = 'nobody@people.example'

/** What a call does, in order: statements, object calls, queue messages and hashes, without the values in them. */
const work: string[] = []
const { scryptSync } = crypto

/** Node's own module, for everybody who has imported from it. */
function setScrypt(scrypt: typeof scryptSync): void {
  crypto.scryptSync = scrypt
  syncBuiltinESMExports()
}

// How long it takes is compared by `npm run bench -- --only=accounts`.
describe('what is done does not tell whether the address has an account (AU5)', () => {
  let parley: Parley
  let tenant: SeededTenant

  beforeAll(async () => {
    setScrypt((...args: Parameters<typeof scryptSync>) => {
      work.push('hash')
      return scryptSync(...args)
    })
    parley = await sharedParley()
    tenant = await seedTenant(parley)
    const body = { tenant_id: tenant.id, email: KNOWN, password: 'correct horse battery' }
    await expectOk(parley.call('POST', '/auth/register', { body }))
  })
  afterAll(async () => {
    setScrypt(scryptSync)
    await parley.close()
  })

  it.each([
    [
      'login',
      ['hash', 'object take', 'statement'],
      (base: BaseContext, email: string) =>
        expect(
          logIn(base, { tenant_id: tenant.id, email, password: 'wrong password' }),
        ).rejects.toMatchObject({ code: 'invalid_credential' }),
    ],
    [
      'forgotten password',
      ['object take', 'queue', 'statement'],
      (base: BaseContext, email: string) =>
        requestAccountMail(base, 'reset', { tenant_id: tenant.id, email }),
    ],
    [
      'verification',
      ['object take', 'queue', 'statement'],
      (base: BaseContext, email: string) =>
        requestAccountMail(base, 'verify', { tenant_id: tenant.id, email }),
    ],
  ])('%s', async (_, kinds, call) => {
    const of = async (email: string) => {
      const { base, pending } = await watchedBase(parley)
      await call(base, email)
      await Promise.allSettled(pending)
      return work.splice(0)
    }
    const known = await of(KNOWN)
    expect(await of(UNKNOWN)).toEqual(known)
    expect([...new Set(known.map((one) => one.split(':')[0]))].sort()).toEqual(kinds)
  })
})

async function watchedBase(parley: Parley) {
  const env = await parley.worker.getEnv()
  const { DB, JOBS, TENANT_METER } = env
  const pending: Promise<unknown>[] = []
  const watchedDb = {
    withSession: (constraint: D1SessionConstraint) => {
      const session = DB.withSession(constraint)
      return watch(session, 'prepare', ([sql]) => `statement: ${sql}`)
    },
  } as unknown as D1Database
  const watchedEnv: Env = {
    ...env,
    DB: watchedDb,
    JOBS: watch(JOBS, 'send', ([job]) => `queue: ${Object.keys(job as object).join()}`),
    TENANT_METER: new Proxy(TENANT_METER, {
      get: (target, name) =>
        name === 'get'
          ? (id: DurableObjectId) => watch(target.get(id), 'take', () => 'object take')
          : Reflect.get(target, name),
    }),
  }
  const base: BaseContext = {
    env: watchedEnv,
    config: readConfig({ ...SECRETS, ...WIDE_RATES }),
    db: openPrimary(watchedDb),
    log: createLog('test'),
    now: Date.now(),
    requestId: 'test',
    origin: 'http://parley.test',
    waitUntil: (promise) => void pending.push(promise),
  }
  return { base, pending }
}

/** The object, with each call of one method written down. */
function watch<T extends object>(target: T, method: keyof T, name: (args: unknown[]) => string): T {
  return new Proxy(target, {
    get(_, key) {
      const value: unknown = Reflect.get(target, key)
      if (typeof value !== 'function') return value
      return (...args: unknown[]) => {
        if (key === method) work.push(name(args))
        return Reflect.apply(value, target, args)
      }
    },
  })
}
