import { describe, expect, it } from 'vitest'
import { askForm, takeForm } from '../../../src/chat/asking/ask-form'
import type { PendingForm } from '../../../src/chat/asking/asked'
import { readForm } from '../../../src/chat/asking/read-form'
import { LANGUAGES } from '../../../src/config/names'
import { readValue } from '../../../src/storylines/read-answer'
import type { Form } from '../../../src/storylines/speak'

const NOW = Date.UTC(2026, 10, 22)
const reader = { readValue, isElse: (message: string) => /[?？؟]\s*$/u.test(message) }

const formOf = (asked: unknown): Form => {
  const form = readForm(asked)
  if (typeof form === 'string') throw new Error(form)
  return form
}
const FORM = formOf({
  title: 'Booking',
  fields: [
    { label: 'Name', type: 'text' },
    { label: 'E-mail:', type: 'email' },
    { label: 'Guests', type: 'number' },
    { label: 'Room', type: 'select', options: ['Single', 'Double'] },
    { label: 'Extras', type: 'multiselect', options: ['Breakfast', 'Parking'], required: false },
    { label: 'Note', type: 'textarea', required: false },
  ],
})
const open = (whole: boolean, lang: PendingForm['lang'] = 'en', form = FORM) =>
  askForm(form, { question: 'Book a room', lang, now: NOW }, whole)
const whole = () => {
  const { pending, form } = open(true)
  return { pending: pending as PendingForm, form }
}
const take = (message: string, pending: PendingForm, whole: boolean, now = NOW) =>
  takeForm(message, pending, reader, now, whole)
const FILLED = 'Name: Ann: Lee\nE-mail: ann@shop.example\nGuests: 2\nRoom: double'

describe('a form that a model asks for', () => {
  it('has at most eight fields, each with its own label, whatever was asked for', () => {
    const fields = Array.from({ length: 40 }, (_, n) => ({ label: `Field ${n}`, type: 'text' }))
    expect(formOf({ fields }).fields).toHaveLength(8)
    const odd = [
      { label: 'A', type: 'rocket' },
      { label: 'a ', type: 'text' },
      { label: 3 },
      null,
      { label: 'Pick', type: 'select', options: [] },
      { label: 'B\n\u0007: C', type: 'date', required: 'yes', options: ['x'] },
    ]
    expect(formOf({ title: 7, fields: odd })).toEqual({
      title: '',
      fields: [
        { name: 'field_1', label: 'A', type: 'text', required: true },
        { name: 'field_2', label: 'Pick', type: 'text', required: true },
        { name: 'field_3', label: 'B C', type: 'date', required: true },
      ],
    })
  })

  it.each([null, 'x', 7, [[]], {}, { fields: {} }, { fields: [] }, { fields: [{ type: 'text' }] }])(
    'is none where the arguments are %j',
    (asked) => {
      expect(readForm(asked)).toBeTypeOf('string')
    },
  )

  it.each([
    'Your password',
    'PIN',
    'CVV',
    'Credit card number',
    'Card number',
    '密码',
    '信用卡卡号',
    '驗證碼',
    'Contraseña',
    'Número de tarjeta',
    'Пароль',
    'Номер банковской карты',
    'Mot de passe',
    'Numéro de carte bancaire',
    'كلمة المرور',
    'رقم البطاقة',
    'بطاقة ائتمان',
    'ＰＡＳＳＷＯＲＤ',
  ])('never asks for %s', (label) => {
    expect(readForm({ title: 'x', fields: [{ label, type: 'text' }] })).toMatch(/password/)
    expect(readForm({ title: label, fields: [{ label: 'Value', type: 'text' }] })).toMatch(
      /password/,
    )
  })

  it('may ask for what only sounds alike', () => {
    for (const label of [
      'Compass',
      'Pinned note',
      'Business card text',
      'Carte du menu',
      'Картина',
    ])
      expect(readForm({ title: '', fields: [{ label, type: 'text' }] }), label).toBeTypeOf('object')
  })

  it('holds no link', () => {
    const fields = [{ label: 'See https://evil.example', type: 'text' }]
    expect(readForm({ title: '', fields })).toMatch(/link/)
  })
})

