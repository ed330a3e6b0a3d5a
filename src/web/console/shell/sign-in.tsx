import { useEffect, useRef, useState } from 'preact/hooks'
import type { Language } from '../../../config/names'
import { createApi } from '../api/call'
import { Button, Problem, SecretField } from '../parts'
import { keepKey } from '../session'
import type { TenantFacts } from '../tenant'
import { useAct } from '../use-load'
import { useFormat, useShell } from '../words'
import { LanguageSelect } from './language-select'

interface Props {
  /** The key that was in use is no good any more. */
  refused: boolean
  onEnter: (key: string, tenantId: string) => void
  onLanguage: (lang: Language) => Promise<void>
}

/** The way in: by a key of the tenant, which the API is asked about before it is taken. */
export function SignIn({ refused, onEnter, onLanguage }: Props) {
  const t = useShell()
  const { lang } = useFormat()
  const { busy, problem, act } = useAct()
  const [key, setKey] = useState('')
  const [keep, setKeep] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    form.current?.querySelector('input')?.focus()
  }, [])
  useEffect(() => {
    document.title = `${t('signInTitle')} · Parley`
  }, [t])
  const enter = (event: Event) => {
    event.preventDefault()
    const given = key.trim()
    if (given === '') return
    void act(async () => {
      const api = createApi({ key: given, lang, onRefusedKey: () => undefined })
      const { tenant_id } = await api.get<TenantFacts>('/v1/tenant/me')
      keepKey(given, keep)
      onEnter(given, tenant_id)
    })
  }
  const wrong = problem?.status === 401 ? t('wrongKey') : null
  return (
    <main class="sign-in">
      <h1>{t('signInTitle')}</h1>
      <p class="muted">{t('signInText')}</p>
      {refused && problem === null && (
        <p class="notice warn" role="alert">
          {t('keyEnded')}
        </p>
      )}
      <form class="stack" ref={form} noValidate onSubmit={enter}>
        <SecretField
          label={t('apiKey')}
          value={key}
          onInput={setKey}
          placeholder="pk_…"
          hint={t('apiKeyHint')}
          error={wrong}
        />
        <label class="check-row">
          <input
            type="checkbox"
            checked={keep}
            onChange={(event) => setKeep(event.currentTarget.checked)}
          />
          <span>
            {t('keepInTab')}
            <span class="hint">{t('keepInTabHint')}</span>
          </span>
        </label>
        {wrong === null && <Problem of={problem} />}
        <Button kind="primary" type="submit" busy={busy} disabled={key.trim() === ''}>
          {t('signIn')}
        </Button>
      </form>
      <LanguageSelect onLanguage={onLanguage} />
    </main>
  )
}
