import { loadOnce } from '../language/load-once'
import { loadSlipsReader } from '../lazy'

const late = loadOnce(loadSlipsReader)

/** `loadThesaurus` does. */
export const loadSlips = late.load

/** What finds the rarer slips of the pen; null as long as it is not loaded. */
export const slips = late.get
