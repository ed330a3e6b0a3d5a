import type { Chat } from '../chat'
import type { Locale } from '../i18n'
import { withSources } from './with-sources'

/** Saves the conversation as a text file. */
export function downloadChat(agentName: string, chat: Chat, locale: Locale): void {
  const lines = chat.state.entries.flatMap((entry) => {
    if (entry.kind === 'note') return []
    const author = entry.kind === 'user' ? locale.t('you') : agentName
    const words = entry.kind === 'user' ? entry.text : withSources(entry, locale)
    return [`${locale.t('messageBy', { author, time: locale.time(entry.at) })}\n${words}\n`]
  })
  const url = URL.createObjectURL(new Blob([lines.join('\n')], { type: 'text/plain' }))
  const link = document.createElement('a')
  link.href = url
  link.download = `${agentName}.txt`
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 1000)
}
