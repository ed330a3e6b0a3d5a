import { loadToolResultWords } from '../lazy'

/** What says the results of the platform's tools in sentences. */
export const loadToolResults = loadToolResultWords
