/**
 * What of storylines needs the expression language or reads whole graphs: validating, freezing, making a revision ready
 * to run, and what a model is told of all that; and how days and hours are said. The machine itself and the reading of other
 * answers need neither, and are not here.
 */
export { FUNCTIONS } from './conditions'
export { DRAFT_ORDER, draftPrompt, readDraft, repairPrompt } from './draft-text'
export { freeze } from './freeze'
export { migrated } from './migrate'
export { proposeNodes } from './propose-nodes'
export { readGraph, withUsedSlots } from './read-graph'
export { readSpoken } from './read-spoken'
export { readRestated, restateCall } from './restate'
export { shapeFaults } from './shape-faults'
export { readSlots } from './slots'
export { storyOf } from './story'
export { validate } from './validate'
