/** How much of a text's end is looked at, in characters: a unit of a twelfth of it is found. */
const WINDOW = 6000
/** New characters before the end is looked at again. */
const EVERY = 400
/**
 * So often, and over so many characters, a unit follows itself in a loop. Some hundred words may repeat themselves because
 * somebody asked for it, a word or two for longer; a model that cannot stop goes on until it is stopped.
 */
const TIMES = 12
const LOOP_CHARS = 2400
const SHORT_UNIT = 12
const SHORT_LOOP_CHARS = 4000

/** Notices that a text goes round in circles: a unit (a sentence, an item, a paragraph) that follows itself again and again. */
export class Looping {
  #text = ''
  #length = 0
  #looked = 0

  /** @returns how many characters of the whole text stand before the second round; null while it says new things. */
  push(text: string): number | null {
    this.#length += text.length
    this.#text = (this.#text + text).slice(-WINDOW)
    if (this.#length - this.#looked < EVERY) return null
    this.#looked = this.#length
    const found = roundsOf(this.#text)
    if (found === null) return null
    const begin = this.#text.length - found.chars
    const before = this.#length - this.#text.length
    if (found.unit < SHORT_UNIT && before + begin > 0) return before + begin
    return before + seamFrom(this.#text, begin + found.unit)
  }
}

/** Where one round ends: what stands before the first one may end as each round does. */
function seamFrom(text: string, at: number): number {
  if (/(?:[.!?…。！？]["”)]*\s*|\n)$/u.test(text.slice(0, at)) && !/^\s/u.test(text.slice(at)))
    return at
  const seam = /^["”)]*(?:[.!?…。！？]["”)]*)?\s+/u.exec(text.slice(at))
  return at + (seam?.[0].length ?? 0)
}

/** The shortest unit that the end of a text repeats, and over how many characters it does. */
function roundsOf(text: string): { unit: number; chars: number } | null {
  const same = matches(backwards(text))
  for (let unit = 1; unit * TIMES <= same.length; unit++) {
    const chars = (same[unit] ?? 0) + unit
    if (chars < Math.max(unit * TIMES, LOOP_CHARS)) continue
    // A rule, a row of dots or an empty table says nothing, however long.
    const isMeant = unit < SHORT_UNIT && chars < SHORT_LOOP_CHARS
    return isMeant || !/\p{L}/u.test(text.slice(-unit)) ? null : { unit, chars }
  }
  return null
}

/** By code units: offsets count those. */
function backwards(text: string): string {
  let turned = ''
  for (let at = text.length - 1; at >= 0; at--) turned += text.charAt(at)
  return turned
}

/** For each place of a text, how far what begins there reads like its beginning (the Z function; Gusfield 1997, 1.3). */
function matches(text: string): Uint16Array {
  const found = new Uint16Array(text.length)
  let left = 0
  let right = 0
  for (let at = 1; at < text.length; at++) {
    let length = at < right ? Math.min(right - at, found[at - left] ?? 0) : 0
    while (at + length < text.length && text.charCodeAt(length) === text.charCodeAt(at + length))
      length++
    found[at] = length
    if (at + length > right) {
      left = at
      right = at + length
    }
  }
  return found
}
