/**
 * The browser's storage where there is one. A visitor who forbids it still chats; what would have been kept lasts
 * as long as the page.
 */
const memory = new Map<string, string>()

export function readStored(key: string): string | null {
  try {
    return localStorage.getItem(key) ?? memory.get(key) ?? null
  } catch {
    return memory.get(key) ?? null
  }
}

export function writeStored(key: string, value: string | null): void {
  if (value === null) memory.delete(key)
  else memory.set(key, value)
  try {
    if (value === null) localStorage.removeItem(key)
    else localStorage.setItem(key, value)
  } catch {
    // Forbidden or full: the copy in memory serves until the page is closed.
  }
}

/** Forgets every value whose key begins so. */
export function forgetStored(prefix: string): void {
  const stored = new Set(memory.keys())
  try {
    for (const key of Object.keys(localStorage)) stored.add(key)
  } catch {
    // Forbidden: nothing but the copies in memory was kept.
  }
  for (const key of stored) if (key.startsWith(prefix)) writeStored(key, null)
}

/** Every value whose key begins so gets a key that begins otherwise, unless one has that already. */
export function moveStored(from: string, to: string): void {
  try {
    for (const key of Object.keys(localStorage)) {
      if (!key.startsWith(from)) continue
      const moved = to + key.slice(from.length)
      if (localStorage.getItem(moved) === null) writeStored(moved, localStorage.getItem(key))
      writeStored(key, null)
    }
  } catch {
    // Forbidden: nothing was kept.
  }
}

/** Parsed JSON of a stored value; null when absent or not JSON. */
export function readStoredJson(key: string): unknown {
  const text = readStored(key)
  if (text === null) return null
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Lays by what is stored under a key until this tab is back: other tabs may store something else meanwhile. */
export function keepInTab(key: string, wanted: boolean): void {
  try {
    sessionStorage.setItem(key, (wanted && readStored(key)) || '')
  } catch {
    // Forbidden or full: what is stored when the tab comes back is all there is.
  }
}

/** Stores again what `keepInTab` laid by. */
export function takeFromTab(key: string): void {
  try {
    const text = sessionStorage.getItem(key)
    sessionStorage.removeItem(key)
    if (text) writeStored(key, text)
  } catch {
    // Forbidden: nothing was laid by.
  }
}

/** Where storage is forbidden: lays a value by for the document that takes this one's place. False where it is stored anyway. */
export function keepForNext(key: string): boolean {
  const value = memory.get(key)
  if (value === undefined || isStored(key)) return false
  history.replaceState({ [key]: value }, '')
  return true
}

/** Takes what `keepForNext` laid by. */
export function takeFromLast(key: string): void {
  const value: unknown = history.state?.[key]
  if (typeof value !== 'string') return
  history.replaceState(null, '')
  writeStored(key, value)
}

function isStored(key: string): boolean {
  try {
    return localStorage.getItem(key) !== null
  } catch {
    return false
  }
}
