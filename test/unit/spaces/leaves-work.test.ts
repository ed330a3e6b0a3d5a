import { describe, expect, it } from 'vitest'
import type { SpaceCore } from '../../../durable-objects/user-space/core/space-core'
import type { SessionRow } from '../../../durable-objects/user-space/sessions/session-row'
import { leavesWork } from '../../../durable-objects/user-space/turns/leaves-work'
import type { LiveOutcome } from '../../../durable-objects/user-space/turns/run-live-turn'
import { KnownMessage } from '../../../src/chat/known-message'
import type { TurnRequest } from '../../../src/chat/turn'

interface Case {
  session?: Partial<SessionRow> | null
  message?: string
  outcome?: Partial<LiveOutcome['outcome']>
  status?: LiveOutcome['status']
  listens?: boolean | null
  remembers?: boolean
  /** Messages that are in no summary, without the reply. */
  open?: number
  window?: number
  /** A job of the session is still to be done. */
  followed?: boolean
}

/** A plain turn in a session that has its title, and what is different about it. */
function leaves(given: Case): boolean {
  const { session = {}, open = 3, window = 20 } = given
  const row = {
    id: 'session',
    title_sealed: 'sealed',
    title_by_user: 0,
    title_embedder: null,
    message_count: 4,
    summary_upto: null,
    ...session,
  } as SessionRow
  const core = {
    env: {},
    privacy: false,
    remembers: () => given.remembers ?? true,
    stores: {
      messages: {
        countAfter: (_id: string, _after: string | null, most: number) => Math.min(open, most),
      },
    },
  } as unknown as SpaceCore
  const request = {
    message: given.message ?? 'When are refunds paid?',
    agent: { config: { history_window: window } },
  } as TurnRequest
  const outcome = { finishReason: 'stop', unsourced: [], ...given.outcome }
  const result = { outcome, status: given.status ?? 'complete' } as LiveOutcome
  return leavesWork(
    core,
    session === null ? undefined : row,
    { request, known: new KnownMessage(request.message, []) },
    result,
    given.listens === undefined ? false : given.listens,
    given.followed ?? false,
  )
}

describe('a turn leaves work for a job', () => {
  it('not, when it is a plain turn of a session that has its title', () => {
    expect(leaves({})).toBe(false)
    expect(leaves({ session: { title_sealed: null, title_by_user: 1 } })).toBe(false)
    expect(leaves({ status: 'failed', outcome: { unsourced: ['x'] } })).toBe(false)
    expect(leaves({ session: null })).toBe(false)
  })

  it.each<[string, Case]>([
    ['a webhook waits for turns', { listens: true }],
    ['the session is new', { session: { message_count: 0 } }],
    ['the session has no title', { session: { title_sealed: null } }],
    ['messages leave the history', { open: 23 }],
    ['the user tells of themselves', { message: 'My name is Ada and I live in Bath.' }],
    ['nothing was found', { outcome: { finishReason: 'no_match' } }],
    ['a sentence had no source', { outcome: { unsourced: ['x'] } }],
  ])('when %s', (_, given) => {
    expect(leaves(given)).toBe(true)
  })

  it('not for a message that is not learnt from, nor for a history that is not kept', () => {
    const message = 'My name is Ada and I live in Bath.'
    expect(leaves({ message, remembers: false })).toBe(false)
    expect(leaves({ message, outcome: { finishReason: 'guard' } })).toBe(false)
    expect(leaves({ open: 22 })).toBe(false)
    expect(leaves({ open: 40, window: 0 })).toBe(false)
  })

  it('not for a title or summary that the job of an earlier turn makes, but for what is its own', () => {
    const followed = true
    expect(leaves({ followed, session: { title_sealed: null } })).toBe(false)
    expect(leaves({ followed, open: 23 })).toBe(false)
    expect(leaves({ followed, listens: true })).toBe(true)
    expect(leaves({ followed, listens: null })).toBe(true)
    expect(leaves({ followed, session: { message_count: 0 } })).toBe(true)
    expect(leaves({ followed, message: 'My name is Ada and I live in Bath.' })).toBe(true)
    expect(leaves({ followed, outcome: { unsourced: ['x'] } })).toBe(true)
  })

  it('when nobody knows whether a webhook waits', () => {
    expect(leaves({ listens: null })).toBe(true)
  })
})
