import type { AskedKind } from '../../language/pack'
import { type AskedClause, CONTENT } from '../../text/asked'
import type { Features, PassageView } from './answer-features'
import { CHANCE } from './answer-weights'
import type { Candidate } from './rank-units'

/** A term that counts as said, and how many are many. */
const SAID = 0.5
const MANY = 4
const FAR = 3

/** What the passages have of a clause, all together; shares from 0 to 1. */
export interface Found {
  /** Of what no passage holds: its share, how alike the nearest word is, and whether it is a name. */
  lacking: number
  lackingAlike: number
  lacksName: boolean
  namesOne: boolean
  /** The most terms that one sentence says. */
  together: number
  unspaced: boolean
  kinds: ReadonlySet<AskedKind>
}

/** @param rarity of the clause's terms */
export function readFound(
  { terms, kinds }: AskedClause,
  rarity: readonly number[],
  views: readonly PassageView[],
): Found {
  const total = rarity.reduce((sum, one) => sum + one, 0)
  const held = views.flatMap((view) => view.held)
  const mostOf = (at: number, read: (one: typeof NOTHING) => number) =>
    held.reduce((most, one) => Math.max(most, read(one[at] ?? NOTHING)), 0)
  let [lacking, alike] = [0, 0]
  let lacksName = false
  for (const [at, term] of terms.entries()) {
    const weight = (rarity[at] ?? 0) / total
    const nearest = mostOf(at, (one) => Math.max(one.here, one.letters))
    const isThere = mostOf(at, ({ here, question }) => Math.max(here, question)) > 0
    if (term.weight < CONTENT || isThere) continue
    lacking += weight
    alike += weight * nearest
    lacksName ||= term.name
  }
  const said = held.map((one) => one.filter(({ here }) => here >= SAID).length)
  return {
    lacking,
    lackingAlike: lacking === 0 ? 1 : alike / lacking,
    lacksName,
    namesOne: terms.filter(({ weight }) => weight >= CONTENT).length < 2,
    together: Math.min(1, said.reduce((most, one) => Math.max(most, one), 0) / MANY),
    unspaced: terms.some(({ unspaced }) => unspaced),
    kinds,
  }
}

const NOTHING = { here: 0, question: 0, letters: 0 }

/** The sentences to say, and how likely the first, and all of them, have the answer if there is one. */
export interface Likely {
  said: Candidate[]
  first: number
  all: number
}

/** What tells whether there is an answer at all; the weights of `CHANCE` belong to it. */
export function signsOf(found: Found, ranked: readonly Candidate[], likely: Likely) {
  const [best, next] = ranked
  const of = (name: keyof Features) => best?.features[name] ?? 0
  const is = (flag: boolean) => (flag ? 1 : 0)
  const asks = (kind: AskedKind) => is(found.kinds.has(kind))
  return {
    always: 1,
    odds: best?.odds ?? 0,
    margin: best && next ? Math.min(FAR, best.odds - next.odds) : FAR,
    first: likely.first,
    said: likely.all,
    context: of('context'),
    title: of('title'),
    rareAround: of('rareAround'),
    letters: of('letters'),
    told: of('told'),
    row: of('row'),
    relative: of('relative'),
    lacking: found.lacking,
    lackingAlike: found.lackingAlike,
    lacksName: is(found.lacksName),
    namesOne: is(found.namesOne),
    sameQuestion: of('sameQuestion'),
    serves: of('serves'),
    defines: of('defines'),
    together: found.together,
    unspaced: is(found.unspaced),
    number: asks('number'),
    time: asks('time'),
    place: asks('place'),
    person: asks('person'),
    reason: asks('reason'),
    how: asks('how'),
    yesNo: asks('yesNo'),
    asksNothing: is(found.kinds.size === 0),
  }
}

export type Signs = ReturnType<typeof signsOf>

/** The log odds that what is said answers. */
export function oddsOf(...given: Parameters<typeof signsOf>): number {
  const signs = signsOf(...given)
  let odds = 0
  for (const name of Object.keys(CHANCE) as (keyof Signs)[]) odds += CHANCE[name] * signs[name]
  return odds
}
