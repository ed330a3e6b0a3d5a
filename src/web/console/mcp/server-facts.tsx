import { KeyValues, Notice, Said, Time } from '../parts'
import type { Server } from './server'
import { ServerState } from './server-state'
import { useMcpWords } from './words'

/** A check says each thing in a sentence of its own. */
const SENTENCES = /(?<=\.) (?=[A-Z])/

/** Where a server is, how it is, and what its last check said. */
export function ServerFacts({ of: server }: { of: Server }) {
  const t = useMcpWords()
  const { status, transport, config, last_error, last_checked_at } = server
  return (
    <>
      {last_error && (
        <Notice tone={status === 'failed' ? 'bad' : 'warn'}>
          {last_error.split(SENTENCES).map((sentence) => (
            <p key={sentence}>
              <Said text={sentence} />
            </p>
          ))}
        </Notice>
      )}
      <KeyValues
        rows={[
          [t('status'), <ServerState of={server} />],
          [t('address'), <bdi class="small server-address">{config.url}</bdi>],
          [t('transport'), t(transport === 'sse' ? 'sse' : 'streamableHttp')],
          [
            t('headers'),
            config.headers.length > 0 ? (
              <code dir="ltr">{config.headers.join(', ')}</code>
            ) : (
              <span class="muted">{t('noHeaders')}</span>
            ),
          ],
          [t('checked'), <Time at={last_checked_at} />],
          [t('addedAt'), <Time at={server.created_at} />],
        ]}
      />
    </>
  )
}
