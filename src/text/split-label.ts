/**
 * A line `Label: value` of a form that was filled in, by the longest label that is known: labels hold colons too.
 * @returns null for a line that begins with no label.
 */
export function splitLabel(
  line: string,
  isLabel: (label: string) => boolean,
): { label: string; value: string } | null {
  const colons = [...line.matchAll(/[:：]/gu)].slice(0, MOST_COLONS)
  for (const { index } of colons.reverse()) {
    const label = line.slice(0, index)
    if (isLabel(label)) return { label, value: line.slice(index + 1).trim() }
  }
  return null
}

const MOST_COLONS = 12
