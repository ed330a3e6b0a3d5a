import { useCallback, useEffect, useMemo, useState } from 'preact/hooks'
import type { Language } from '../../config/names'
import type { ConsoleBootstrap } from '../../pages/types'
import { applyLocale, storeLanguage } from '../kit/prefs'
import { ApiContext, createApi } from './api/call'
import { loadShell } from './load-shell'
import { ToastContext } from './parts/toast'
import { forgetKey, readKey, signOut } from './session'
import { Frame } from './shell/frame'
import { SignIn } from './shell/sign-in'
import { ShellContext, type ShellWords } from './words'

interface Props {
  boot: ConsoleBootstrap
  first: ShellWords
}

const TOAST_MS = 4000

/** Who is signed in and in which language; everything else is within. */
export function App({ boot, first }: Props) {
  const [words, setWords] = useState(first)
  const [key, setKey] = useState(readKey)
  const [refused, setRefused] = useState(false)
  const [toast, setToast] = useState('')
  const { lang, dir } = words.format
  useEffect(() => applyLocale({ lang, dir }), [lang, dir])
  useEffect(() => {
    if (toast === '') return undefined
    const timer = setTimeout(() => setToast(''), TOAST_MS)
    return () => clearTimeout(timer)
  }, [toast])

  const speak = useCallback(
    async (wanted: Language) => {
      const next = await loadShell(wanted, boot.locales)
      storeLanguage(wanted)
      setWords(next)
    },
    [boot],
  )
  const onRefusedKey = useCallback(() => {
    forgetKey()
    setKey(null)
    setRefused(true)
  }, [])
  const api = useMemo(
    () => (key === null ? null : createApi({ key, lang, onRefusedKey })),
    [key, lang, onRefusedKey],
  )

  return (
    <ShellContext.Provider value={words}>
      <ToastContext.Provider value={setToast}>
        {api === null ? (
          <SignIn refused={refused} onEnter={setKey} onLanguage={speak} />
        ) : (
          <ApiContext.Provider value={api}>
            <Frame onLanguage={speak} onLeave={signOut} />
          </ApiContext.Provider>
        )}
        <p class={toast === '' ? 'toast sr' : 'toast'} role="status">
          {toast}
        </p>
      </ToastContext.Provider>
    </ShellContext.Provider>
  )
}
