import { describe, expect, it } from 'vitest'
import { searchTitle } from '../../../src/text/search-title'

describe('searchTitle', () => {
  it.each([
    ['Changelog', 'pako/CHANGELOG.md', 'Changelog pako'],
    ['Delivery and returns', 'delivery.md', 'Delivery and returns'],
    ['退货', '退货政策.pdf', '退货 退货政策'],
    ['Report', '2026-03-01_4711.pdf', 'Report'],
  ])('of %s in %s is "%s"', (title, name, wanted) => {
    expect(searchTitle(title, name)).toBe(wanted)
  })
})
