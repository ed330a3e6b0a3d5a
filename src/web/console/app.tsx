import type { ComponentChildren } from 'preact'
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Language } from '../../config/names'
import type { ConsoleBootstrap } from '../../pages/types'
import { applyLocale, storeLanguage } from '../kit/prefs'
import { ApiContext, createApi } from './api/call'
import { loadShell } from './load-shell'
import { ToastContext } from './parts/toast'
import { hasUnsaved } from './router'
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
  const current = useRef(key)
  const tenant = useRef<string | null>(null)
  const title = useRef('')
  /** Whether the console waits behind the way in, since something in it is not saved. */
  const [waiting, setWaiting] = useState(false)
  /** Of who signed in last: what waited is nobody else's. */
  const [visit, setVisit] = useState(0)
  const onTenant = useCallback((id: string) => {
    tenant.current = id
  }, [])
  const onRefusedKey = useCallback((which: string) => {
    // Of a call that was under way when another key was taken, or when this one was refused already.
    if (which !== current.current) return
    forgetKey()
    current.current = null
    title.current = document.title
    setWaiting(hasUnsaved())
    setKey(null)
    setRefused(true)
  }, [])
  const enter = (given: string, tenantId: string) => {
    current.current = given
    if (waiting && tenantId === tenant.current) document.title = title.current
    else setVisit(visit + 1)
    setWaiting(false)
    setKey(given)
  }
  const api = useMemo(
    () =>
      createApi({
        get key() {
          return current.current
        },
        lang,
        onRefusedKey,
      }),
    [lang, onRefusedKey],
  )
  const away = key === null
  const signIn = <SignIn refused={refused} onEnter={enter} onLanguage={speak} />

  return (
    <ShellContext.Provider value={words}>
      <ToastContext.Provider value={setToast}>
        {(!away || waiting) && (
          <div hidden={away} key={visit}>
            <ApiContext.Provider value={api}>
              <Frame away={away} onTenant={onTenant} onLanguage={speak} onLeave={signOut} />
            </ApiContext.Provider>
          </div>
        )}
        {away && (waiting ? <Over>{signIn}</Over> : signIn)}
        <p class={toast === '' ? 'toast sr' : 'toast'} role="status">
          {toast}
        </p>
      </ToastContext.Provider>
    </ShellContext.Provider>
  )
}

/** Above whatever dialog is open behind it. */
function Over({ children }: { children: ComponentChildren }) {
  const element = useRef<HTMLDialogElement>(null)
  useEffect(() => element.current?.showModal(), [])
  return (
    <dialog class="dialog" ref={element} onClose={() => element.current?.showModal()}>
      {children}
    </dialog>
  )
}
