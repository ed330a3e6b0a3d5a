/**
 * Runs before the first paint: applies the visitor's stored theme and language to the document, and says so when the
 * app itself cannot be loaded.
 */
const root = document.documentElement
try {
  const theme = localStorage.getItem('parley:theme')
  if (!root.dataset.theme && (theme === 'light' || theme === 'dark')) root.dataset.theme = theme
  const lang = localStorage.getItem('parley:lang')
  const explicit = new URLSearchParams(location.search).has('lang')
  if (!explicit && lang !== null && /^(en|zh|zh-TW|es|ru|fr|ar)$/.test(lang)) {
    root.lang = lang
    root.dir = lang === 'ar' ? 'rtl' : 'ltr'
  }
} catch {
  // Storage may be forbidden: the page then follows the system and the server.
}

/** The browser's own question waits until the page offers the installation. */
addEventListener('beforeinstallprompt', (event) => {
  event.preventDefault()
  Object.assign(window, { parleyInstall: event })
})

addEventListener(
  'error',
  (event) => {
    if (event.target instanceof HTMLScriptElement) {
      document.getElementById('not-loaded')?.removeAttribute('hidden')
    }
  },
  true,
)
