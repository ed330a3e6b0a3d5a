/** What `eval:claims` runs of the product. */
export { createChecker } from '../../src/chat/check'
export { loadOpposites } from '../../src/language/opposites'
export { loadThesaurus } from '../../src/language/thesaurus'
export { scriptedModel } from './local-model'
export { replyLocally } from './local-turn'
