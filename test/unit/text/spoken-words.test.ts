import { expect, it } from 'vitest'
import { spokenWords } from '../../../src/text/spoken-words'

const cited = new Set([1, 2, 12])

it.each([
  ['plain words', 'Refunds take five days.', 'Refunds take five days.'],
  ['emphasis', 'A **bold _and_** ~~old~~ `code` word', 'A bold and old code word'],
  ['headings and paragraphs', '# Refunds\n\nFive  days.\nNo more.', 'Refunds\nFive days. No more.'],
  ['marks of sources', 'Five days [1]. Free [1][2], [1, 12].', 'Five days. Free,.'],
  ['other numbers in brackets', 'See row [3] and [x].', 'See row [3] and [x].'],
  ['marks in code', 'Take `list[1]`.', 'Take list[1].'],
  [
    'links and pictures',
    '[Refunds](https://a.example/x) ![a map](https://a.example/m.png)',
    'Refunds a map',
  ],
  ['lists', '1. One\n2. Two\n   - [ ] Deep\n', 'One\nTwo\nDeep'],
  ['quotes and rules', '> Said.\n\n---\n\nNext.', 'Said.\nNext.'],
  ['tables', '| A | B |\n| --- | --- |\n| 1 | **2** |', 'A, B\n1, 2'],
  ['code', 'Run:\n\n```sh\nnpm test\n```', 'Run:\nnpm test'],
  ['HTML', 'Five<br>days <b>now</b>\n\n<hr>', 'Fivedays now'],
  ['names of characters', 'R&amp;D \\*stars\\*', 'R&D *stars*'],
  ['other scripts', 'يدفع **خلال** خمسة أيام [1]。五天[2]。', 'يدفع خلال خمسة أيام。五天。'],
  ['nothing', '---\n\n<hr>', ''],
])('reads %s', (_, markdown, words) => {
  expect(spokenWords(markdown, cited)).toBe(words)
})
