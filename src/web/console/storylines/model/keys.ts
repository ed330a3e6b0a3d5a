export const KEY = /^(?!constructor$)[a-z][a-z0-9_]{0,47}$/

/** A key made of a title: what is no letter or digit of the format becomes an underscore. */
export function keyOf(text: string, fallback: string): string {
  const plain = text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[^a-z]+|_+$/g, '')
    .slice(0, 44)
  return KEY.test(plain) ? plain : fallback
}

/** `base`, else `base_2`, `base_3` …: the first that is not taken. */
export function freeKey(base: string, taken: Iterable<string>): string {
  const used = new Set(taken)
  if (!used.has(base)) return base
  for (let n = 2; ; n++) {
    const key = `${base.slice(0, 44)}_${n}`
    if (!used.has(key)) return key
  }
}
