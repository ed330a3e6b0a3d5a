import { Badge, IconButton, KeyValues, Time, useToast } from '../parts'
import { Link, to } from '../router'
import { useFormat, useShell } from '../words'
import { SignIn } from './sign-in'
import type { Detail } from './types'
import { usePeople } from './words'

export function AboutUser({ user }: { user: Detail }) {
  const t = usePeople()
  const shell = useShell()
  const format = useFormat()
  const text = (value: string | null) =>
    value ? <bdi>{value}</bdi> : <span class="muted">{shell('none')}</span>
  return (
    <>
      <dl class="usage-figures">
        <Figure label={t('spaces')} value={format.number(user.space_count)} />
        <Figure label={t('chats')} value={format.number(user.session_count)} />
        <Figure label={t('documents')} value={format.number(user.document_count)} />
        <Figure label={t('tokens24h')} value={format.number(user.tokens_24h)} />
      </dl>
      <div class="grid2 about-user">
        <section class="card stack tight">
          <h2>{t('account')}</h2>
          <KeyValues
            rows={[
              [t('userId'), <Id key="i" text={user.id} />],
              // Whoever signs in here has no other id than the user's own.
              ...(user.external_user_id === user.id
                ? []
                : [[t('externalId'), <Id key="x" text={user.external_user_id} />] as const]),
              [t('signIn'), <SignIn key="s" auth={user.auth} />],
              [t('email'), <Email key="e" user={user} />],
              [shell('created'), <Time key="c" at={user.created_at} />],
              [t('consent'), <Consent key="o" user={user} />],
            ]}
          />
        </section>
        <section class="card stack tight">
          <h2>{t('contacts')}</h2>
          <KeyValues
            rows={[
              [t('prefName'), text(user.pref_name)],
              [t('contactEmail'), text(user.contact_email)],
              [t('phone'), text(user.contact_phone)],
              [t('city'), text(user.pref_city)],
              [t('timezone'), text(user.pref_timezone)],
            ]}
          />
        </section>
      </div>
    </>
  )
}

function Figure({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  )
}

function Id({ text }: { text: string }) {
  const shell = useShell()
  const say = useToast()
  const copy = () =>
    void navigator.clipboard.writeText(text).then(
      () => say(shell('copied')),
      () => say(shell('notCopied')),
    )
  return (
    <span class="id-value">
      <bdi class="mono small" dir="ltr">
        {text}
      </bdi>
      <IconButton icon="copy" label={shell('copy')} onClick={copy} />
    </span>
  )
}

function Email({ user: { email, email_verified: isVerified } }: { user: Detail }) {
  const t = usePeople()
  const shell = useShell()
  if (email === null) return <span class="muted">{shell('none')}</span>
  return (
    <span class="row">
      <bdi>{email}</bdi>
      {isVerified ? (
        <Badge tone="ok">{t('emailVerified')}</Badge>
      ) : (
        <Badge tone="warn">{t('emailUnverified')}</Badge>
      )}
    </span>
  )
}

function Consent({ user: { consent } }: { user: Detail }) {
  const t = usePeople()
  if (consent === null) return <span class="muted">{t('noConsent')}</span>
  return (
    <span class="stack tight">
      <Time at={consent.at} />
      {consent.text_hash !== '' && (
        <span class="small muted">
          {t('consentHash')} <span class="mono breaks-anywhere">{consent.text_hash}</span>
        </span>
      )}
    </span>
  )
}

/** What was touched last, chats and documents alike. */
export function Recent({ user }: { user: Detail }) {
  const t = usePeople()
  const format = useFormat()
  if (user.recent_refs.length === 0) return null
  return (
    <section class="card stack tight">
      <h2>{t('recent')}</h2>
      <ul class="bare-list">
        {user.recent_refs.map(({ type, id, title, at }) => (
          <li key={id} class="row spread">
            {type === 'session' ? (
              <Link to={to`/sessions/${id}`}>
                <bdi>{title ?? t('untitledChat')}</bdi>
              </Link>
            ) : (
              <bdi>{title ?? t('untitledDocument')}</bdi>
            )}
            <span class="small muted">
              {t(type === 'session' ? 'chat' : 'document')} · {format.ago(at)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
