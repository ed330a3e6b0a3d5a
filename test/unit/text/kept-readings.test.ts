import { expect, test } from 'vitest'
import { keepReadings, PassageReadings } from '../../../src/text/passage-reading'

const passage = (chunkId: string, text = 'Refunds take five days.') => ({
  chunkId,
  title: 'Terms',
  documentName: 'terms.md',
  heading: null,
  text,
})
const MINUTE = 60_000
const START = Date.now()
const after = (minutes: number) => START + minutes * MINUTE

test('what a search found is read once for all turns, and anew once anything of it differs', () => {
  keepReadings([passage('one')])
  const first = new PassageReadings().of(passage('one'))
  keepReadings([passage('one')])
  expect(new PassageReadings().of(passage('one'))).toBe(first)

  const changed = passage('one', 'Refunds take ten days.')
  const other = new PassageReadings().of(changed)
  expect(other).not.toBe(first)
  expect(other.text).toBe(changed.text)
  const titled = { ...passage('one'), title: 'Old terms' }
  expect(new PassageReadings().of(titled)).not.toBe(first)
  keepReadings([changed])
  expect(new PassageReadings().of(passage('one'))).not.toBe(first)
})

test('what no base was searched for is read by each turn for itself', () => {
  const own = passage('own')
  const read = new PassageReadings().of(own)
  expect(new PassageReadings().of(own)).not.toBe(read)
})

test('what nobody asked for in ten minutes is gone, and so is what was found longest ago once there is too much', () => {
  keepReadings([passage('old')], after(1))
  const old = new PassageReadings().of(passage('old'))
  keepReadings([passage('new')], after(5))
  expect(new PassageReadings().of(passage('old'))).toBe(old)
  keepReadings([passage('new')], after(12))
  expect(new PassageReadings().of(passage('old'))).not.toBe(old)

  keepReadings([passage('small')], after(12))
  const small = new PassageReadings().of(passage('small'))
  const large = Array.from({ length: 6 }, (_, n) => passage(`large ${n}`, 'a '.repeat(5000)))
  keepReadings(large, after(12))
  expect(new PassageReadings().of(passage('small'))).not.toBe(small)
})

test('other ways to ask take as much room as the text that they belong to', () => {
  const asked = { ...passage('asked'), phrasings: `0\t${'how long '.repeat(6000)}` }
  keepReadings([passage('short')], after(12))
  const short = new PassageReadings().of(passage('short'))
  keepReadings([asked], after(12))
  expect(new PassageReadings().of(passage('short'))).not.toBe(short)
})
