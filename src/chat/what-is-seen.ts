import type { Clarify } from '../storylines/speak'

/** Where nothing is seen but the text. */
const TEXT_ONLY = 'openai'
/** Channels whose people see no form. */
const FORMLESS: readonly string[] = [TEXT_ONLY, 'telegram']

/** Whether people of a channel see a form; else its fields are asked for one by one. */
export const showsForms = (channel: string): boolean => !FORMLESS.includes(channel)

/** What can be picked, as a list behind the reply where no buttons are seen; else ''. */
export const listOptions = (channel: string, clarify: Clarify | null): string =>
  clarify === null || channel !== TEXT_ONLY
    ? ''
    : `\n\n${clarify.options.map(({ label }) => `- ${label}`).join('\n')}`
