/** Long words are mistyped twice. */
const LONG = 8

/** Whether one word is the other with a letter or two wrong, missing, added or swapped; people begin words rightly. */
export function isTypoOf(word: string, other: string): boolean {
  const most = word.length >= LONG ? 2 : 1
  if (word[0] !== other[0] || Math.abs(word.length - other.length) > most) return false
  return areWithin(word, other, 1, 1, most)
}

/** Two letters of a word in each other's place: of a short word nothing else tells a typo from another word. */
export function isSlipOf(word: string, other: string): boolean {
  const at = [...word].findIndex((letter, i) => letter !== other[i])
  return (
    at > 0 &&
    word.slice(0, at) + word.charAt(at + 1) + word.charAt(at) + word.slice(at + 2) === other
  )
}

/**
 * Whether the rest of one word from `i` on becomes that of the other from `j` on by so many letters at most (optimal string
 * alignment). What both go on with alike costs nothing, so that words are read no more than a few times however long they are.
 */
function areWithin(one: string, other: string, i: number, j: number, most: number): boolean {
  let [at, beside] = [i, j]
  while (at < one.length && one[at] === other[beside]) {
    at++
    beside++
  }
  const [left, right] = [one.length - at, other.length - beside]
  if (left <= 0 || right <= 0) return Math.max(left, 0) + Math.max(right, 0) <= most
  if (most === 0 || Math.abs(left - right) > most) return false
  const isSwapped = one[at] === other[beside + 1] && one[at + 1] === other[beside]
  return (
    areWithin(one, other, at + 1, beside + 1, most - 1) ||
    areWithin(one, other, at + 1, beside, most - 1) ||
    areWithin(one, other, at, beside + 1, most - 1) ||
    (isSwapped && areWithin(one, other, at + 2, beside + 2, most - 1))
  )
}
