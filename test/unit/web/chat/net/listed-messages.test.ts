import { describe, expect, it } from 'vitest'
import { entriesOfMessages } from '../../../../../src/web/chat/net/listed-messages'

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
})
