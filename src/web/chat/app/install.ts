import { readStored, writeStored } from '../../kit/net/storage'

/** What Chromium hands to a page that may be installed. */
export interface InstallEvent extends Event {
  prompt(): Promise<{ outcome: 'accepted' | 'dismissed' }>
}

/** How this browser installs a page: by its own question, or by hand. */
export type InstallWay = 'prompt' | 'ios' | 'menu'

const VISITS_TO_OFFER = 2
export const REPLIES_TO_OFFER = 3

declare global {
  interface Window {
    /** Kept by the early script: the event comes once, maybe before the app runs. */
    parleyInstall?: InstallEvent | null
  }
}

/** The page already runs in a window of its own. */
export function isInstalled(): boolean {
  return (
    matchMedia('(display-mode: standalone)').matches ||
    (navigator as { standalone?: boolean }).standalone === true
  )
}

export function installWay(): InstallWay {
  if (window.parleyInstall) return 'prompt'
  // An iPad says that it is a Mac, but no Mac has a touch screen.
  const isApple =
    /iPhone|iPad|iPod/.test(navigator.userAgent) ||
    (navigator.userAgent.includes('Macintosh') && navigator.maxTouchPoints > 1)
  return isApple ? 'ios' : 'menu'
}

/** Counts a visit once for each tab, and says whether it is at least the second. */
export function isReturning(page: string): boolean {
  const key = `parley:${page}:visits`
  let visits = Number(readStored(key)) || 0
  try {
    if (sessionStorage.getItem(key) === null) {
      sessionStorage.setItem(key, '1')
      visits += 1
      writeStored(key, String(visits))
    }
  } catch {
    // Without storage every visit is the first.
  }
  return visits >= VISITS_TO_OFFER
}

export function wasDismissed(page: string): boolean {
  return readStored(`parley:${page}:install`) === 'no'
}

export function noteDismissal(page: string): void {
  writeStored(`parley:${page}:install`, 'no')
}
