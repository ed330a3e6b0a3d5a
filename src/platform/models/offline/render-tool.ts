import type { Language } from '../../../config'
import { fill, PHRASES } from './phrases'

type Facts = Record<string, unknown>

const MAX_FACTS = 8

/** A sentence in the user's language for the result of a system tool. Fields it does not know are listed as they are. */
export function renderToolResult(tool: string, result: unknown, lang: Language): string {
  const phrases = PHRASES[lang]
  const facts = asFacts(result)
  if (facts === null || facts.error !== undefined) return phrases.toolFailed
  if (tool === 'current_time') return renderTime(facts, lang)
  if (tool === 'weather') return renderWeather(facts, lang)
  if (tool === 'ip_geo') return renderPlace(facts, lang)
  return typeof result === 'string' ? result : listFacts(facts)
}

function asFacts(result: unknown): Facts | null {
  if (typeof result === 'string') {
    try {
      return asFacts(JSON.parse(result))
    } catch {
      return { text: result }
    }
  }
  return typeof result === 'object' && result !== null && !Array.isArray(result)
    ? Object.fromEntries(Object.entries(result))
    : null
}

/** The first of the named fields that holds something, as text. */
function field(facts: Facts, ...names: string[]): string | null {
  for (const name of names) {
    const value = facts[name]
    if (typeof value === 'number') return String(value)
    if (typeof value === 'string' && value !== '' && value !== 'unknown') return value
  }
  return null
}

function renderTime(facts: Facts, lang: Language): string {
  const zone = field(facts, 'timezone', 'time_zone', 'zone') ?? 'UTC'
  const instant = field(facts, 'iso', 'utc', 'time', 'datetime', 'now', 'local')
  const date = instant === null ? null : new Date(instant)
  const local = field(facts, 'local', 'formatted', 'text')
  if (date === null || Number.isNaN(date.getTime()))
    return local === null
      ? PHRASES[lang].toolFailed
      : fill(PHRASES[lang].time, { time: local, zone })
  return fill(PHRASES[lang].time, { time: formatTime(date, zone, lang), zone })
}

function formatTime(date: Date, zone: string, lang: Language): string {
  const style: Intl.DateTimeFormatOptions = { dateStyle: 'full', timeStyle: 'short' }
  try {
    return new Intl.DateTimeFormat(lang, { ...style, timeZone: zone }).format(date)
  } catch {
    return new Intl.DateTimeFormat(lang, { ...style, timeZone: 'UTC' }).format(date)
  }
}

function renderWeather(facts: Facts, lang: Language): string {
  const current = asFacts(facts.current) ?? facts
  const place = field(facts, 'place', 'location', 'city', 'name') ?? ''
  const degrees = field(current, 'temperature_c', 'temperature', 'temperature_2m', 'temp_c')
  const parts = [
    field(current, 'condition', 'conditions', 'description', 'summary', 'weather'),
    degrees === null ? null : `${degrees} °C`,
    suffixed(field(current, 'humidity', 'humidity_percent', 'relative_humidity_2m'), '%'),
    suffixed(field(current, 'wind_kmh', 'wind_speed_kmh', 'wind_speed_10m', 'wind'), ' km/h'),
  ].filter((part) => part !== null)
  return parts.length === 0
    ? fill(PHRASES[lang].weatherUnknown, { place })
    : fill(PHRASES[lang].weather, { place, text: parts.join(', ') })
}

const suffixed = (value: string | null, unit: string) => (value === null ? null : `${value}${unit}`)

function renderPlace(facts: Facts, lang: Language): string {
  const place = [
    field(facts, 'city'),
    field(facts, 'region'),
    countryName(field(facts, 'country', 'country_code'), lang),
  ].filter((part) => part !== null)
  return place.length === 0
    ? PHRASES[lang].hereUnknown
    : fill(PHRASES[lang].here, { place: [...new Set(place)].join(', ') })
}

function countryName(country: string | null, lang: Language): string | null {
  if (country === null || !/^[A-Z]{2}$/u.test(country)) return country
  return new Intl.DisplayNames(lang, { type: 'region' }).of(country) ?? country
}

function listFacts(facts: Facts): string {
  return Object.entries(facts)
    .filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value))
    .slice(0, MAX_FACTS)
    .map(([name, value]) => `${name}: ${value}`)
    .join(', ')
}
