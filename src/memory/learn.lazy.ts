/** What a user's own words say about them, by rules: only the job that learns from a message needs it. */
export { extractByRules, slotOf } from './extract-by-rules'
