import { render } from 'preact'
import type { ChatBootstrap } from '../../pages/types'
import { moveStored } from '../kit/net/storage'
import { applyLocale, chooseLanguage } from '../kit/prefs'
import { Chat } from './chat'
import { loadLocale } from './i18n'
import { ChatApp } from './ui/app'

/** Starts the chat app on the page that the server rendered. */
async function start(): Promise<void> {
  const root = document.getElementById('app')
  const data = document.getElementById('bootstrap')?.textContent
  if (!root || !data) return
  const boot = JSON.parse(data) as ChatBootstrap
  const kept = (agent: string) => `parley:${boot.tenant.id}:${agent}:`
  // Earlier pages kept it under the agent's name.
  moveStored(kept(boot.agent.name), kept(boot.agent.id))
  const lang = chooseLanguage(boot)
  // The language of the page itself is always kept beside it.
  const [locale, frame] = await Promise.all([
    loadLocale(lang, boot.locales)
      .catch(() => loadLocale(boot.lang, boot.locales))
      .catch(() => null),
    boot.framed ? import('./frame/frame').catch(() => null) : null,
  ])
  if (locale === null) {
    document.getElementById('not-loaded')?.removeAttribute('hidden')
    return
  }
  const chat = new Chat(boot, lang)
  applyLocale(locale)
  root.replaceChildren()
  followKeyboard()
  render(<ChatApp boot={boot} chat={chat} initial={locale} Frame={frame?.Frame ?? null} />, root)
  await chat.restore()
}

/** Keeps the page as high as what an on-screen keyboard leaves visible. Pinch zoom is left alone. */
function followKeyboard(): void {
  const view = window.visualViewport
  view?.addEventListener('resize', () => {
    if (Math.abs(view.scale - 1) > 0.01) return
    document.documentElement.style.setProperty('--visible', `${view.height}px`)
    window.scrollTo(0, 0)
  })
}

void start()
