import { loadOnce } from '../language/load-once'
import { loadNearMiss } from '../lazy'

const late = loadOnce(loadNearMiss)

/** To be awaited before a question is answered: without it every sentence that is likely enough is said. */
export const loadNearMisses = late.load

/** What tells an answer from what only has its topic; null as long as it is not loaded. */
export const nearMisses = late.get
