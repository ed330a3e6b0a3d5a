import { useState } from 'preact/hooks'
import { useShell } from '../words'
import { Button } from './button'
import { Segmented } from './choices'
import { CodeBlock } from './copy'
import { Dialog } from './dialog'
import { asCurl, asTypeScript, type WrittenCall } from './write-call'

/** The call behind what the page shows, to be taken into a program. The key is never written into it. */
export function CallThisApi(call: WrittenCall) {
  const t = useShell()
  const [open, setOpen] = useState(false)
  const [language, setLanguage] = useState<'curl' | 'ts'>('curl')
  const text = (language === 'curl' ? asCurl : asTypeScript)(location.origin, call)
  return (
    <>
      <Button kind="quiet" icon="code" onClick={() => setOpen(true)}>
        {t('callApi')}
      </Button>
      {open && (
        <Dialog drawer title={t('callApi')} onClose={() => setOpen(false)}>
          <Segmented
            label={t('callApi')}
            value={language}
            options={[
              { value: 'curl', label: 'curl' },
              { value: 'ts', label: 'TypeScript' },
            ]}
            onChange={setLanguage}
          />
          <CodeBlock text={text} label={t('callApi')} />
          <p class="hint">{t('callApiHint')}</p>
        </Dialog>
      )}
    </>
  )
}
