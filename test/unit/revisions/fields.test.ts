import { describe, expect, it } from 'vitest'
import { changeList, completeFields, patchFields } from '../../../src/revisions/fields'

const DEFAULTS = { text: '', list: ['a'], on: true, limit: null as number | null }

describe('configuration fields', () => {
  it('complete: what is omitted or null takes its default; unknown fields are dropped', () => {
    const input = { text: 'x', list: null, on: false, more: 1 }
    expect(completeFields(DEFAULTS, input)).toEqual({
      text: 'x',
      list: ['a'],
      on: false,
      limit: null,
    })
  })

  it('complete: a list holds each name once, so that a patch of something else leaves it', () => {
    const complete = completeFields(DEFAULTS, { list: ['b', 'a', 'b'] })
    expect(complete.list).toEqual(['b', 'a'])
    expect(changeList(complete.list, null, null)).toEqual(complete.list)
  })

  it('patch: only what is sent changes, null resets, fields added later appear', () => {
    const stored = { text: 'x', list: ['b'], on: false } as typeof DEFAULTS
    expect(patchFields(DEFAULTS, stored, { limit: 3 })).toEqual({
      text: 'x',
      list: ['b'],
      on: false,
      limit: 3,
    })
    expect(patchFields(DEFAULTS, stored, { list: null, on: undefined })).toEqual({
      text: 'x',
      list: ['a'],
      on: false,
      limit: null,
    })
  })

  it('patch: null resets a field whose default is null too', () => {
    const stored = { text: 'x', list: ['b'], on: false, limit: 7 }
    expect(patchFields(DEFAULTS, stored, { limit: null, text: null })).toEqual({
      text: '',
      list: ['b'],
      on: false,
      limit: null,
    })
  })

  it('never hands out the defaults themselves', () => {
    completeFields(DEFAULTS, {}).list.push('b')
    patchFields(DEFAULTS, completeFields(DEFAULTS, {}), { list: null }).list.push('b')
    expect(DEFAULTS.list).toEqual(['a'])
  })

  it('lists are added to once, then removed from, in order', () => {
    expect(changeList(['b', 'a'], ['c', 'a', 'd'], ['b', 'd'])).toEqual(['a', 'c'])
    expect(changeList(['a'], null, undefined)).toEqual(['a'])
  })
})
