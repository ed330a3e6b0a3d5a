import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Language } from '../../../config/names'
import { Icon } from '../../kit/icons'
import { useLate } from '../app/lazy-app'
import { useApp, useChatState } from './context'
import { LazyAccount } from './lazy-account'

export function Header({ onLanguage }: { onLanguage: (lang: Language) => void }) {
  const { boot, agent, chat, locale, Frame } = useApp()
  const { entries, turn } = useChatState()
  const { tenant } = boot
  return (
    <header class="bar">
      <div class="brand">
        {tenant.logoUrl === null ? (
          <span class="tile" aria-hidden="true">
            {[...agent.name][0]?.toLocaleUpperCase()}
          </span>
        ) : (
          <img class="logo" src={tenant.logoUrl} alt="" />
        )}
        <div class="names">
          <h1 dir="auto">{agent.name}</h1>
          <p class="by" dir="auto">
            {tenant.name}
          </p>
        </div>
      </div>
      <button
        type="button"
        class="button bar-button"
        aria-disabled={turn !== 'idle' || entries.length === 0}
        onClick={() => chat.startNew()}
      >
        <Icon name="newChat" />
        <span class="bar-label">{locale.t('newChat')}</span>
      </button>
      <Menu onLanguage={onLanguage} />
      {Frame !== null && <Frame onLanguage={onLanguage} />}
    </header>
  )
}

/** What is seldom needed, in a panel that Escape or a click elsewhere closes. */
function Menu({ onLanguage }: { onLanguage: (lang: Language) => void }) {
  const { t } = useApp().locale
  const menu = useLate()
  const id = useId()
  const [open, setOpen] = useState(false)
  const root = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const [account, setAccount] = useState(false)
  const close = () => {
    setOpen(false)
    button.current?.focus()
  }

  useLayoutEffect(() => {
    if (!open || menu === null) return
    root.current?.querySelector<HTMLElement>('.popover :is(button, select)')?.focus()
    const end = new AbortController()
    const { signal } = end
    const leave = (event: Event) => {
      if (event.target instanceof Node && !root.current?.contains(event.target)) setOpen(false)
    }
    document.addEventListener('pointerdown', leave, { signal })
    document.addEventListener('focusin', leave, { signal })
    document.addEventListener('keydown', (event) => event.key === 'Escape' && close(), { signal })
    return () => end.abort()
  }, [open, menu])

  return (
    <div class="menu" ref={root}>
      <button
        ref={button}
        type="button"
        class="icon-button"
        aria-label={t('menu')}
        title={t('menu')}
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
      >
        <Icon name="dots" />
      </button>
      <div class="popover" id={id} hidden={!open}>
        {menu !== null && (
          <menu.MenuItems
            onLanguage={onLanguage}
            onDone={close}
            onAccount={() => {
              setOpen(false)
              setAccount(true)
            }}
          />
        )}
      </div>
      {account && (
        <LazyAccount
          onClose={() => {
            setAccount(false)
            button.current?.focus()
          }}
        />
      )}
    </div>
  )
}
