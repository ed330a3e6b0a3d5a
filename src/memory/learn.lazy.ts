/** What a user's own words say about them, by rules, and what of them is secret: only jobs behind a turn need it. */
export { extractByRules, slotOf } from './extract-by-rules'
export { ownWords } from './own-words'
export { holdsSecret } from './secrets'
