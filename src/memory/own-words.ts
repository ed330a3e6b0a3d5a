import { withoutSecrets } from './secrets'
import { unquoted } from './unquoted'

/** What a message says in the user's own words: no pasted code, no quoted text, no secret, a bounded length. */
export const ownWords = (message: string): string => withoutSecrets(unquoted(message)).trim()
