import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { beforeEach, describe, expect, it } from 'vitest'
import { SPACE_MIGRATIONS } from '../../../durable-objects/user-space/core/schema'
import { SessionStore } from '../../../durable-objects/user-space/sessions/session-store'
import { TurnStore } from '../../../durable-objects/user-space/turns/turn-store'

let db: DatabaseSync
let sql: SqlStorage
/** What was written, by the beginnings of its statements. */
let written: string[]

beforeEach(() => {
  db = new DatabaseSync(':memory:')
  written = []
  sql = {
    exec(text: string, ...values: SQLInputValue[]) {
      const rows = db.prepare(text).all(...values)
      if (!text.startsWith('SELECT')) written.push(text.slice(0, 30))
      return Object.assign(rows, { toArray: () => rows, one: () => rows[0] })
    },
  } as unknown as SqlStorage
})

const migrate = (from = 0, to = SPACE_MIGRATIONS.length) => {
  for (const step of SPACE_MIGRATIONS.slice(from, to)) db.exec(step)
}

describe('the order of sessions', () => {
  const agent = { agentId: 'a', agentName: 'desk' }
  const turn = (now: number) => ({ ...agent, now, outbox: '[]' })
  const add = (sessions: SessionStore, id: string, now: number) =>
    sessions.add({ id, ...agent, channel: 'web', alias: null, now })
  const pages = (sessions: SessionStore, size: number) => {
    const ids: string[] = []
    for (let after: { updatedAt: number; id: string } | null = null; ; ) {
      const page = sessions.list(after, size)
      const last = page.at(-1)
      if (!last) return ids
      ids.push(...page.map(({ id }) => id))
      after = { updatedAt: last.updated_at, id: last.id }
    }
  }

  it('is that of their last change, on every page, whoever goes on and when', () => {
    migrate()
    const sessions = new SessionStore(sql)
    const changed = new Map<string, number>()
    const ids = ['s1', 's2', 's3', 's4', 's5']
    for (const [n, id] of ids.entries()) {
      add(sessions, id, n)
      changed.set(id, n)
    }
    let seed = 7
    for (let now = 5; now < 300; now++) {
      seed = (seed * 48_271) % 2_147_483_647
      // Some go on for long, some change within one millisecond.
      const id = ids[seed % ids.length] ?? ''
      const at = seed % 3 === 0 ? Math.max(...changed.values()) : now
      if (seed % 2 === 0) sessions.closeTurn(id, turn(at))
      else sessions.countMessage(id, at)
      changed.set(id, at)
      const expected = [...changed]
        .sort(([a, x], [b, y]) => y - x || (a < b ? 1 : -1))
        .map(([one]) => one)
      for (const size of [1, 2, 5])
        expect([now, size, pages(sessions, size)]).toEqual([now, size, expected])
    }
  })

  it('writes no index while the newest one goes on', () => {
    migrate()
    const sessions = new SessionStore(sql)
    add(sessions, 'old', 1)
    add(sessions, 'new', 2)
    written = []
    sessions.closeTurn('new', turn(3))
    expect(written).toHaveLength(1)
    sessions.closeTurn('old', turn(4))
    expect(written).toHaveLength(3)
  })
})

describe('the rows of turns', () => {
  const turn = (id: string, session = 's') => ({
    id,
    session_id: session,
    user_message_id: `${id}-question`,
    agent_id: 'a',
    agent_name: 'desk',
    started_at: 1,
    replaces: null,
  })
  const open = (turns: TurnStore) => turns.all().map(({ id }) => id)
  const rows = () => db.prepare('SELECT id, over FROM turn_slots').all()

  it('are one for each that runs at once; one that is over gives its place', () => {
    migrate()
    const turns = new TurnStore(sql)
    turns.begin(turn('one'))
    turns.begin(turn('two', 't'))
    expect(open(turns)).toEqual(['one', 'two'])
    turns.end('one')
    expect(open(turns)).toEqual(['two'])
    turns.begin(turn('three'))
    expect(rows()).toHaveLength(2)
    expect(open(turns).toSorted()).toEqual(['three', 'two'])
    expect(written).toHaveLength(3)
  })

  it('are open again after a crash, unless the alarm wrote down that they are over', () => {
    migrate()
    const turns = new TurnStore(sql)
    turns.begin(turn('one'))
    turns.end('one')
    expect(open(new TurnStore(sql))).toEqual(['one'])
    turns.noteEnded()
    expect(open(new TurnStore(sql))).toEqual([])
    turns.begin(turn('two'))
    expect(open(new TurnStore(sql))).toEqual(['two'])
    expect(rows()).toHaveLength(1)
  })

  it('of a session that is removed are over', () => {
    migrate()
    const turns = new TurnStore(sql)
    turns.begin(turn('one'))
    turns.begin(turn('two', 't'))
    turns.forgetSession('s')
    expect(open(new TurnStore(sql))).toEqual(['two'])
  })

  it('of an object that was stored before come over with what they left', () => {
    const steps = SPACE_MIGRATIONS.findIndex((step) => step.includes('turn_slots'))
    migrate(0, steps)
    db.exec(`INSERT INTO sessions (id, agent_id, agent_name, channel, created_at, updated_at) VALUES ('s', 'a', 'desk', 'web', 1, 9);
      INSERT INTO turns (id, session_id, user_message_id, agent_id, agent_name, started_at, outbox)
      VALUES ('ended', 's', 'q1', 'a', 'desk', 1, '{"settle":[],"jobs":[]}'), ('running', 's', 'q2', 'a', 'desk', 2, NULL)`)
    migrate(steps)
    expect(open(new TurnStore(sql)).toSorted()).toEqual(['ended', 'running'])
    const session = new SessionStore(sql).get('s')
    expect(JSON.parse(session?.outbox ?? '')).toEqual([{ settle: [], jobs: [], turn: 'ended' }])
    expect(session?.ranked_at).toBe(9)
  })
})
