import type { Language } from '../../config/names'
import { readStored, writeStored } from './net/storage'

export type Theme = 'auto' | 'light' | 'dark'

const THEME_KEY = 'parley:theme'
const LANG_KEY = 'parley:lang'

/** Every language by its own name, in the order of the menu. */
const LANGUAGE_NAMES: Record<Language, string> = {
  en: 'English',
  zh: '简体中文',
  'zh-TW': '繁體中文',
  es: 'Español',
  ru: 'Русский',
  fr: 'Français',
  ar: 'العربية',
}

export const LANGUAGES = Object.entries(LANGUAGE_NAMES) as readonly [Language, string][]

/** The theme that the page has; the early script took it from the address or from what was stored. */
export function currentTheme(): Theme {
  const { theme } = document.documentElement.dataset
  return theme === 'light' || theme === 'dark' ? theme : 'auto'
}

export function applyTheme(theme: Theme): void {
  const root = document.documentElement
  if (theme === 'auto') delete root.dataset.theme
  else root.dataset.theme = theme
  writeStored(THEME_KEY, theme === 'auto' ? null : theme)
}

/** The address's language, else the visitor's stored choice, else what the server took from the browser. */
export function chooseLanguage(boot: { lang: Language }): Language {
  // The address decides by itself too: without a network the page is one that was kept for any language.
  const asked = new URLSearchParams(location.search).get('lang')
  const named = LANGUAGES.find(([lang]) => lang === asked)
  if (named) return named[0]
  const stored = readStored(LANG_KEY)
  return LANGUAGES.find(([lang]) => lang === stored)?.[0] ?? boot.lang
}

export function storeLanguage(lang: Language): void {
  writeStored(LANG_KEY, lang)
  const url = new URL(location.href)
  if (!url.searchParams.has('lang')) return
  url.searchParams.delete('lang')
  history.replaceState(history.state, '', url)
}

export function applyLocale({ lang, dir }: { lang: Language; dir: 'ltr' | 'rtl' }): void {
  document.documentElement.lang = lang
  document.documentElement.dir = dir
}
