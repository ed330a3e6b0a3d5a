import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { LiveEvents } from '../../../durable-objects/user-space/core/live-events'
import { SpaceCore } from '../../../durable-objects/user-space/core/space-core'
import type { SpaceKeys } from '../../../durable-objects/user-space/core/space-keys'
import { ASKED, callVerb } from '../../../durable-objects/user-space/core/verbs'
import { Carrying } from '../../../durable-objects/user-space/memories/carrying'
import { OpenMemories } from '../../../durable-objects/user-space/memories/open-memories'
import { MergeSource } from '../../../durable-objects/user-space/merge/merge-source'
import { MergeTarget } from '../../../durable-objects/user-space/merge/merge-target'
import { openPrimary } from '../../../src/db/client'
import { utf8 } from '../../../src/platform/crypto/bytes'
import { parseKeyring } from '../../../src/platform/crypto/keyring'
import { importMasterKeys, newTenantKey, newUserKey } from '../../../src/platform/crypto/keys'
import type { SpaceCaller } from '../../../src/spaces/caller'
import { readSpaceOfTag } from '../../../src/spaces/find-space'
import { MOVABLE_PARTS, type MovablePart, type PartRow } from '../../../src/spaces/movable-parts'
import { NodeStorage, nodeD1 } from '../../support/node-object'
import { waitFor } from '../../support/seed'

const ROOT = join(import.meta.dirname, '..', '..', '..')
const SECRETS = {
  ADMIN_TOKEN: 'unit-admin-token-0123456789-abcdefghij',
  MASTER_KEYS: 'unit-master-keys-abcdefghijklmnopqrstuvwxyz0123456789',
  JWT_SECRET: 'unit-jwt-secret-zyxwvutsrqponmlkjihgfedcba9876543210',
}
const TENANT = 'tenant'
const USER = 'user'
const SPACES = {
  source: { id: 'source', tag: 11, isDefault: false },
  target: { id: 'target', tag: 22, isDefault: true },
}
/** Of a space that went over to the source before. */
const EARLIER_TAG = 9
type Side = keyof typeof SPACES
/** Sessions, and messages of each: the source's take two steps. */
const SIZES: Record<Side, [number, number]> = { source: [3, 70], target: [1, 3] }

class Crash extends Error {}

/** Two spaces of one user on storage that outlives whoever works on it. */
class World {
  readonly d1 = new DatabaseSync(':memory:')
  storages = { source: new NodeStorage(), target: new NodeStorage() }
  /** Steps are calls between the three places, each counted before and after its effect. */
  steps = 0
  failAt = Number.POSITIVE_INFINITY
  /** `crash`: everything dies; `error`: one call fails and life goes on. */
  mode: 'crash' | 'error' = 'crash'
  #generation = 0

  /** @param stored a database as it was serialized, instead of a new one */
  constructor(
    readonly wrapped: { tenant: string; user: string },
    stored?: Uint8Array,
  ) {
    if (stored) {
      this.d1.exec('PRAGMA foreign_keys = OFF')
      this.d1.deserialize(stored)
      return
    }
    const tables = readFileSync(join(ROOT, 'migrations/0003_users.sql'), 'utf8')
    this.d1.exec('PRAGMA foreign_keys = OFF')
    this.d1.exec(tables)
    this.d1.exec(readFileSync(join(ROOT, 'migrations/0008_space_merges.sql'), 'utf8'))
    this.d1.exec(readFileSync(join(ROOT, 'migrations/0010_channels.sql'), 'utf8'))
    this.d1.exec(readFileSync(join(ROOT, 'migrations/0026_storylines.sql'), 'utf8'))
    this.d1.exec(readFileSync(join(ROOT, 'migrations/0030_handoffs.sql'), 'utf8'))
    this.d1.exec(readFileSync(join(ROOT, 'migrations/0061_merges_led_back.sql'), 'utf8'))
    for (const { id, tag, isDefault } of Object.values(SPACES)) {
      this.d1
        .prepare('INSERT INTO spaces VALUES (?, ?, ?, ?, ?, ?, 1, 1)')
        .run(id, TENANT, USER, id, Number(isDefault), tag)
    }
    this.d1.exec('ALTER TABLE spaces ADD COLUMN session_count INTEGER NOT NULL DEFAULT 0')
    this.d1.exec('ALTER TABLE spaces ADD COLUMN counted_at INTEGER')
    this.d1
      .prepare("INSERT INTO space_tags VALUES (?, ?, ?, 'source', 'earlier')")
      .run(EARLIER_TAG, TENANT, USER)
  }

