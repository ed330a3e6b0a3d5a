/** The last sentence that had a hash: whether this one has it already. */
const stamps = new Float64Array(0x10000)
let stamp = 0

/**
 * Which tokens each sentence of a passage holds, as 16-bit hashes: enough to weigh passages and sentences against a
 * question without preparing their text again. A question's token is found by mistake in about one passage of 300.
 * Layout: for each sentence its number of hashes, then the hashes. The first sentence is the title with the heading.
 */
export function encodeSketch(sentences: readonly (readonly number[])[]): Uint8Array {
  const out: number[] = []
  for (const hashes of sentences) {
    const at = out.push(0) - 1
    stamp += 1
    for (const hash of hashes) {
      if (stamps[hash] === stamp) continue
      stamps[hash] = stamp
      out.push(hash)
    }
    out[at] = out.length - at - 1
  }
  return new Uint8Array(Uint16Array.from(out).buffer)
}

/** FNV-1a over UTF-16 units, folded to 16 bits. */
export function hashToken(token: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < token.length; i++) {
    hash = Math.imul(hash ^ token.charCodeAt(i), 0x01000193)
  }
  return (hash ^ (hash >>> 16)) & 0xffff
}

/** Bits of a hash that are looked at first. */
const ASKED = 0x3ff

/** A question's terms for `weighSketch`: any of a term's hashes counts once, with the term's weight. */
export interface WeighedTerms {
  /** Hash of a token to the positions of its terms. */
  index: Map<number, number[]>
  /** 1 at the last bits of each hash in `index`: most of a passage's tokens are not the question's. */
  asked: Uint8Array
  weights: number[]
  total: number
}

export function weighTerms(
  terms: readonly (readonly string[])[],
  weigh: (token: string) => number,
): WeighedTerms {
  const index = new Map<number, number[]>()
  const asked = new Uint8Array(ASKED + 1)
  const weights: number[] = []
  let total = 0
  for (const [at, forms] of terms.entries()) {
    const weight = Math.min(...forms.map(weigh))
    weights.push(weight)
    total += weight
    for (const form of forms) {
      const hash = hashToken(form)
      asked[hash & ASKED] = 1
      const places = index.get(hash)
      if (places) places.push(at)
      else index.set(hash, [at])
    }
  }
  return { index, asked, weights, total }
}

/** Shares of the question's weight: in the passage with its title, and in its best sentence. */
export function weighSketch(
  sketch: ArrayBuffer,
  terms: WeighedTerms,
): { coverage: number; sentence: number } {
  if (terms.total === 0) return { coverage: 0, sentence: 0 }
  const hashes = new Uint16Array(sketch)
  const inPassage = new Uint8Array(terms.weights.length)
  let covered = 0
  let best = 0
  let at = 0
  for (let sentence = 0; at < hashes.length; sentence++) {
    const end = at + 1 + (hashes[at] ?? 0)
    const here = new Set<number>()
    for (at++; at < end; at++) {
      const hash = hashes[at] ?? 0
      if (terms.asked[hash & ASKED] === 1)
        for (const term of terms.index.get(hash) ?? []) here.add(term)
    }
    let weight = 0
    for (const term of here) {
      weight += terms.weights[term] ?? 0
      if (!inPassage[term]) covered += terms.weights[term] ?? 0
      inPassage[term] = 1
    }
    if (sentence > 0) best = Math.max(best, weight)
  }
  return { coverage: covered / terms.total, sentence: best / terms.total }
}
