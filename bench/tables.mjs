/** How figures are printed, and held to their targets. */

export const number = (value, digits = 1) => (Number.isFinite(value) ? value.toFixed(digits) : '')

export function printRows(title, heads, rows) {
  const cells = [heads, ...rows.map((row) => row.map(String))]
  const widths = heads.map((_, i) => Math.max(...cells.map((row) => row[i].length)))
  console.log(`\n${title}`)
  for (const row of cells)
    console.log(
      row
        .map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i])))
        .join('  '),
    )
}

export const atMost = (value, limit, { digits = 2, unit = '' } = {}) => ({
  text: `${number(value, digits)}${unit} ≤ ${limit}`,
  isMet: value <= limit,
})
export const atLeast = (value, limit, digits = 2) => ({
  text: `${number(value, digits)} ≥ ${limit}`,
  isMet: value >= limit,
})
export const ratio = (value, beside, limit) => atMost(value / beside, limit)
/** Page 1 and page 500 of a list cost alike, whichever is the slower. */
export const alike = ({ first, far }, limit) =>
  ratio(Math.max(first, far), Math.min(first, far), limit)
export const none = (count) => ({ text: `${count} = 0`, isMet: count === 0 })
