import { loadOpposites } from '../../src/language/opposites'
import { loadThesaurus } from '../../src/language/thesaurus'
import { loadWishes } from '../../src/text/asks-anew'
import { loadNearMisses } from '../../src/text/near-misses'

// As a turn does before it reads a question, answers it and checks a reply.
await Promise.all([loadThesaurus(), loadOpposites(), loadNearMisses(), loadWishes()])
