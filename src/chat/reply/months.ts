import { EVIDENCE_PACKS } from '../../language/packs'

export interface MonthName {
  /** 1 to 12. */
  month: number
  /** The language writes it with a capital. */
  capital: boolean
  /** "Dec", "janv.": three letters may be another word. */
  short: boolean
}

const known = new Map<string, ReadonlyMap<string, MonthName>>()

/** The names of the months in a language, by the keys of their words. */
export function monthNames(
  code: string,
  keyOf: (word: string) => string,
): ReadonlyMap<string, MonthName> {
  let names = known.get(code)
  if (names === undefined) {
    names = readNames(code, keyOf)
    known.set(code, names)
  }
  return names
}

function readNames(code: string, keyOf: (word: string) => string): Map<string, MonthName> {
  const names = new Map<string, MonthName>()
  const lists = EVIDENCE_PACKS.find((pack) => pack.code === code)?.months
  for (const length of ['long', 'short'] as const)
    for (const line of lists?.[length] ?? [])
      for (const [at, name] of line.split(', ').entries()) {
        const key = name.split(' ').map(keyOf).join(' ')
        if (names.has(key)) continue
        names.set(key, {
          month: at + 1,
          capital: /^\p{Lu}/u.test(name),
          short: length === 'short',
        })
      }
  return names
}
