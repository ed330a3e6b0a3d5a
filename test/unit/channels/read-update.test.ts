import { describe, expect, it } from 'vitest'
import { newBindCode, readBindCode } from '../../../src/channels/codes'
import { readUpdate } from '../../../src/channels/telegram/read-update'

const update = (message: Record<string, unknown>) => ({
  update_id: 7,
  message: {
    chat: { id: 5, type: 'private' },
    from: { id: 5, is_bot: false, language_code: 'es-MX' },
    ...message,
  },
})
const BASE = { chat: '5', lang: 'es' }

describe('an update of the Bot API', () => {
  it.each([
    [{ text: ' Hola ' }, { kind: 'message', ...BASE, seq: 7, text: 'Hola', images: [] }],
    [{ text: '/start ABCD-1' }, { kind: 'start', ...BASE, code: 'ABCD-1' }],
    [{ text: '/start@desk_bot' }, { kind: 'start', ...BASE, code: '' }],
    [{ text: '/stop' }, { kind: 'unlink', ...BASE }],
    [{ text: '/new' }, { kind: 'new', ...BASE }],
    [{ text: '/help me' }, { kind: 'help', ...BASE }],
    [
      { text: '/starting over' },
      { kind: 'message', ...BASE, seq: 7, text: '/starting over', images: [] },
    ],
    [{ sticker: {} }, { kind: 'unreadable', ...BASE }],
    [{ document: { file_id: 'd', mime_type: 'application/pdf' } }, { kind: 'unreadable', ...BASE }],
    [
      {
        caption: 'Sum this up',
        document: { file_id: 'd', mime_type: 'application/pdf' },
      },
      { kind: 'unreadable', ...BASE },
    ],
    [
      { caption: 'Listen', voice: { file_id: 'v' } },
      {
        kind: 'message',
        ...BASE,
        seq: 7,
        text: 'Listen',
        images: [],
        voice: { id: 'v', size: null },
      },
    ],
    [
      { caption: 'Listen', voice: {} },
      { kind: 'unreadable', ...BASE },
    ],
    [
      { caption: 'What is shown?', video: { file_id: 'v' } },
      { kind: 'unreadable', ...BASE },
    ],
    [
      { caption: '/stop', voice: { file_id: 'v' } },
      { kind: 'unlink', ...BASE },
    ],
    [
      { caption: 'What?', photo: [{ file_id: 'small' }, { file_id: 'large', file_size: 9 }] },
      { kind: 'message', ...BASE, seq: 7, text: 'What?', images: [{ id: 'large', size: 9 }] },
    ],
    [
      { document: { file_id: 'd', mime_type: 'image/png' } },
      { kind: 'message', ...BASE, seq: 7, text: '', images: [{ id: 'd', size: null }] },
    ],
  ])('%j', (message, inbound) => {
    expect(readUpdate(update(message))).toEqual(inbound)
  })

  it('hears that it was shut out', () => {
    const membership = (status: string, type = 'private') => ({
      update_id: 8,
      my_chat_member: { chat: { id: 5, type }, new_chat_member: { status } },
    })
    expect(readUpdate(membership('kicked'))).toEqual({ kind: 'blocked', chat: '5' })
    expect(readUpdate(membership('member'))).toBeNull()
    expect(readUpdate(membership('kicked', 'group'))).toBeNull()
  })

  it.each([
    [null],
    ['text'],
    [[]],
    [{}],
    [{ update_id: 'x', message: {} }],
    [{ update_id: 1 }],
    [update({ chat: { id: 5, type: 'group' }, text: 'x' })],
    [update({ chat: { id: '5; DROP', type: 'private' }, text: 'x' })],
    [update({ from: { is_bot: true }, text: 'x' })],
    [update({ pinned_message: { message_id: 1, text: 'x' } })],
    [update({ message_auto_delete_timer_changed: { message_auto_delete_time: 86_400 } })],
    [{ update_id: 1, edited_message: { text: 'x' } }],
  ])('leaves %j alone', (body) => {
    expect(readUpdate(body)).toBeNull()
  })
})

describe('a code', () => {
  it('has 80 random bits and forgives how it is typed', () => {
    const code = newBindCode()
    expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}(?:-[0-9A-HJKMNP-TV-Z]{4}){3}$/)
    expect(newBindCode()).not.toBe(code)
    expect(readBindCode(` ${code.toLowerCase().replaceAll('-', ' ')} `)).toBe(
      code.replaceAll('-', ''),
    )
    expect(readBindCode('OIL0-0000-0000-0000')).toBe('0110000000000000')
    expect(readBindCode('hello there, friend')).toBeNull()
  })
})
