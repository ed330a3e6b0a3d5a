import { citedSources } from '../../kit/markdown/citations'
import { plainText } from '../../kit/markdown/plain-text'
import type { Locale } from '../i18n'
import type { ReplyEntry } from '../model/chat'

/** The reply as it is read, and below it the documents that it rests on. */
export function withSources({ text, sources }: ReplyEntry, { t }: Locale): string {
  const titles = citedSources(text, sources ?? []).flatMap(({ source }) => source.title ?? [])
  if (titles.length === 0) return plainText(text)
  const lines = [...new Set(titles)].map((title) => `- ${title}`)
  return [plainText(text), '', `${t('sources')}:`, ...lines].join('\n')
}
