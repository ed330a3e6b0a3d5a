/**
 * @param {string} source
 * @param {RegExp} part
 * @param {string | ((...groups: string[]) => string)} instead
 * @returns {string} the source with its first such part replaced
 * @throws when there is none: the library is another than the one this was written for
 */
export function replacePart(source, part, instead) {
  if (!part.test(source)) throw new Error(`The library has no such part: ${part}`)
  return source.replace(part, instead)
}

/** As `replacePart`, of every such part; the expression is a global one. */
export function replaceEach(source, part, instead) {
  const changed = source.replaceAll(part, instead)
  if (changed === source) throw new Error(`The library has no such part: ${part}`)
  return changed
}
