import type { Token } from './tokens'

/** Where each token of a claim is in its evidence: −1 for nowhere. */
export interface Alignment {
  at: number[]
  /** Length of the run of equal tokens that the token is part of. */
  run: number[]
}

const MAX_PLACES = 8
const MAX_RUN = 64

/** Where the keys of an evidence stand, the first places of each. */
export function indexKeys(evidence: readonly Token[]): Map<string, number[]> {
  const places = new Map<string, number[]>()
  for (const [at, { key }] of evidence.entries()) {
    const known = places.get(key)
    if (known === undefined) places.set(key, [at])
    else if (known.length < MAX_PLACES) known.push(at)
  }
  return places
}

/**
 * Lays a claim over its evidence in runs of equal tokens, from left to right, the longest run first where a token stands
 * in several places and the one that goes on from the last where they are equal; no word of content twice. Linear in the claim's length.
 */
export function align(
  claim: readonly Token[],
  evidence: readonly Token[],
  places: ReadonlyMap<string, readonly number[]>,
): Alignment {
  const at = new Array<number>(claim.length).fill(-1)
  const run = new Array<number>(claim.length).fill(0)
  const used = new Uint8Array(evidence.length)
  const lone: number[] = []
  let last = -1
  for (let i = 0; i < claim.length; ) {
    let best = -1
    let longest = 0
    for (const place of places.get(claim[i]?.key ?? '') ?? []) {
      const length = runLength(claim, i, evidence, place, used)
      const nearer = Math.abs(place - last - 1) < Math.abs(best - last - 1)
      if (length > longest || (length === longest && nearer)) {
        best = place
        longest = length
      }
    }
    // A lone sign waits: it may be the first of what a longer run needs.
    if (longest === 1 && claim[i]?.kind === 'sign') {
      lone.push(i)
      i++
      continue
    }
    for (let k = 0; k < longest; k++) {
      at[i + k] = best + k
      if (claim[i + k]?.light === false) used[best + k] = 1
      run[i + k] = longest
    }
    if (longest > 1 || claim[i]?.light === false) last = longest === 0 ? last : best + longest - 1
    i += Math.max(1, longest)
  }
  if (lone.length > 0) layLone(lone, { at, run }, used, claim, places)
  return { at, run }
}

/** Single signs take what is left, the place that is nearest to what stands before them. */
function layLone(
  lone: readonly number[],
  { at, run }: Alignment,
  used: Uint8Array,
  claim: readonly Token[],
  places: ReadonlyMap<string, readonly number[]>,
): void {
  let before = -1
  let next = 0
  for (const i of lone) {
    for (; next < i; next++) before = (at[next] ?? -1) >= 0 ? (at[next] ?? -1) : before
    let best = -1
    for (const place of places.get(claim[i]?.key ?? '') ?? []) {
      const isNearer = best < 0 || Math.abs(place - before - 1) < Math.abs(best - before - 1)
      if (used[place] === 0 && isNearer) best = place
    }
    if (best < 0) continue
    at[i] = best
    run[i] = 1
    if (claim[i]?.light === false) used[best] = 1
  }
}

function runLength(
  claim: readonly Token[],
  i: number,
  evidence: readonly Token[],
  place: number,
  used: Uint8Array,
): number {
  let length = 0
  while (
    length < MAX_RUN &&
    i + length < claim.length &&
    place + length < evidence.length &&
    used[place + length] === 0 &&
    claim[i + length]?.key === evidence[place + length]?.key
  )
    length++
  return length
}