  /** A world of its own in which everything is as it is stored here. */
  copy(): World {
    const copy = new World(this.wrapped, this.d1.serialize())
    const { source, target } = this.storages
    copy.storages = { source: source.copy(), target: target.copy() }
    return copy
  }

  /** Starts both objects anew; those of before are dead. */
  start() {
    const generation = ++this.#generation
    const guard = () => {
      if (generation !== this.#generation) throw new Crash('dead')
    }
    const step = () => {
      guard()
      this.steps += 1
      if (this.steps !== this.failAt) return
      if (this.mode === 'crash') this.#generation += 1
      throw new Crash(`step ${this.steps}`)
    }
    const remote = (object: () => object) =>
      new Proxy(
        {},
        {
          get:
            (_none, method: string) =>
            async (...args: unknown[]) => {
              step()
              const call = (object() as Record<string, (...args: unknown[]) => unknown>)[method]
              const result = await call?.(...args)
              step()
              return result
            },
        },
      )
    const objects: Record<string, () => object> = {}
    const env = {
      ...SECRETS,
      DB: nodeD1(this.d1, { asked: step, answered: step }),
      FILES: { get: async () => ({ text: async () => this.wrapped.user }) },
      USER_SPACE: {
        idFromName: (name: string) => name,
        get: (name: string) => remote(objects[name] ?? (() => ({}))),
      },
    } as unknown as Env
    const build = (side: Side) => {
      const storage = this.storages[side].open(guard)
      const ctx = { storage, getWebSockets: () => [] } as unknown as DurableObjectState
      const core = new SpaceCore(ctx, env)
      const live = new LiveEvents(core, ctx)
      const openMemories = new OpenMemories(core)
      const memories = new Carrying(core, openMemories, () => {})
      const departure = new MergeSource(core, {
        settleTurns: async () => true,
        left: () => {},
      })
      const arrival = new MergeTarget(core, { live, memories, shown: () => {} })
      objects[`${TENANT}/${USER}/${SPACES[side].id}`] = () => ({
        ask: async (
          caller: SpaceCaller,
          _part: string,
          verb: keyof typeof ASKED.arrival,
          args: unknown[],
        ) => {
          const visit = await core.as(caller, ASKED.arrival[verb])
          return visit.ok ? callVerb(arrival, verb, [visit.value, ...args]) : visit
        },
        work: (_part: string, verb: string, args: unknown[]) => callVerb(arrival, verb, args),
      })
      return { core, storage, departure, memories }
    }
    return { source: build('source'), target: build('target') }
  }

  caller(side: Side) {
    return {
      address: { tenantId: TENANT, userId: USER, spaceId: SPACES[side].id },
      tag: SPACES[side].tag,
      wrappedTenantKey: this.wrapped.tenant,
      tokenVersion: null,
    }
  }
}

type Objects = ReturnType<World['start']>

async function openAll({ source, target }: Objects): Promise<void> {
  await source.core.open()
  await target.core.open()
}

/** A row of every part, and enough messages for several steps. */
async function fill(core: SpaceCore, label: Side): Promise<void> {
  const keys = await core.keys()
  if (!keys) throw new Error('No keys')
  const { sql } = core.storage
  const add = async (part: MovablePart, row: PartRow) => {
    const sealed: PartRow = { ...row }
    for (const { column, name, form } of part.sealed) {
      const text = String(row[column] ?? `${label} ${part.table}.${column}`)
      const place = [part.table, name, part.sealedRow(row)] as const
      sealed[column] =
        form === 'text'
          ? await keys.seal(...place, text)
          : (await keys.sealBlob(...place, utf8(text))).buffer
    }
    if (part.wrappedKey) {
      const made = await keys.sealAttachment(part.sealedRow(row), new Uint8Array([1, 2, 3]))
      sealed[part.wrappedKey] = made.wrappedKey
    }
    const columns = Object.keys(sealed)
    sql.exec(
      `INSERT INTO ${part.table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
      ...columns.map((column) => sealed[column]),
    )
  }
  const part = (table: string) => {
    const found = MOVABLE_PARTS.find((one) => one.table === table)
    if (!found) throw new Error(table)
    return found
  }
  const at = { created_at: 1, updated_at: 1 }
  const [sessions, messages] = SIZES[label]
  for (let s = 0; s < sessions; s++) {
    const session_id = `${label}-s${s}`
    const alias = s === 0 ? 'chat-1' : null
    const by = { agent_id: 'a', agent_name: 'desk', channel: 'api' }
    await add(part('sessions'), { id: session_id, ...by, alias, ...at, ranked_at: 1 })
    for (let m = 0; m < messages; m++) {
      const id = `${session_id}-m${String(m).padStart(4, '0')}`
      await add(part('messages'), {
        session_id,
        id,
        role: 'user',
        status: 'complete',
        created_at: m,
      })
    }
    const [id, message_id] = [`${session_id}-a`, `${session_id}-m0000`]
    const file = { mime: 'image/png', size_bytes: 3, created_at: 1 }
    await add(part('attachments'), { id, session_id, message_id, ...file })
  }
  const id = `${label}-1`
  await add(part('repeats'), {
    key: label,
    body_hash: 'h',
    message_id: 'm',
    session_id: 's',
    created_at: 1,
  })
  const body = JSON.stringify({ topic: 't', content: `${label} likes tea.`, slot: null })
  await add(part('memories'), {
    id,
    kind: 'fact',
    importance: 5,
    made_by: 'rules',
    agent_name: 'desk',
    body_sealed: body,
    vector_sealed: 'AAAA',
    ...at,
  })
  await add(part('remembered'), { agent_name: 'desk', updated_at: 1 })
  await add(part('remembered'), { agent_name: `of-${label}`, updated_at: 1 })
  const reminder = { kind: 'reminder', status: 'pending', due_at: 9e12, timezone: 'UTC' }
  await add(part('reminders'), { id, ...reminder, source: 'manual', created_at: 1 })
  await add(part('reminder_channels'), { reminder_id: id, channel: 'mail', claimed_at: 1 })
  const enrollment = { storyline_id: 'both', revision_id: 'r', agent_id: 'a', node: 'n' }
  await add(part('enrollments'), {
    id,
    ...enrollment,
    status: 'active',
    session_id: `${label}-s0`,
    due_at: 9e12,
    unreported: 0,
    entered_node_at: 1,
    last_turn_at: 1,
    ...at,
  })
  await add(part('enrollment_steps'), { enrollment_id: id, n: 1, created_at: 1 })
  await add(part('enrollment_calls'), { enrollment_id: id, step: 1 })
  await add(part('enrollment_reports'), { enrollment_id: id, n: 1, body: '{}' })
  const document = { kind: 'txt', mime: 'text/plain', size_bytes: 3, status: 'ready' }
  await add(part('space_documents'), { id, ...document, progressed_at: 1, ...at })
  await add(part('space_chunks'), { document_id: id, n: 0 })
  await add(part('space_indexes'), { document_id: id, part: 0 })
  const event = JSON.stringify({ type: 'reminder', id, text: label, due_at: '2026-11-21' })
  await add(part('events'), {
    type: 'reminder',
    ref: id,
    body_sealed: event,
    created_at: Date.now(),
    heard: 0,
  })
  await add(part('facts'), { name: `stateless ${label}-s0`, value: 'true' })
}

/** What a space's key has opened at a place: every world of this file has the same two spaces, hence the same keys. */
const opened = new Map<string, string>()

/**
 * Everything opened, by table and key: what cannot be opened throws. Ids of events are the space's own. Of each table the
 * first row is always opened, which shows that this space has the key; the others, which a hundred worlds share, once.
 */
async function contentOf(core: SpaceCore, side: Side): Promise<Map<string, unknown>> {
  const keys = (await core.keys()) as SpaceKeys
  const content = new Map<string, unknown>()
  for (const part of MOVABLE_PARTS) {
    const rows = core.storage.sql.exec<PartRow>(
      `SELECT * FROM ${part.table} ${part.only ? `WHERE ${part.only}` : ''}`,
    )
    let isFirst = true
    for (const row of rows) {
      const name = part.sealedRow(row)
      const open: PartRow = { ...row, ...(part.table === 'events' ? { id: 0, heard: 0 } : {}) }
      for (const sealed of part.sealed) {
        const value = row[sealed.column]
        if (typeof value !== 'string' && !(value instanceof ArrayBuffer)) continue
        const bytes = typeof value === 'string' ? value : Buffer.from(value).toString('base64')
        const place = JSON.stringify([side, part.table, sealed.name, name, typeof value, bytes])
        const known = isFirst ? undefined : opened.get(place)
        const text =
          known ??
          (typeof value === 'string'
            ? await keys.open(part.table, sealed.name, name, value)
            : new TextDecoder().decode(
                await keys.openBlob(part.table, sealed.name, name, new Uint8Array(value)),
              ))
        opened.set(place, text)
        open[sealed.column] = text
      }
      isFirst = false
      if (part.wrappedKey) {
        const key = String(row[part.wrappedKey])
        open[part.wrappedKey] = await keys.moveAttachmentKey(keys, name, key).then(() => 'opens')
      }
      const key = part.table === 'events' ? row.ref : part.key.map((column) => row[column])
      content.set(`${part.table} ${JSON.stringify(key)}`, open)
    }
  }
  return content
}

describe('a merge that is cut off', () => {
  /** Two filled spaces, of which each test gets a copy, and what is in them. */
  let filled: World
  let content: Record<Side, Map<string, unknown>>
  // What is cut off says so, a hundred times.
  const silence = vi.spyOn(console, 'error').mockImplementation(() => {})
  afterAll(() => silence.mockRestore())
  beforeAll(async () => {
    const master = await importMasterKeys(parseKeyring(SECRETS.MASTER_KEYS, 'MASTER_KEYS'))
    const tenant = await newTenantKey(master, TENANT)
    const user = await newUserKey(tenant.key, USER)
    filled = new World({ tenant: tenant.wrapped, user: user.wrapped })
    const { source, target } = await enter(filled)
    await fill(source.core, 'source')
    await fill(target.core, 'target')
    content = {
      source: await contentOf(source.core, 'source'),
      target: await contentOf(target.core, 'target'),
    }
  })

  /** The objects of a world, each asked once. */
  async function enter(world: World): Promise<Objects> {
    const objects = world.start()
    await openAll(objects)
    for (const side of ['source', 'target'] as const)
      expect((await objects[side].core.as(world.caller(side), 'write')).ok).toBe(true)
    return objects
  }

  async function prepare() {
    const world = filled.copy()
    const objects = await enter(world)
    const before = { source: new Map(content.source), target: new Map(content.target) }
    world.steps = 0
    const merge = () => objects.source.departure.begin(world.caller('source'), SPACES.target)
    return { world, objects, before, merge }
  }

  /** Lets the alarm look after what is left until nothing is. */
  async function settle({ source }: Objects): Promise<void> {
    for (let n = 0; n < 5 && source.core.freeze.isFrozen; n++)
      await source.departure.lookAfter().catch(() => {})
    expect(source.core.freeze.isFrozen).toBe(false)
  }

  /** Ids of the source, and of what had gone over to it before, lead to where they are, whatever the merge has come to. */
  async function expectFound(world: World, objects: Objects): Promise<void> {
    const db = openPrimary(nodeD1(world.d1))
    for (const tag of [SPACES.source.tag, EARLIER_TAG]) {
      const space = await readSpaceOfTag(db, TENANT, tag)
      const side = space?.id
      if (side !== 'source' && side !== 'target') throw new Error(`Tag ${tag} leads nowhere`)
      const { core } = objects[side]
      const isThere = world.d1.prepare("SELECT 1 FROM spaces WHERE id = 'source'").all().length > 0
      const leaves = side === 'source' && !isThere
      expect(space?.home).toEqual(leaves ? { id: 'target', isDefault: true } : undefined)
      const home = core.freeze.movedTo ? objects.target.core : core
      const found = home.storage.sql.exec("SELECT id FROM sessions WHERE id = 'source-s0'")
      expect(found.toArray()).toHaveLength(1)
    }
  }

  /** @returns whether the merge came about: one or the other, never anything between. */
  async function judge(
    world: World,
    objects: Objects,
    before: Awaited<ReturnType<typeof prepare>>['before'],
  ): Promise<boolean> {
    const { source, target } = objects
    const sql = target.core.storage.sql
    expect(sql.exec('SELECT 1 FROM staged').toArray()).toEqual([])
    const spaces = world.d1.prepare('SELECT id FROM spaces').all().length
    const now = {
      source: await contentOf(source.core, 'source'),
      target: await contentOf(target.core, 'target'),
    }
    if (source.core.freeze.movedTo === null) {
      expect(now).toEqual(before)
      expect(spaces).toBe(2)
      expect((await source.core.as(world.caller('source'), 'write')).ok).toBe(true)
      return false
    }
    expect(spaces).toBe(1)
    expect(world.d1.prepare('SELECT space_id FROM space_tags WHERE tag = 11').get()).toEqual({
      space_id: 'target',
    })
    expect(now.source.size).toBe(0)
    const expected = new Map([...before.source, ...before.target])
    const session = expected.get('sessions ["source-s0"]') as PartRow
    expected.set('sessions ["source-s0"]', { ...session, alias: null })
    expected.set('remembered ["desk"]', {
      agent_name: 'desk',
      body_sealed: 'target remembered.body_sealed source remembered.body_sealed',
      updated_at: 1,
    })
    // A person goes through a storyline once at a time.
    const enrollment = expected.get('enrollments ["source-1"]') as PartRow
    const over = { status: 'exited', due_at: null, unreported: 1 }
    expected.set('enrollments ["source-1"]', { ...enrollment, ...over })
    expect(now.target).toEqual(expected)
    expect(await source.core.as(world.caller('source'), 'write')).toEqual({
      ok: false,
      refusal: { reason: 'moved', to: SPACES.target },
    })
    return true
  }

  it('is whole when nothing goes wrong, and leaves no note of itself', async () => {
    const { world, objects, before, merge } = await prepare()
    expect(await merge()).toEqual({ ok: true, value: null })
    expect(await judge(world, objects, before)).toBe(true)
    expect(world.d1.prepare('SELECT * FROM space_merges').all()).toEqual([])
    const again = world.start()
    await openAll(again)
    expect(await judge(world, again, before)).toBe(true)
  })

  it.each(['crash', 'error'] as const)(
    'by a %s at any step is rolled back or carried through',
    { timeout: 120_000 },
    async (mode) => {
      const verdicts: boolean[] = []
      for (let failAt = 1; ; failAt++) {
        const { world, objects, before, merge } = await prepare()
        Object.assign(world, { failAt, mode })
        const outcome = await merge().catch(() => null)
        if (world.steps < failAt) {
          expect(outcome).toEqual({ ok: true, value: null })
          break
        }
        const after = mode === 'crash' ? world.start() : objects
        if (mode === 'crash') await openAll(after)
        await expectFound(world, after)
        await settle(after)
        await expectFound(world, after)
        verdicts.push(await judge(world, after, before))
        if (mode === 'error' && outcome) expect(outcome.ok).toBe(verdicts.at(-1))
      }
      // First everything is undone, from the commit on nothing is.
      expect(verdicts.length).toBeGreaterThan(20)
      expect(verdicts).toEqual(verdicts.toSorted((a, b) => Number(a) - Number(b)))
      expect(verdicts.at(0)).toBe(false)
      expect(verdicts.at(-1)).toBe(true)
    },
  )

  it('is rolled back or carried through when the repair is cut off too', {
    timeout: 120_000,
  }, async () => {
    for (const first of [8, 20, 26, 29]) {
      for (let second = 1; second <= 8; second++) {
        const { world, objects, before, merge } = await prepare()
        world.failAt = first
        await merge().catch(() => null)
        expect(objects.source.core.freeze.isFrozen || world.steps < first).toBe(true)
        const repair = world.start()
        await openAll(repair)
        world.failAt = world.steps + second
        await repair.source.departure.lookAfter().catch(() => {})
        const last = world.start()
        await openAll(last)
        world.failAt = Number.POSITIVE_INFINITY
        await settle(last)
        await judge(world, last, before)
      }
    }
  })

  it('does not touch a space that is part of another merge', async () => {
    const { world, objects, before, merge } = await prepare()
    world.d1
      .prepare(
        "INSERT INTO space_merges VALUES ('other', ?, ?, 'third', 'source', 'staging', 1, NULL)",
      )
      .run(TENANT, USER)
    expect(await merge()).toEqual({ ok: false, refusal: { reason: 'merging' } })
    expect(await judge(world, objects, before)).toBe(false)
  })

  it('waits for a change under way, and takes it along', async () => {
    const { world, objects, before, merge } = await prepare()
    const { core } = objects.source
    let finish = () => {}
    const change = core.freeze.during(async () => {
      await new Promise<void>((resume) => {
        finish = resume
      })
      core.stores.facts.set('stateless late', 'true')
    })
    const merging = merge()
    await waitFor(async () => {
      const answer = await core.as(world.caller('source'), 'write')
      return !answer.ok && answer.refusal.reason === 'merging' ? true : null
    })
    expect((await core.as(world.caller('source'), 'read')).ok).toBe(true)
    finish()
    await change
    expect((await merging).ok).toBe(true)
    before.source.set('facts ["stateless late"]', { name: 'stateless late', value: 'true' })
    expect(await judge(world, objects, before)).toBe(true)
  })
})
