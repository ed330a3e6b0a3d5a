/**
 * What of storylines needs the expression language or reads whole graphs: validating, freezing, and making a revision
 * ready to run. The machine itself and the reading of answers need neither, and are not here.
 */
export { FUNCTIONS } from './conditions'
export { freeze } from './freeze'
export { readGraph, withUsedSlots } from './read-graph'
export { readSlots } from './slots'
export { storyOf } from './story'
export { validate } from './validate'
