import { expect, it } from 'vitest'
import { firstSigns } from '../../../../src/web/kit/first-signs'

it('halves no emoji', () => {
  expect(firstSigns('ab😀c', 3)).toBe('ab😀')
  expect(firstSigns('ab', 3)).toBe('ab')
})
