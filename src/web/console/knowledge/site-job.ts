const keyOf = (base: string) => `console:site-import:${base}`

/** The import of a site that this tab began last for a base; the API names them only when they begin. */
export function rememberedJob(base: string): string | null {
  try {
    return sessionStorage.getItem(keyOf(base))
  } catch {
    return null
  }
}

/** A browser that keeps nothing forgets it with the page. */
export function rememberJob(base: string, id: string | null): void {
  try {
    if (id === null) sessionStorage.removeItem(keyOf(base))
    else sessionStorage.setItem(keyOf(base), id)
  } catch {
    // The import runs on; only its progress is not shown after the page is left.
  }
}
