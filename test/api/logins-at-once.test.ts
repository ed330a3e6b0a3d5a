import { scryptSync } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PASSWORD as RULES } from '../../src/config/limits'
import { type Answer, type Parley, sharedParley } from '../support/harness'
import { expectOk, type SeededTenant, seedTenant, waitFor } from '../support/seed'

const PASSWORD = 'correct horse battery'
const EMAIL = 'ada@people.example'

describe('many who sign in at once', () => {
  let parley: Parley
  let tenant: SeededTenant
  let userId: string
  beforeAll(async () => {
    parley = await sharedParley()
    tenant = await seedTenant(parley)
    const body = { tenant_id: tenant.id, email: EMAIL, password: PASSWORD }
    userId = (await expectOk(parley.call('POST', '/auth/register', { body }))).json.user_id
  })
  afterAll(() => parley.close())

  const logIn = () =>
    parley.call('POST', '/auth/login', {
      body: { tenant_id: tenant.id, email: EMAIL, password: PASSWORD },
    })
  const register = (n: number) =>
    parley.call('POST', '/auth/register', {
      body: { tenant_id: tenant.id, email: `bob-${n}@people.example`, password: PASSWORD },
    })
  const setPassword = () =>
    tenant.call('POST', `/v1/manage/users/${userId}/password`, { new_password: PASSWORD })

  const judge = (answers: Answer[], accepted: number) => {
    const statuses = new Set(answers.map(({ status }) => status))
    expect(statuses).toEqual(new Set([accepted, 429]))
    for (const { headers, json } of answers.filter(({ status }) => status === 429)) {
      expect([headers.get('retry-after'), json]).toEqual([
        String(RULES.retryAfterS),
        { detail: 'Too many requests' },
      ])
    }
    const served = answers.filter(({ status }) => status === accepted).length
    expect(served).toBeGreaterThanOrEqual(RULES.hashesAtOnce)
  }

  it('of forty, some are served and the others told at arrival to come again', async () => {
    judge(await Promise.all(Array.from({ length: 40 }, logIn)), 200)
    expect((await logIn()).status).toBe(200)
  })

  it('registering and setting a password wait in the same line', async () => {
    judge(await Promise.all(Array.from({ length: 12 }, (_, n) => register(n))), 200)
    judge(await Promise.all(Array.from({ length: 12 }, setPassword)), 204)
    const mixed = await Promise.all([
      ...Array.from({ length: RULES.hashesAtOnce }, logIn),
      ...Array.from({ length: RULES.hashesAtOnce }, (_, n) => register(100 + n)),
      ...Array.from({ length: RULES.hashesAtOnce }, setPassword),
    ])
    expect(mixed.map(({ status }) => status)).toContain(429)
  })

  it('another route is answered between two of them', async () => {
    const order: string[] = []
    const logins = Array.from({ length: RULES.hashesAtOnce }, () =>
      logIn().then(({ status }) => order.push(`login ${status}`)),
    )
    await Promise.race(logins)
    const health = parley.call('GET', '/health').then(() => order.push('health'))
    await Promise.all([...logins, health])
    expect(order.filter((what) => what === 'login 200')).toHaveLength(RULES.hashesAtOnce)
    expect(order.at(-1)).toBe('login 200')
  })
})

describe('a password whose hash has parameters of before', () => {
  const NEW = 'another horse battery'
  const OLD_FORM = { ln: 12, r: 8, p: 1 }
  const NEW_FORM = { ln: 14, r: 8, p: 5 }
  let parley: Parley
  let tenant: SeededTenant
  let db: D1Database
  let userId: string
  beforeAll(async () => {
    parley = await sharedParley()
    db = (await parley.worker.getEnv()).DB as D1Database
    tenant = await seedTenant(parley)
    const body = { tenant_id: tenant.id, email: EMAIL, password: PASSWORD }
    userId = (await expectOk(parley.call('POST', '/auth/register', { body }))).json.user_id
  })
  afterAll(() => parley.close())

  const logIn = (password: string) =>
    parley.call('POST', '/auth/login', { body: { tenant_id: tenant.id, email: EMAIL, password } })
  const stored = async () => {
    const row = db.prepare('SELECT password FROM accounts WHERE user_id = ?').bind(userId)
    return (await row.first<{ password: string }>())?.password ?? ''
  }
  const formOf = ({ ln, r, p }: typeof OLD_FORM) => `$scrypt$ln=${ln},r=${r},p=${p}$`
  const hashOf = (password: string, form: typeof OLD_FORM) => {
    const salt = Buffer.alloc(16, 7)
    const options = { N: 2 ** form.ln, r: form.r, p: form.p, maxmem: 2 ** 26 }
    const hash = scryptSync(password, salt, 32, options)
    return `${formOf(form)}${salt.toString('base64url')}$${hash.toString('base64url')}`
  }
  const store = (hash: string) =>
    db.prepare('UPDATE accounts SET password = ? WHERE user_id = ?').bind(hash, userId).run()

  it('is hashed anew at the next login', async () => {
    await store(hashOf(PASSWORD, OLD_FORM))
    await expectOk(logIn(PASSWORD))
    await waitFor(async () => ((await stored()).startsWith(formOf(NEW_FORM)) ? true : null))
    await expectOk(logIn(PASSWORD))
  })

  it('is not put back over one that was set meanwhile', async () => {
    await store(hashOf(PASSWORD, OLD_FORM))
    // Right after the login, before the hash: what another isolate may do.
    await db
      .prepare(
        `CREATE TRIGGER set_meanwhile AFTER UPDATE OF last_active_at ON users WHEN NEW.id = '${userId}'
         BEGIN UPDATE accounts SET password = '${hashOf(NEW, NEW_FORM)}' WHERE user_id = NEW.id; END`,
      )
      .run()
    await expectOk(logIn(PASSWORD))
    await waitFor(async () => ((await stored()).startsWith(formOf(NEW_FORM)) ? true : null))
    await db.prepare('DROP TRIGGER set_meanwhile').run()
    // Comes after the hash in the line.
    await logIn('not the password')
    expect([(await logIn(NEW)).status, (await logIn(PASSWORD)).status]).toEqual([200, 401])
  })
})
