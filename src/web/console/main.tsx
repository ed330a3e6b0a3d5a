import { render } from 'preact'
import type { ConsoleBootstrap } from '../../pages/types'
import { chooseLanguage } from '../kit/prefs'
import { App } from './app'
import { loadShell } from './load-shell'

/** Starts the console on the page that the server rendered. */
async function start(): Promise<void> {
  const root = document.getElementById('app')
  const data = document.getElementById('bootstrap')?.textContent
  if (!root || !data) return
  const boot = JSON.parse(data) as ConsoleBootstrap
  try {
    const words = await loadShell(chooseLanguage(boot), boot.locales)
    root.replaceChildren()
    render(<App boot={boot} first={words} />, root)
  } catch {
    document.getElementById('not-loaded')?.removeAttribute('hidden')
  }
}

void start()
