import { beforeEach, describe, expect, it } from 'vitest'
import { LiveEvents } from '../../../durable-objects/user-space/core/live-events'
import { SpaceCore } from '../../../durable-objects/user-space/core/space-core'
import type { SpaceKeys } from '../../../durable-objects/user-space/core/space-keys'
import type { Enrollments } from '../../../durable-objects/user-space/enrollments/enrollments'
import type { Handoffs } from '../../../durable-objects/user-space/handoffs/handoffs'
import { buildParts } from '../../../durable-objects/user-space/parts'
import { Following } from '../../../durable-objects/user-space/turns/following'
import { LiveTurn } from '../../../durable-objects/user-space/turns/live-turn'
import { RunningTurns } from '../../../durable-objects/user-space/turns/running-turns'
import { Settlements } from '../../../durable-objects/user-space/turns/settlements'
import { storeQuestion } from '../../../durable-objects/user-space/turns/store-question'
import { TurnEnd } from '../../../durable-objects/user-space/turns/turn-end'
import { Acts } from '../../../src/chat/acts'
import { KnownMessage } from '../../../src/chat/known-message'
import type { FinishedTurn } from '../../../src/chat/turn'
import { HOUR_MS } from '../../../src/config/limits'
import { parseKeyring } from '../../../src/platform/crypto/keyring'
import { importMasterKeys, newTenantKey, newUserKey } from '../../../src/platform/crypto/keys'
import { newId } from '../../../src/platform/ids'
import { NO_FACTS } from '../../../src/users/user-facts'
import { NodeStorage } from '../../support/node-object'
import { turnRequest } from '../../support/turns'

const SECRETS = {
  ADMIN_TOKEN: 'unit-admin-token-0123456789-abcdefghij',
  MASTER_KEYS: 'unit-master-keys-abcdefghijklmnopqrstuvwxyz0123456789',
  JWT_SECRET: 'unit-jwt-secret-zyxwvutsrqponmlkjihgfedcba9876543210',
}

const files = new Map<string, unknown>()
/** What the meter was told of. */
let settled: string[]
/** Done once an image is stored. */
let putting: () => void
let storage: NodeStorage
let core: SpaceCore
let keys: SpaceKeys
let events: LiveEvents
let request: ReturnType<typeof turnRequest>
/** What the meter says to the next turn, and what is done once it was asked. */
let admitted: Promise<unknown>
let asked: () => void

const env = {
  ...SECRETS,
  FILES: {
    put: async (path: string, bytes: unknown) => {
      files.set(path, bytes)
      putting()
    },
    delete: async (paths: string[]) => {
      for (const path of paths) files.delete(path)
    },
  },
  JOBS: { send: async () => {} },
  TENANT_METER: {
    idFromName: (name: string) => name,
    get: () => ({
      admit: () => {
        asked()
        return admitted
      },
      settle: async (_tenant: string, turn: string) => settled.push(turn),
    }),
  },
} as unknown as Env

beforeEach(async () => {
  files.clear()
  settled = []
  putting = () => {}
  const image = { mime: 'image/png', name: 'image.png', bytes: new Uint8Array(8) }
  request = turnRequest({ images: [image] })
  const { tenantId, userId } = request.caller.address
  const master = await importMasterKeys(parseKeyring(SECRETS.MASTER_KEYS, 'MASTER_KEYS'))
  const tenant = await newTenantKey(master, tenantId)
  request.caller.wrappedTenantKey = tenant.wrapped
  const { wrapped } = await newUserKey(tenant.key, userId)
  request.caller.newcomer = { wrappedKey: wrapped, at: Date.now(), facts: NO_FACTS }
  storage = new NodeStorage()
  const ctx = { storage: storage.open(() => {}), getWebSockets: () => [] }
  const state = ctx as unknown as DurableObjectState
  core = new SpaceCore(state, env)
  await core.open()
  const visit = await core.as(request.caller, 'write')
  if (!visit.ok) throw new Error(visit.refusal.reason)
  keys = visit.value.keys
  events = new LiveEvents(core, state)
  const by = { agentId: 'agent-1', agentName: 'desk' }
  core.stores.sessions.add({ id: 'session', ...by, channel: 'api', alias: null, now: 1 })
})

