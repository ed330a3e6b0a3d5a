import { render } from 'preact'
import type { ChatBootstrap } from '../../pages/types'
import { Chat } from './chat'
import { loadLocale } from './i18n'
import { applyLocale, chooseLanguage } from './prefs'
import { ChatApp } from './ui/app'

/** Starts the chat app on the page that the server rendered. */
async function start(): Promise<void> {
  const root = document.getElementById('app')
  const data = document.getElementById('bootstrap')?.textContent
  if (!root || !data) return
  const boot = JSON.parse(data) as ChatBootstrap
  const lang = chooseLanguage(boot)
  const locale = await loadLocale(lang, boot.locales)
  const chat = new Chat(boot, lang)
  applyLocale(locale)
  root.replaceChildren()
  render(<ChatApp boot={boot} chat={chat} initial={locale} />, root)
  await chat.restore()
}

void start()
