import type { Language } from '../../config/names'
import type { Passage } from '../../knowledge/types'
import { optionOf } from '../../storylines/speak'
import { fitsButton, headingOf, titleOf } from '../source-label'
import type { Asked, Reading } from './asked'
import { keyOf } from './read-form'
import { askingWord } from './words'

const FEWEST = 2
const MOST = 4
const LABEL_CHARS = 80
/** Of the best passage's score, what another reading of the question has at least. */
const NEAR = 0.6
/** Of what the question names, the share that a passage holds. */
const HELD = 0.9

type Found = Pick<Passage, 'documentId' | 'heading' | 'title' | 'score' | 'coverage'>

/**
 * What a question that names one thing may be about: the places, in different documents or under different headings, whose
 * passages hold it about equally well; none where one stands out or there is but one. Pure.
 */
export function findReadings(passages: readonly Found[]): Reading[] {
  const best = Math.max(0, ...passages.map(({ score }) => score))
  const near = passages.filter(
    ({ score, coverage }) => coverage >= HELD && score > 0 && score >= NEAR * best,
  )
  const readings: Reading[] = []
  for (const passage of near) {
    const label = labelOf(passage, near)
    const isKnown = readings.some((one) => keyOf(one.label) === keyOf(label))
    if (label === '' || isKnown) continue
    readings.push({ label, documentId: passage.documentId, heading: passage.heading })
    if (readings.length === MOST) break
  }
  return readings.length < FEWEST ? [] : readings
}

/** Its heading; with the document where several have one of that name; the document's title where it has none. */
function labelOf(passage: Found, all: readonly Found[]): string {
  const [heading, title] = [headingOf(passage), titleOf(passage)]
  const isShared = all.some(
    (one) => one.documentId !== passage.documentId && keyOf(headingOf(one)) === keyOf(heading),
  )
  const whole = heading !== '' && isShared && title !== '' ? `${heading} (${title})` : heading
  const label = (whole || title).replaceAll(/\s+/gu, ' ')
  return label.length <= LABEL_CHARS && fitsButton(label) ? label : ''
}

/** One question with what can be picked; null where there is nothing to choose. */
export function askWhich(
  readings: readonly Reading[],
  { question, lang }: { question: string; lang: Language },
): Asked | null {
  if (readings.length < FEWEST) return null
  const asked = askingWord('which', lang)
  return {
    question: asked,
    clarify: { question: asked, options: readings.map(({ label }) => optionOf(label)) },
    form: null,
    finishReason: 'clarify',
    pending: { kind: 'readings', readings, question, lang },
  }
}

/** The reading that a message picks; null for none. Pure. */
export const pickedOf = (message: string, readings: readonly Reading[]): Reading | null =>
  readings.find(({ label }) => keyOf(label) === keyOf(message)) ?? null
