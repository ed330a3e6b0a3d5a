import { parseXml } from './parse-xml'

interface Level {
  format: string
  /** E.g. `%1.%2.`, where `%n` stands for the number of level n. */
  text: string
  start: number
}

const MAX_LEVELS = 9
const MAX_LABEL = 50

/** Counts numbered paragraphs of a document in reading order and gives each its label. */
export class DocxNumbering {
  readonly #lists = new Map<string, Level[]>()
  readonly #counters = new Map<string, number[]>()

  constructor(bytes: Uint8Array | null) {
    if (bytes) this.#parse(bytes)
  }

  /** The label of the next paragraph of a list, `-` for a bullet; null when the list is unknown or shows none. */
  next(numberId: string, level: number): string | null {
    const levels = this.#lists.get(numberId)
    const current = levels?.[level]
    if (!levels || !current || level >= MAX_LEVELS) return null
    if (current.format === 'bullet') return '-'
    if (current.format === 'none') return null
    const counters = this.#counters.get(numberId) ?? []
    this.#counters.set(numberId, counters)
    counters.length = Math.min(counters.length, level + 1)
    for (let i = 0; i < level; i++) counters[i] ??= levels[i]?.start ?? 1
    counters[level] = (counters[level] ?? current.start - 1) + 1
    const label = current.text.replace(/%([1-9])/g, (_, digit: string) => {
      const index = Number(digit) - 1
      return formatNumber(counters[index] ?? 1, levels[index]?.format ?? 'decimal')
    })
    return label.trim() || null
  }

  #parse(bytes: Uint8Array): void {
    const abstracts = new Map<string, Level[]>()
    let levels: Level[] | null = null
    let level: Level | null = null
    let numberId: string | null = null
    parseXml(bytes, {
      open: (name, attributes) => {
        const value = attributes['w:val'] ?? ''
        if (name === 'abstractNum') {
          levels = []
          abstracts.set(attributes['w:abstractNumId'] ?? '', levels)
        } else if (name === 'lvl' && levels) {
          level = { format: 'decimal', text: '', start: 1 }
          const index = Number(attributes['w:ilvl'])
          if (index >= 0 && index < MAX_LEVELS) levels[index] = level
        } else if (name === 'numFmt' && level) level.format = value
        else if (name === 'lvlText' && level) level.text = value.slice(0, MAX_LABEL)
        else if (name === 'start' && level) level.start = Number(value) || 1
        else if (name === 'num') numberId = attributes['w:numId'] ?? null
        else if (name === 'abstractNumId' && numberId !== null) {
          this.#lists.set(numberId, abstracts.get(value) ?? [])
        }
      },
      close(name) {
        if (name === 'abstractNum') levels = null
        else if (name === 'lvl') level = null
        else if (name === 'num') numberId = null
      },
    })
  }
}

const ROMAN: readonly [number, string][] = [
  [1000, 'm'],
  [900, 'cm'],
  [500, 'd'],
  [400, 'cd'],
  [100, 'c'],
  [90, 'xc'],
  [50, 'l'],
  [40, 'xl'],
  [10, 'x'],
  [9, 'ix'],
  [5, 'v'],
  [4, 'iv'],
  [1, 'i'],
]

function formatNumber(value: number, format: string): string {
  if (format === 'lowerRoman') return formatRoman(value)
  if (format === 'upperRoman') return formatRoman(value).toUpperCase()
  if (format === 'lowerLetter') return formatLetter(value)
  if (format === 'upperLetter') return formatLetter(value).toUpperCase()
  return String(value)
}

function formatRoman(value: number): string {
  if (value < 1 || value > 3999) return String(value)
  let rest = value
  let roman = ''
  for (const [size, digits] of ROMAN) {
    while (rest >= size) {
      roman += digits
      rest -= size
    }
  }
  return roman
}

/** a to z, then aa, bb and so on, as word processors count. */
function formatLetter(value: number): string {
  if (value < 1 || value > 26 * 9) return String(value)
  const letter = String.fromCharCode(97 + ((value - 1) % 26))
  return letter.repeat(Math.floor((value - 1) / 26) + 1)
}
