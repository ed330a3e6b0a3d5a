import { Icon } from '../../kit/icons'
import { useAgain, useLate } from '../app/lazy-app'
import type { UserEntry } from '../model/chat'
import { useApp } from './context'

/** @param queued it waits on this device until there is a connection. */
export function UserMessage({ entry, queued = false }: { entry: UserEntry; queued?: boolean }) {
  const { chat, locale } = useApp()
  const again = useAgain()
  const late = useLate()
  return (
    <li class="own" aria-labelledby={`by-${entry.key}`}>
      <p class="sr" id={`by-${entry.key}`}>
        {locale.t('messageBy', { author: locale.t('you'), time: locale.time(entry.at) })}
      </p>
      {entry.images.length > 0 && (
        <ul class="own-images" aria-label={locale.t('attachedImages')}>
          {entry.images.map((image) => (
            <li key={image.name}>
              {image.preview === null ? (
                <span class="own-image-name" dir="auto">
                  <Icon name="image" />
                  {image.name}
                </span>
              ) : (
                <img src={image.preview} alt={image.name} />
              )}
            </li>
          ))}
        </ul>
      )}
      {entry.text === '' && entry.audio !== undefined && late && <late.Spoken />}
      {entry.text !== '' && (
        <p class="bubble" dir="auto">
          {entry.text}
        </p>
      )}
      {!queued && again && <again.OwnActions entry={entry} />}
      {queued && (
        <p class="queued">
          <Icon name="offline" />
          {locale.t('queued')}
          <button type="button" class="link-button" onClick={() => chat.unqueue(entry.key)}>
            {locale.t('queuedRemove')}
          </button>
        </p>
      )}
    </li>
  )
}