describe('the ids of a space', () => {
  it('rise also where the clock is set back, for an object that wakes too', async () => {
    const said = Date.now()
    const before = core.mint(said)
    core.stores.sessions.closeTurn('session', {
      ...{ agentId: 'agent-1', agentName: 'desk', outbox: '' },
      now: said,
    })
    const state = { storage: storage.open(() => {}), getWebSockets: () => [] }
    const woken = new SpaceCore(state as unknown as DurableObjectState, env)
    await woken.open()
    for (const one of [core, woken]) {
      const ids = [before]
      for (let hours = 20; hours > 0; hours--) {
        ids.push(one.mint(said - hours * HOUR_MS))
        // What else has ids in the isolate goes by the clock.
        newId(said - hours * HOUR_MS)
      }
      expect(ids.toSorted()).toEqual(ids)
    }
  })
})

describe('a session that is deleted while a message to it is on its way', () => {
  const live = new LiveTurn('reply', 'session', 15_000)
  const store = () =>
    storeQuestion(core, events, keys, {
      ...{ request, live, id: 'question', isNew: false, greeted: null, replacing: null },
    })
  const held = () =>
    ['messages', 'attachments', 'turn_slots'].map((table) =>
      Number(storage.db.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.n),
    )

  it('takes no message that comes after it', async () => {
    putting = () => core.stores.sessions.remove('session')
    expect(await store()).toEqual({ reason: 'session' })
    expect(held()).toEqual([0, 0, 0])
    expect([...files.keys()]).toEqual([])
  })

  it('is told apart from a space that is deleted, and from a user who is', async () => {
    putting = () => core.leave()
    expect(await store()).toEqual({ reason: 'space_gone' })
    putting = () => core.markDeleted()
    expect(await store()).toEqual({ reason: 'user_gone' })
    expect([held(), [...files.keys()]]).toEqual([[0, 0, 0], []])
  })

  it('takes no answer either: what it cost is told, and who asked hears why', async () => {
    expect(await store()).toBeNull()
    expect(held()).toEqual([1, 1, 1])
    core.stores.messages.removeOfSession('session')
    core.stores.attachments.removeOfSession('session')
    core.stores.sessions.remove('session')
    const end = new TurnEnd(
      ...([core, new RunningTurns(), events] as const),
      {} as Enrollments,
      {} as Handoffs,
      new Settlements(core),
      new Following(),
    )
    const known = new KnownMessage(request.message, [], 'en')
    const acts = new Acts('reply', async () => [])
    const usage = { inputTokens: 1, outputTokens: 1, cachedTokens: 0, estimatedTokens: 0 }
    await end.finish(
      keys,
      { request, questionId: 'question', replacing: null, live, known, acts, mayWait: true },
      {
        outcome: {
          ...{ reply: 'Hello.', finishReason: 'stop', cited: [], model: 'm', usage },
          ...{ unsourced: [], closest: [] },
        },
        ...{ status: 'complete', failure: null, rewritten: false, embedded: null, beside: [] },
      },
      false,
    )
    expect(await live.finished).toEqual({ ok: false, refusal: { reason: 'session' } })
    expect(settled).toEqual(['reply'])
    expect(held()).toEqual([0, 0, 1])
  })
})

describe('a turn that is stopped while it is being admitted', () => {
  it('says nothing once it is, and its question stays', async () => {
    const admit = Promise.withResolvers<unknown>()
    admitted = admit.promise
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve
    })
    const { turns } = buildParts(core, events)
    const answered = turns.complete({ ...request, sessionId: 'session', images: [] })
    const visit = { caller: request.caller, keys }
    await isAsked
    expect(await turns.stop(visit, 'session')).toEqual({ ok: true, value: true })
    admit.resolve({ ok: true, booked: [], listens: false, mayWait: true })
    const { response } = (await answered) as Extract<FinishedTurn, { ok: true }>
    expect([response.finish_reason, response.reply]).toEqual(['stopped', ''])
    const said = core.stores.messages.ofSession('session')
    expect(said.map(({ role, status }) => [role, status])).toEqual([
      ['assistant', 'partial'],
      ['user', 'complete'],
    ])
    expect(await turns.stop(visit, 'session')).toEqual({ ok: true, value: false })
  })
})
