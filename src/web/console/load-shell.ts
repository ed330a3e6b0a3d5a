import type { Language } from '../../config/names'
import type { Messages } from '../kit/i18n'
import { createShellWords, type ShellKey, type ShellWords } from './words'

/** The shell's words in a language. Rejects where they cannot be fetched. */
export async function loadShell(
  lang: Language,
  addresses: Record<Language, string>,
): Promise<ShellWords> {
  const response = await fetch(addresses[lang])
  if (!response.ok) throw new Error(`words ${lang}: ${response.status}`)
  return createShellWords(lang, (await response.json()) as Messages<ShellKey>)
}
