import { type SQL, sql } from 'drizzle-orm'

/** Letters whose case is folded; the database takes a hundred values and as many nested calls. */
const MOST_LETTERS = 40

/**
 * An SQL condition: the text holds the other one, in whatever case either is written. The database folds ASCII alone, so
 * further letters that are looked for are folded one by one. Texts are kept in NFC.
 */
export function hasText(text: SQL, wanted: string): SQL {
  const signs = [...wanted.normalize('NFC')]
  const letters = [...new Set(signs.map(toSmall))].filter(hasCapital).slice(0, MOST_LETTERS)
  const folded = letters.reduce(
    (of, letter) => sql`replace(${of}, ${toCapital(letter)}, ${letter})`,
    sql`lower(${text})`,
  )
  const small = signs.map((sign) =>
    sign <= '\x7f' || letters.includes(toSmall(sign)) ? toSmall(sign) : sign,
  )
  return sql`instr(${folded}, ${small.join('')}) > 0`
}

/** A letter that becomes several (ß in capitals) stays as it is. */
const single = (letter: string, turned: string) => ([...turned].length === 1 ? turned : letter)
const toSmall = (letter: string) => single(letter, letter.toLowerCase())
const toCapital = (letter: string) => single(letter, letter.toUpperCase())
/** One beyond ASCII, of which each stands for the other. */
const hasCapital = (letter: string) =>
  letter > '\x7f' && toCapital(letter) !== letter && toSmall(toCapital(letter)) === letter