describe('the lines of a form', () => {
  it('come as they were filled in, read by their types', () => {
    const { pending, form } = whole()
    expect(form).toEqual(FORM)
    const more = 'Extras: parking, Breakfast\nNote: late\nafter nine'
    expect(take(`${FILLED}\n${more}`, pending, true)).toEqual({
      lines:
        'Name: Ann: Lee\nE-mail: ann@shop.example\nGuests: 2\nRoom: Double\nExtras: Parking, Breakfast\nNote: late\nafter nine',
    })
  })

  it('are asked for again where they are missing or cannot be read, and only those', () => {
    const { pending } = whole()
    const taken = take('Name: Ann\nE-mail: at home\nRoom: Castle\nExtras: Sauna', pending, true)
    if (!taken || !('asked' in taken)) throw new Error('nothing is asked')
    expect(taken.asked.question).toBe('Please check: E-mail, Guests, Room, Extras')
    const labels = taken.asked.form?.fields.map(({ label }) => label)
    expect(labels).toEqual(['E-mail', 'Guests', 'Room', 'Extras'])
    const rest = 'E-mail: a@b.example\nGuests: 3\nRoom: Single'
    expect(take(rest, taken.asked.pending as PendingForm, true)).toEqual({
      lines: 'Name: Ann\nE-mail: a@b.example\nGuests: 3\nRoom: Single',
    })
  })

  it('that are none leave the form', () => {
    const { pending } = whole()
    for (const message of ['What does a room cost?', 'Ann', 'Weather: fine', ''])
      expect(take(message, pending, true), message).toBeNull()
  })
})

describe('a form where none can be shown', () => {
  it('is asked for one by one, with what can be picked', () => {
    const first = open(false)
    expect(first).toMatchObject({ question: 'Booking\n\nName?', form: null, clarify: null })
    let { pending } = first as { pending: PendingForm }
    const said: string[] = []
    for (const answer of ['Ann', 'ann@shop.example', 'two', 'single', 'Skip']) {
      const taken = take(answer, pending, false)
      if (!taken || !('asked' in taken)) throw new Error(answer)
      pending = taken.asked.pending as PendingForm
      const options = taken.asked.clarify?.options.map(({ label }) => label) ?? []
      said.push([taken.asked.question, ...options].join(' | '))
    }
    expect(said).toEqual([
      'E-mail?',
      'Guests?',
      'Room? | Single | Double',
      'Extras? | Breakfast | Parking | Skip',
      'Note? | Skip',
    ])
    expect(take('Nothing', pending, false)).toEqual({
      lines: 'Name: Ann\nE-mail: ann@shop.example\nGuests: 2\nRoom: Single\nNote: Nothing',
    })
  })

  it('asks once more for what was meant as an answer, then lets go', () => {
    const named = take('Ann', open(false).pending as PendingForm, false)
    if (!named || !('asked' in named)) throw new Error('nothing is asked')
    const again = take('ann@home', named.asked.pending as PendingForm, false)
    if (!again || !('asked' in again)) throw new Error('nothing is asked')
    expect(again.asked.question).toMatch(/^Sorry.*\n\nE-mail\?$/su)
    expect(take('ann@home', again.asked.pending as PendingForm, false)).toBeNull()
  })

  it('is left by a question, and after an hour', () => {
    const pending = open(false).pending as PendingForm
    expect(take('What does a room cost?', pending, false)).toBeNull()
    expect(take('Ann', pending, false, NOW + 3_700_000)).toBeNull()
  })

  it.each(LANGUAGES)('speaks %s', (lang) => {
    const form = formOf({ fields: [{ label: 'Oui', type: 'boolean', required: false }] })
    const { question, clarify, pending } = open(false, lang, form)
    expect(question).toMatch(/\n\n.*Oui/su)
    const [yes, no, skip] = clarify?.options ?? []
    expect(new Set([yes?.label, no?.label, skip?.label]).size).toBe(3)
    expect(take(yes?.value ?? '', pending as PendingForm, false)).toEqual({
      lines: `Oui: ${yes?.value}`,
    })
    expect(take(skip?.value ?? '', pending as PendingForm, false)).toEqual({ lines: '' })
  })
})
