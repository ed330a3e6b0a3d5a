import { loadThesaurus } from '../../src/language/thesaurus'

// As a turn does before it reads a question.
await loadThesaurus()
