import { parseXml } from './parse-xml'

/** How a number in a cell is meant. */
export type CellFormat = 'plain' | 'date' | 'time' | 'elapsed' | 'datetime' | 'percent'

const HOUR_MS = 3600 * 1000
const DAY_MS = 24 * HOUR_MS
/** Day 0 of the two calendars; the first counts a 29 February 1900 that never was, hence 30 December 1899. */
const EPOCH_1900 = Date.UTC(1899, 11, 30)
const EPOCH_1904 = Date.UTC(1904, 0, 1)
const MAX_DATE = 2_958_466 // 1 January 10000

/** Reads `styles.xml`: the format of each cell style, by its number. */
export function readCellFormats(part: Uint8Array | null): CellFormat[] {
  const formats: CellFormat[] = []
  if (!part) return formats
  const custom = new Map<number, CellFormat>()
  let inCellStyles = false
  parseXml(part, {
    open(name, attributes) {
      if (name === 'numFmt')
        custom.set(Number(attributes.numFmtId), classifyCode(attributes.formatCode ?? ''))
      else if (name === 'cellXfs') inCellStyles = true
      else if (name === 'xf' && inCellStyles) {
        const id = Number(attributes.numFmtId ?? 0)
        formats.push(findBuiltIn(id) ?? custom.get(id) ?? 'plain')
      }
    },
    close(name) {
      if (name === 'cellXfs') inCellStyles = false
    },
  })
  return formats
}

/** The formats every spreadsheet program knows by number (ECMA-376 part 1, 18.8.30). */
function findBuiltIn(id: number): CellFormat | null {
  if (id === 9 || id === 10) return 'percent'
  if (id === 22) return 'datetime'
  if (id === 46) return 'elapsed'
  if ((id >= 18 && id <= 21) || (id >= 45 && id <= 47) || (id >= 32 && id <= 35)) return 'time'
  if ((id >= 14 && id <= 17) || (id >= 27 && id <= 36) || (id >= 50 && id <= 58)) return 'date'
  return null
}

function classifyCode(code: string): CellFormat {
  // Quoted text, escaped characters and colours or locales in brackets are no format letters.
  const letters = code
    .slice(0, 500)
    .toLowerCase()
    .replace(/"[^"]*"|\\.|\[(?!h|m|s)[^[\]]*\]/g, '')
  const date = /[yd]/.test(letters)
  const time = /[hs]/.test(letters)
  if (date && time) return 'datetime'
  if (date) return 'date'
  // Hours that are not taken off by the day.
  if (letters.includes('[h')) return 'elapsed'
  if (time) return 'time'
  return letters.includes('%') ? 'percent' : 'plain'
}

/** A number as its format means it: ISO dates and times, percents, and figures without the noise of binary fractions. */
export function formatCell(value: number, format: CellFormat, date1904: boolean): string {
  if (!Number.isFinite(value)) return ''
  if (format === 'percent') return `${formatNumber(value * 100)}%`
  if (format === 'plain' || value < 0 || value >= MAX_DATE) return formatNumber(value)
  const time = Math.round((value * DAY_MS) / 1000) * 1000
  if (format === 'elapsed') return formatElapsed(time)
  const iso = new Date((date1904 ? EPOCH_1904 : EPOCH_1900) + time).toISOString()
  const clock = iso.slice(11, iso.slice(17, 19) === '00' ? 16 : 19)
  if (format === 'time' && value < 1) return clock
  return format === 'date' || clock === '00:00' ? iso.slice(0, 10) : `${iso.slice(0, 10)} ${clock}`
}

function formatElapsed(ms: number): string {
  const [minutes, seconds] = new Date(ms).toISOString().slice(14, 19).split(':')
  const hours = Math.floor(ms / HOUR_MS)
  return seconds === '00' ? `${hours}:${minutes}` : `${hours}:${minutes}:${seconds}`
}

function formatNumber(value: number): string {
  return String(Number(value.toPrecision(15)))
}
