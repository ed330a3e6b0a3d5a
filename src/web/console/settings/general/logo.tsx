import { useState } from 'preact/hooks'
import { useApi } from '../../api/call'
import { FileField, Problem, useToast } from '../../parts'
import { useAct } from '../../use-load'
import { useGeneralWords } from './words'

/** Stored as soon as it is chosen: a picture is no draft. */
export function Logo({ address }: { address: string | null }) {
  const t = useGeneralWords()
  const api = useApi()
  const say = useToast()
  const { busy, problem, act } = useAct()
  const [shown, setShown] = useState(address)
  const upload = ([file]: File[]) =>
    act(async () => {
      if (file === undefined) return
      const form = new FormData()
      form.set('file', file)
      const { logo_url } = await api.post<{ logo_url: string }>('/v1/tenant/settings/logo', form)
      setShown(logo_url)
      say(t('logoSaved'))
    })
  return (
    <div class="stack settings-logo">
      <p class="settings-label">{t('logo')}</p>
      {shown !== null && (
        // The page may show pictures of its own origin alone, and logos are named by the public one.
        <img src={new URL(shown).pathname} alt={t('logoAlt')} />
      )}
      <FileField
        label={t(shown === null ? 'chooseLogo' : 'replaceLogo')}
        hint={t('logoHint')}
        accept="image/png,image/jpeg,image/webp"
        disabled={busy}
        onFiles={(files) => void upload(files)}
      />
      <Problem of={problem} />
    </div>
  )
}
