import type { Review } from './types'

/** What a person has made of a review so far; kept while the queue is gone through. */
export interface Edit {
  title: string
  text: string
  base: string
  /** Of the draft; empty: the question's language. */
  lang: string
}

/** The base is the one that the reviewed answer rested on, where there is one. */
export const startOf = ({ kb_name }: Pick<Review, 'kb_name'>): Edit => ({
  title: '',
  text: '',
  base: kb_name ?? '',
  lang: '',
})

/** Whether something would be lost. */
export const isWritten = ({ title, text }: Edit): boolean => `${title}${text}`.trim() !== ''

/** What approving sends: a text or a title that is left empty is the server's to choose. */
export const approvalOf = ({ base, title, text }: Edit) => ({
  kb_name: base,
  ...(title.trim() === '' ? {} : { title: title.trim() }),
  ...(text.trim() === '' ? {} : { text: text.trim() }),
})
