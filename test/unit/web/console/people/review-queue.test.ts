import { describe, expect, it } from 'vitest'
import { approvalOf, isWritten, startOf } from '../../../../../src/web/console/reviews/edit'
import { placesOf } from '../../../../../src/web/console/reviews/find-places'
import { languageOptions } from '../../../../../src/web/console/reviews/languages'
import {
  actOf,
  cursorOf,
  neighbourOf,
  nextPending,
  takesLetters,
} from '../../../../../src/web/console/reviews/queue'

describe('sentences without a source', () => {
  const cut = (text: string, sentences: string[]) => {
    const { places, left } = placesOf(text, sentences)
    return { marked: places.map(({ start, end }) => text.slice(start, end)), left }
  }

  it('are found where the answer holds them, each once', () => {
    const found = cut('It is red. It weighs a ton. It is old.', [
      'It weighs a ton.',
      'It is new.',
      ' It is red. ',
    ])
    expect(found).toEqual({ marked: ['It is red.', 'It weighs a ton.'], left: ['It is new.'] })
  })

  it('are found whatever breaks their lines, and signs mean themselves', () => {
    expect(cut('Costs (net)\n  $5. Yes?', ['Costs (net) $5.', 'Yes?']).left).toEqual([])
    expect(cut('Costsxnet', ['Costs.net']).marked).toEqual([])
  })

  it('never overlap, and nothing is marked twice or for nothing', () => {
    const found = cut('One two three.', ['One two', 'two three.', ''])
    expect(found).toEqual({ marked: ['One two'], left: ['two three.'] })
  })
})

describe('the queue', () => {
  const items = [
    { id: 'a', status: 'pending' },
    { id: 'b', status: 'approved' },
    { id: 'c', status: 'pending' },
  ]

  it('is gone through to its ends', () => {
    expect(neighbourOf(items, 'a', 1)?.id).toBe('b')
    expect(neighbourOf(items, 'c', 1)?.id).toBe('c')
    expect(neighbourOf(items, 'a', -1)?.id).toBe('a')
    expect(neighbourOf(items, 'gone', 1)?.id).toBe('a')
    expect(neighbourOf([], null, 1)).toBeNull()
  })

  it('goes on with the next open one, else with the one before', () => {
    expect(nextPending(items, 'a')?.id).toBe('c')
    expect(nextPending(items, 'c')?.id).toBe('a')
    expect(nextPending(items.slice(0, 2), 'a')).toBeNull()
  })

  it('goes on where the header of a page says', () => {
    expect(cursorOf('</v1/manage/reviews?status=pending&cursor=a%2Bb>; rel="next"')).toBe('a+b')
    expect(cursorOf(null)).toBeNull()
    expect(cursorOf('</x?cursor=a>; rel="prev"')).toBeNull()
  })
})

describe('its keys', () => {
  const press = { ctrlKey: false, metaKey: false, altKey: false, isComposing: false, repeat: false }

  it('act alone, in either case, and decide nothing when held down', () => {
    expect(actOf({ ...press, key: 'J' })).toBe('next')
    expect(actOf({ ...press, key: 'j', repeat: true })).toBe('next')
    expect(actOf({ ...press, key: 'a', repeat: true })).toBeNull()
    expect(actOf({ ...press, key: 'r', ctrlKey: true })).toBeNull()
    expect(actOf({ ...press, key: 'k', isComposing: true })).toBeNull()
    expect(actOf({ ...press, key: 'x' })).toBeNull()
  })

  it('rest where letters are text', () => {
    expect(['INPUT', 'textarea', 'SELECT'].every((tagName) => takesLetters({ tagName }))).toBe(true)
    expect(takesLetters({ tagName: 'DIV', isContentEditable: true })).toBe(true)
    expect(takesLetters({ tagName: 'BUTTON' })).toBe(false)
  })
})

describe('an approval', () => {
  it('sends what was written and leaves the rest to the server', () => {
    const start = startOf({ kb_name: 'guide' })
    expect(isWritten(start)).toBe(false)
    expect(approvalOf(start)).toEqual({ kb_name: 'guide' })
    expect(approvalOf({ ...start, title: ' ', text: ' Nine. ' })).toEqual({
      kb_name: 'guide',
      text: 'Nine.',
    })
    expect(isWritten({ ...start, title: 'Hours' })).toBe(true)
  })

  it('offers languages by their names in the reader’s own', () => {
    const options = languageOptions('fr')
    expect(options.find(({ value }) => value === 'es')?.label).toBe('espagnol')
    expect(options.find(({ value }) => value === 'zh-TW')).toBeDefined()
  })
})
