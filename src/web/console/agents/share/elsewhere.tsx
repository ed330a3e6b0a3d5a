import { KeyValues } from '../../parts'
import { Link } from '../../router'
import type { ShareData } from './load-share'
import { useShareWords } from './words'

/** Ways that are set up for the whole tenant. */
export function Elsewhere({ data: { channels, domain, agent } }: { data: ShareData }) {
  const t = useShareWords()
  return (
    <section class="card stack" aria-labelledby="share-elsewhere">
      <h2 id="share-elsewhere">{t('elsewhere')}</h2>
      <KeyValues
        rows={[
          ...channels.map(
            ({ channel, configured, url, bot_username }) =>
              [
                channel === 'telegram' ? 'Telegram' : channel,
                configured && url !== null ? (
                  <>
                    <a href={url} target="_blank" rel="noopener" dir="ltr">
                      {bot_username === null ? url : `@${bot_username}`}
                    </a>
                    <p class="muted small">{t('channelOn')}</p>
                  </>
                ) : (
                  <>
                    <Link to="/settings/channels">{t('channelSetUp')}</Link>
                    <p class="muted small">{t('channelOff')}</p>
                  </>
                ),
              ] as const,
          ),
          [
            t('ownDomain'),
            <>
              <Link to="/settings/domain">
                {domain === null ? t('domainSetUp') : domain.domain}
              </Link>
              <p class="muted small">{t('domainHint')}</p>
            </>,
          ],
          [
            t('overApi'),
            <>
              <code dir="ltr">{`POST /v1/chat/completions · model: ${agent.name}`}</code>
              <p class="muted small">{t('overApiHint')}</p>
            </>,
          ],
        ]}
      />
    </section>
  )
}
