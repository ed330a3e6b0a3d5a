interface Place {
  start: number
  end: number
}

/**
 * Where sentences stand in a text, whatever stands between their words; in order. `left` are the sentences that it does
 * not hold, or that overlap with another.
 */
export function placesOf(
  text: string,
  sentences: readonly string[],
): { places: Place[]; left: string[] } {
  const places: Place[] = []
  const left: string[] = []
  for (const sentence of sentences) {
    const words = sentence.trim().split(/\s+/).filter(Boolean)
    if (words.length === 0) continue
    const found = new RegExp(words.map(escaped).join('\\s*')).exec(text)
    const place = found && { start: found.index, end: found.index + found[0].length }
    const isFree = place && places.every((one) => place.end <= one.start || place.start >= one.end)
    if (isFree) places.push(place)
    else left.push(sentence.trim())
  }
  places.sort((one, other) => one.start - other.start)
  return { places, left }
}

const escaped = (word: string) => word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
