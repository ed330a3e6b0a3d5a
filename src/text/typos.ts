/** Long words are mistyped twice. */
const LONG = 8

/** Whether one word is the other with a letter or two wrong, missing, added or swapped; people begin words rightly. */
export function isTypoOf(word: string, other: string): boolean {
  const most = word.length >= LONG ? 2 : 1
  if (word[0] !== other[0] || Math.abs(word.length - other.length) > most) return false
  return most === 1 ? isOneApart(word, other) : distance(word, other, most) <= most
}

/** Two letters of a word in each other's place: of a short word nothing else tells a typo from another word. */
export function isSlipOf(word: string, other: string): boolean {
  const at = [...word].findIndex((letter, i) => letter !== other[i])
  return (
    at > 0 &&
    word.slice(0, at) + word.charAt(at + 1) + word.charAt(at) + word.slice(at + 2) === other
  )
}

/** `distance` of one at most, told without its table. */
function isOneApart(one: string, other: string): boolean {
  const shorter = Math.min(one.length, other.length)
  let from = 0
  while (from < shorter && one[from] === other[from]) from++
  let end = 0
  while (end < shorter - from && one[one.length - 1 - end] === other[other.length - 1 - end]) end++
  const [rest, instead] = [one.slice(from, one.length - end), other.slice(from, other.length - end)]
  if (rest.length <= 1 && instead.length <= 1) return true
  return (
    rest.length === 2 && instead.length === 2 && rest[0] === instead[1] && rest[1] === instead[0]
  )
}

/** Optimal string alignment distance, given up beyond `most`. */
function distance(one: string, other: string, most: number): number {
  let before: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let i = 1; i <= one.length; i++) {
    const row = [i]
    for (let j = 1; j <= other.length; j++) {
      const same = one[i - 1] === other[j - 1] ? 0 : 1
      let value = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + same)
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1])
        value = Math.min(value, (before[j - 2] ?? 0) + 1)
      row.push(value)
    }
    if (Math.min(...row) > most) return most + 1
    before = last
    last = row
  }
  return last[other.length] ?? most + 1
}
