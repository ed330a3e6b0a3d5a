const NUMERIC = /^[-+(]?[\p{Sc}]?\s?\d[\d\s.,:/%-]*[\p{Sc}%)]?$/u

/**
 * Turns a sheet's rows into lines of text. With a header row every line names its columns (`Price: 5 | City: Paris`), so that a row
 * can be found and quoted on its own; without one the cells follow each other. Empty rows and cells vanish.
 */
export function formatRows(rows: readonly (readonly string[])[]): string[] {
  const cleaned = rows
    .map((row) => row.map((cell) => cell.replace(/\s+/g, ' ').trim()))
    .filter((row) => row.some((cell) => cell !== ''))
  const headerAt = findHeader(cleaned)
  const header = headerAt < 0 ? null : (cleaned[headerAt] ?? null)
  return cleaned
    .filter((_, i) => i !== headerAt)
    .map((row) =>
      row
        .map((cell, column) => {
          if (cell === '') return ''
          const name = header?.[column]
          return name ? `${name}: ${cell}` : cell
        })
        .filter((cell) => cell !== '')
        .join(' | '),
    )
}

/**
 * The header is the first row with at least two cells, when these are distinct words (no figures), as many as the widest of
 * the next rows has, and rows follow. Single-cell rows above it are captions. -1 when there is none.
 */
function findHeader(rows: readonly (readonly string[])[]): number {
  const at = rows.slice(0, 10).findIndex((row) => countFilled(row) >= 2)
  const row = rows[at]
  if (!row || at + 1 >= rows.length) return -1
  const names = row.filter((cell) => cell !== '')
  const words = names.every((name) => name.length <= 100 && !NUMERIC.test(name))
  const widest = Math.max(...rows.slice(at + 1, at + 11).map(countFilled))
  const distinct = new Set(names).size === names.length
  return words && distinct && names.length >= widest ? at : -1
}

function countFilled(row: readonly string[]): number {
  return row.filter((cell) => cell !== '').length
}
