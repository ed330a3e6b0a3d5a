import { describe, expect, it } from 'vitest'
import { PAGES } from '../../../../../src/config/limits'
import { merge } from '../../../../../src/web/chat/again/merge'
import type { Entry } from '../../../../../src/web/chat/model/chat'
import {
  entriesOfMessages,
  keepBeginning,
  PAGE,
} from '../../../../../src/web/chat/net/listed-messages'

/** Messages of a conversation: odd ones are questions, even ones answers. */
const items = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, n) => ({
    id: `m${from + n}`,
    role: (from + n) % 2 === 1 ? 'user' : 'assistant',
    content: `Text ${from + n}`,
    status: 'complete',
    created_at: '2026-11-22T10:00:00.000Z',
  }))

const listed = (from: number, to: number): Entry[] => entriesOfMessages(items(from, to)) ?? []

describe('entriesOfMessages', () => {
  it('a message that does not open keeps its place as a quiet line', () => {
    const at = '2026-11-22T10:00:00.000Z'
    const entries = entriesOfMessages([
      { id: 'a', role: 'user', content: 'Hello', status: 'complete', created_at: at },
      { id: 'b', role: 'assistant', content: null, status: 'unreadable', created_at: at },
      { id: 'c', role: 'user', content: null, status: 'unreadable', created_at: at },
      { id: 'd', role: 'assistant', content: 'Hi', status: 'complete', created_at: at },
    ])
    expect(entries).toMatchObject([
      { kind: 'user', text: 'Hello' },
      { kind: 'note', key: 'b', note: 'unreadable' },
      { kind: 'note', key: 'c', note: 'unreadable' },
      { kind: 'reply', text: 'Hi' },
    ])
  })

  it('is null for what is no list', () => {
    expect(entriesOfMessages({ detail: 'no' })).toBeNull()
  })

  it('says of a whole page that there may be more before it', () => {
    expect(PAGE).toBe(PAGES.messages.default)
    expect(listed(1, 200)[0]).toMatchObject({ kind: 'note', note: 'earlier', first: 'm1' })
    expect(listed(1, 200)).toHaveLength(201)
    expect(listed(1, 199)[0]).toMatchObject({ kind: 'user', key: 'm1' })
  })
})

describe('keepBeginning', () => {
  it('keeps what was read of a beginning that the list no longer has', () => {
    const shown = [...listed(1, 150), ...listed(151, 350).slice(1)]
    const [beginning, rest] = keepBeginning(shown, listed(153, 352))
    expect(beginning).toEqual(listed(1, 152))
    expect(rest).toEqual(listed(153, 352).slice(1))
  })

  it('knows a question that was asked on this page by its answer', () => {
    const asked = listed(1, 10).map(
      (entry): Entry =>
        (entry.kind === 'user' ? { ...entry, key: 'k', messageId: undefined } : entry) as Entry,
    )
    const [beginning] = keepBeginning([...asked, ...listed(11, 204)], listed(5, 204))
    expect(beginning).toEqual(asked.slice(0, 4))
  })

  it('keeps the note while it stands first', () => {
    const [beginning, rest] = keepBeginning(listed(1, 200), listed(1, 200))
    expect([...beginning, ...rest]).toEqual(listed(1, 200))
    expect(keepBeginning(listed(101, 200), listed(1, 200))).toEqual([[], listed(1, 200)])
  })

  it('keeps nothing where the list is the whole conversation, or another one', () => {
    expect(keepBeginning(listed(1, 20), listed(3, 20))).toEqual([[], listed(3, 20)])
    expect(keepBeginning(listed(1, 20), listed(300, 499))).toEqual([[], listed(300, 499)])
  })
})

describe('merge', () => {
  it('shows nothing twice, below what was read of the beginning', () => {
    const shown = [...listed(1, 150), ...listed(151, 350).slice(1)]
    expect(merge(shown, listed(151, 350)).map(({ key }) => key)).toEqual(
      listed(1, 350)
        .map(({ key }) => key)
        .slice(1),
    )
    const unreadable = { id: 'x', role: 'user', content: null, status: 'unreadable' }
    const all = entriesOfMessages([...items(1, 4), unreadable, ...items(5, 6)]) ?? []
    expect(merge(all, all).map(({ key }) => key)).toEqual(all.map(({ key }) => key))
  })
})
