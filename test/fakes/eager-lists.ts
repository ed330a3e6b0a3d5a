export * from '../../src/lazy'

/** A bundle of a test's own has no late modules: the lists are in it. */
export const loadThesaurusLists = () => import('../../src/language/thesaurus.lazy')
export const loadPriorLists = () => import('../../src/language/prior.lazy')
export const loadSlipsReader = () => import('../../src/text/slips.lazy')
