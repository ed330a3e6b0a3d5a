import { foldText } from './fold'

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
const names = new Map<string, ReadonlySet<string>>()

/** Names of countries and territories in a language, folded: Unicode's own, so that none is written here. */
export function regionNames(language: string): ReadonlySet<string> {
  const known = names.get(language)
  if (known) return known
  const display = new Intl.DisplayNames(language, {
    type: 'region',
    style: 'short',
    fallback: 'none',
  })
  const found = LETTERS.flatMap((first) => LETTERS.map((second) => display.of(first + second)))
  const made = new Set(found.flatMap((name) => (name === undefined ? [] : [foldText(name)])))
  names.set(language, made)
  return made
}
