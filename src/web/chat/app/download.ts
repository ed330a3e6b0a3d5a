import type { Chat } from '../chat'
import type { Locale } from '../i18n'
import { readWhole } from './earlier'
import { withSources } from './with-sources'

/**
 * Saves the conversation as a text file.
 * @param missing what stands in the place of earlier messages that could not be fetched
 * @returns whether all of it is in the file
 */
export async function downloadChat(
  agentName: string,
  chat: Chat,
  locale: Locale,
  missing: string,
): Promise<boolean> {
  const { entries, isWhole } = await readWhole(chat)
  const lines = entries.flatMap((entry) => {
    if (entry.kind === 'note') return []
    const author = entry.kind === 'user' ? locale.t('you') : agentName
    const words = entry.kind === 'user' ? entry.text : withSources(entry, locale)
    return [`${locale.t('messageBy', { author, time: locale.time(entry.at) })}\n${words}\n`]
  })
  if (!isWhole) lines.unshift(`${missing}\n`)
  const url = URL.createObjectURL(new Blob([lines.join('\n')], { type: 'text/plain' }))
  const link = document.createElement('a')
  link.href = url
  link.download = `${agentName}.txt`
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 1000)
  return isWhole
}
