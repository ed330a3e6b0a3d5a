/** What `eval:claims` runs of the product. */
export { createChecker } from '../../src/chat/check'
export { loadThesaurus } from '../../src/language/thesaurus'
