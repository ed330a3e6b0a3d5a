import { render } from 'preact'
import type { LoginBootstrap } from '../../pages/types'
import { createTranslate } from '../kit/i18n'
import { isolating } from '../kit/isolate'
import { readStored } from '../kit/net/storage'
import { LoginApp } from './app'
import type { MessageKey, Messages } from './words'

/** Starts the login app on the page that the server rendered. */
async function start(): Promise<void> {
  const root = document.getElementById('app')
  const data = document.getElementById('bootstrap')?.textContent
  if (!root || !data) return
  const boot = JSON.parse(data) as LoginBootstrap
  const stored = readStored('parley:lang')
  const known = Object.keys(boot.locales) as LoginBootstrap['lang'][]
  const lang = (boot.langExplicit ? null : known.find((one) => one === stored)) ?? boot.lang
  const messages = await loadMessages(boot.locales[lang])
  if (messages === null) {
    document.getElementById('not-loaded')?.removeAttribute('hidden')
    return
  }
  document.documentElement.lang = lang
  document.documentElement.dir = lang === 'ar' ? 'rtl' : 'ltr'
  root.replaceChildren()
  const t = isolating(lang, createTranslate<MessageKey>(lang, messages))
  render(<LoginApp boot={boot} lang={lang} t={t} />, root)
}

async function loadMessages(address: string): Promise<Messages | null> {
  try {
    const response = await fetch(address)
    return response.ok ? ((await response.json()) as Messages) : null
  } catch {
    return null
  }
}

void start()
