import { loadOpposites } from '../../src/language/opposites'
import { loadThesaurus } from '../../src/language/thesaurus'

// As a turn does before it reads a question and checks a reply.
await Promise.all([loadThesaurus(), loadOpposites()])
