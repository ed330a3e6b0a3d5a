import { expect, it } from 'vitest'
import type { Graph } from '../../../../../src/storylines/graph'
import { readSlots } from '../../../../../src/storylines/slots'
import { renameSlotIn } from '../../../../../src/web/console/storylines/model/rename-slot'
import {
  addSlot,
  choicesText,
  FORMATS,
  renameSlot,
  SLOT_TYPES,
  setChoices,
  setSlotType,
  slotsOf,
  typedValue,
  writeSlots,
} from '../../../../../src/web/console/storylines/model/slots'
import intake from '../../../../fixtures/storylines/customer-intake.json'

it('reads and writes the slots of a storyline', () => {
  const slots = slotsOf(intake.profile_schema)
  expect(writeSlots(slots)).toEqual(intake.profile_schema)
  const { slots: more, key } = addSlot(slots, 'email')
  expect(key).toBe('email_2')
  expect(Object.keys(renameSlot(more, 'email_2', 'mail')).at(-1)).toBe('mail')
})

it('keeps with every type and format what the server takes', () => {
  const full = {
    type: 'string' as const,
    title: 'T',
    minLength: 1,
    maxLength: 9,
    format: 'country',
    enum: ['DE'],
    default: 'DE',
  }
  for (const type of SLOT_TYPES) {
    const slot = setSlotType(full, type)
    expect(readSlots({ properties: { slot } }).problems).toEqual([])
  }
  expect(setSlotType({ type: 'string', enum: ['1', '2'] }, 'integer').enum).toEqual([1, 2])
  expect(
    setSlotType({ type: 'number', oneOf: [{ const: 1.5, title: 'A' }] }, 'integer').oneOf,
  ).toBe(undefined)
  for (const format of FORMATS)
    expect(readSlots({ properties: { a: { type: 'string', format } } }).problems).toEqual([])
})

it('writes choices as lines', () => {
  const need = slotsOf(intake.profile_schema).need ?? {}
  expect(setChoices(need, choicesText(need))).toEqual(need)
  expect(setChoices({ type: 'integer' }, '1\n2\n')).toEqual({ type: 'integer', enum: [1, 2] })
  expect(setChoices({ type: 'string' }, 'a = A\nb')).toEqual({
    type: 'string',
    oneOf: [
      { const: 'a', title: 'A' },
      { const: 'b', title: 'b' },
    ],
  })
  expect(setChoices(need, ' ')).not.toHaveProperty('oneOf')
})

it('takes what is typed as the slot wants it', () => {
  expect(typedValue({ type: 'integer' }, '12')).toBe(12)
  expect(typedValue({ type: 'boolean' }, 'true')).toBe(true)
  expect(typedValue({ type: 'array' }, 'a, b')).toEqual(['a', 'b'])
  expect(typedValue({ type: 'string' }, '')).toBeNull()
})

it('carries a new key of a slot to all that names it', () => {
  const graph: Graph = {
    schema: 1,
    start: 'ask',
    nodes: {
      ask: {
        type: 'collect',
        slots: [{ slot: 'size', ask: 'Not {{profile.size_2}} but {{profile.size}}?' }],
        clear: ['size', 'size_2'],
        set: { size: 'profile.size + 1' },
        exits: [
          {
            id: 'size',
            to: 'end',
            when: 'has(profile.size) && profile.size_2 > 1',
            set: { size: '1' },
          },
        ],
      },
      end: { type: 'end', outcome: 'size' },
    },
  }
  expect(renameSlotIn(graph, 'size', 'staff')).toEqual({
    schema: 1,
    start: 'ask',
    nodes: {
      ask: {
        type: 'collect',
        slots: [{ slot: 'staff', ask: 'Not {{profile.size_2}} but {{profile.staff}}?' }],
        clear: ['staff', 'size_2'],
        set: { staff: 'profile.staff + 1' },
        exits: [
          {
            id: 'size',
            to: 'end',
            when: 'has(profile.staff) && profile.size_2 > 1',
            set: { staff: '1' },
          },
        ],
      },
      end: { type: 'end', outcome: 'size' },
    },
  })
})
