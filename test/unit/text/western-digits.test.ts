import { expect, it } from 'vitest'
import { westernDigits } from '../../../src/text/western-digits'

it.each(['٣٫٥', '۳٫۵', '３.５', '३.५', '৩.৫'])('%s is 3.5', (typed) => {
  expect(westernDigits(typed)).toBe('3.5')
})
