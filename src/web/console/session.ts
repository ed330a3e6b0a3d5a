/** The tenant's key: in memory, and in this tab's own storage where that was asked for. It is never stored for longer. */
const KEY = 'parley:console-key'
let inMemory: string | null = null

export function readKey(): string | null {
  if (inMemory !== null) return inMemory
  try {
    return sessionStorage.getItem(KEY)
  } catch {
    return null
  }
}

export function keepKey(key: string, inTab: boolean): void {
  inMemory = key
  try {
    if (inTab) sessionStorage.setItem(KEY, key)
    else sessionStorage.removeItem(KEY)
  } catch {
    // Forbidden: the key lasts as long as the page.
  }
}

/**
 * Ends the visit. The page begins anew, so that nothing of the tenant is left in its memory, its title or its address,
 * nor in this tab's storage.
 */
export function signOut(): void {
  forgetKey()
  try {
    sessionStorage.clear()
  } catch {
    // Forbidden: nothing was kept.
  }
  history.replaceState(null, '', '#/')
  location.reload()
}

/** The key is no good any more. */
export function forgetKey(): void {
  inMemory = null
  try {
    sessionStorage.removeItem(KEY)
  } catch {
    // Forbidden: nothing was kept.
  }
}
