import type { PartRow } from '../spaces/movable-parts'

/** Where the next part of an export begins. */
export interface ExportPlace {
  /** The user's spaces when it began. */
  spaces: { id: string; tag: number }[]
  /** Which of them, and what of it. */
  space: number
  step: number
  /** The key of the last row that is in. */
  after: PartRow | null
  /** Files that the step has made so far. */
  page: number
}

export const placeAt = (spaces: ExportPlace['spaces'], space = 0, step = 0): ExportPlace => ({
  spaces,
  space,
  step,
  after: null,
  page: 0,
})
