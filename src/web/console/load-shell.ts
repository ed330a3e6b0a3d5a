import type { Language } from '../../config/names'
import type { Messages } from '../kit/i18n'
import { loadLate } from './load-late'
import { createShellWords, type ShellKey, type ShellWords } from './words'

/** The shell's words in a language. Rejects where they cannot be fetched. */
export async function loadShell(
  lang: Language,
  addresses: Record<Language, string>,
): Promise<ShellWords> {
  const messages = await loadLate(async () => {
    const response = await fetch(addresses[lang])
    if (!response.ok) throw new Error(`words ${lang}: ${response.status}`)
    return (await response.json()) as Messages<ShellKey>
  })
  return createShellWords(lang, messages)
}
