const LOADED = Promise.resolve()

/** Lists in a module that is loaded late: once an isolate. */
export interface LateLists<T> {
  /** A failure is told to whoever waits, and the next one tries again. */
  load(): Promise<void>
  /** Null as long as nothing is loaded. */
  get(): T | null
}

/** @param load imports the module. */
export function loadOnce<T>(load: () => Promise<T>): LateLists<T> {
  let lists: T | null = null
  let loading: Promise<void> | null = null
  return {
    load() {
      if (lists !== null) return LOADED
      loading ??= load()
        .then((loaded) => {
          lists = loaded
        })
        .finally(() => {
          loading = null
        })
      return loading
    },
    get: () => lists,
  }
}
