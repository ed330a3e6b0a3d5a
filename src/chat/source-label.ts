import type { Passage } from '../knowledge/types'

/** Where a heading stands in its path. */
export const PATH_STEP = ' › '
/** An address, markup, or a sign that is not seen. */
const UNFIT = /:\/\/|\bwww\.|[<>[\]{}`|\\]|[\p{Cc}\p{Cf}]/u

/** The heading that a passage stands under, '' for none. */
export const headingOf = ({ heading }: Pick<Passage, 'heading'>): string =>
  heading?.split(PATH_STEP).at(-1)?.trim() ?? ''

/** A file's name is none to ask for. */
export const titleOf = ({ title }: Pick<Passage, 'title'>): string =>
  /\.\w{2,5}$/u.test(title) ? '' : title.trim()

/** Whether words of a source can stand on a button. */
export const fitsButton = (words: string): boolean => words !== '' && !UNFIT.test(words)
