import type { Language } from '../config/names'
import { fill } from '../text/fill'
import type { Phrases } from './pack'

type Facts = Record<string, unknown>

const MAX_FACTS = 8

/**
 * A sentence in the user's language for the result of a system tool. Fields it does not know are listed as they are.
 * @param phrases those of the language
 */
export function renderToolResult(
  tool: string,
  result: unknown,
  lang: Language,
  phrases: Phrases,
): string {
  const facts = asFacts(result)
  if (facts === null || facts.error !== undefined) return phrases.toolFailed
  if (tool === 'current_time') return renderTime(facts, lang, phrases)
  if (tool === 'weather') return renderWeather(facts, lang, phrases)
  if (tool === 'ip_geo') return renderPlace(facts, lang, phrases)
  if (tool === 'schedule_reminder') return renderReminder(facts, lang, phrases)
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

function renderTime(facts: Facts, lang: Language, phrases: Phrases): string {
  const zone = field(facts, 'timezone', 'time_zone', 'zone') ?? 'UTC'
  const instant = field(facts, 'iso', 'utc', 'time', 'datetime', 'now', 'local')
  const date = instant === null ? null : new Date(instant)
  const local = field(facts, 'local', 'formatted', 'text')
  if (date === null || Number.isNaN(date.getTime()))
    return local === null ? phrases.toolFailed : fill(phrases.time, { time: local, zone })
  return fill(phrases.time, { time: formatTime(date, zone, lang), zone })
}

function formatTime(date: Date, zone: string, lang: Language): string {
  const style: Intl.DateTimeFormatOptions = { dateStyle: 'full', timeStyle: 'short' }
  try {
    return new Intl.DateTimeFormat(lang, { ...style, timeZone: zone }).format(date)
  } catch {
    return new Intl.DateTimeFormat(lang, { ...style, timeZone: 'UTC' }).format(date)
  }
}

function renderReminder(facts: Facts, lang: Language, phrases: Phrases): string {
  const zone = field(facts, 'timezone') ?? 'UTC'
  const due = Date.parse(field(facts, 'due_at') ?? '')
  if (Number.isNaN(due)) return phrases.toolFailed
  return fill(phrases.reminded, {
    time: formatTime(new Date(due), zone, lang),
    zone,
  })
}

function renderWeather(facts: Facts, lang: Language, phrases: Phrases): string {
  const current = asFacts(facts.current) ?? facts
  const place = field(facts, 'place', 'location', 'city', 'name') ?? ''
  const degrees = field(current, 'temperature_c', 'temperature', 'temperature_2m', 'temp_c')
  const parts = [
    localSky(field(current, 'sky', 'condition', 'description'), lang),
    degrees === null ? null : `${degrees} °C`,
    suffixed(field(current, 'humidity', 'humidity_percent', 'relative_humidity_2m'), '%'),
    suffixed(field(current, 'wind_kmh', 'wind_speed_kmh', 'wind_speed_10m', 'wind'), ' km/h'),
  ].filter((part) => part !== null)
  // Asked of no place, by a connection that gives none.
  if (parts.length === 0 && place === '') return phrases.hereUnknown
  return parts.length === 0
    ? fill(phrases.weatherUnknown, { place })
    : fill(phrases.weather, { place, text: parts.join(', ') })
}

/** The weather tool's words for the sky; what is not listed is said as it came. */
const SKIES: Record<string, Omit<Record<Language, string>, 'en'>> = {
  'clear sky': {
    zh: '晴',
    'zh-TW': '晴',
    es: 'despejado',
    ru: 'ясно',
    fr: 'ciel dégagé',
    ar: 'سماء صافية',
  },
  'mainly clear': {
    zh: '大致晴朗',
    'zh-TW': '大致晴朗',
    es: 'mayormente despejado',
    ru: 'малооблачно',
    fr: 'plutôt dégagé',
    ar: 'صحو غالبًا',
  },
  'partly cloudy': {
    zh: '局部多云',
    'zh-TW': '局部多雲',
    es: 'parcialmente nublado',
    ru: 'переменная облачность',
    fr: 'partiellement nuageux',
    ar: 'غائم جزئيًا',
  },
  overcast: { zh: '阴', 'zh-TW': '陰', es: 'cubierto', ru: 'пасмурно', fr: 'couvert', ar: 'غائم' },
  fog: { zh: '雾', 'zh-TW': '霧', es: 'niebla', ru: 'туман', fr: 'brouillard', ar: 'ضباب' },
  drizzle: {
    zh: '毛毛雨',
    'zh-TW': '毛毛雨',
    es: 'llovizna',
    ru: 'морось',
    fr: 'bruine',
    ar: 'رذاذ',
  },
  rain: { zh: '雨', 'zh-TW': '雨', es: 'lluvia', ru: 'дождь', fr: 'pluie', ar: 'مطر' },
  snow: { zh: '雪', 'zh-TW': '雪', es: 'nieve', ru: 'снег', fr: 'neige', ar: 'ثلج' },
  'rain showers': {
    zh: '阵雨',
    'zh-TW': '陣雨',
    es: 'chubascos',
    ru: 'ливни',
    fr: 'averses',
    ar: 'زخات مطر',
  },
  'snow showers': {
    zh: '阵雪',
    'zh-TW': '陣雪',
    es: 'chubascos de nieve',
    ru: 'снежные заряды',
    fr: 'averses de neige',
    ar: 'زخات ثلج',
  },
  thunderstorm: {
    zh: '雷雨',
    'zh-TW': '雷雨',
    es: 'tormenta',
    ru: 'гроза',
    fr: 'orage',
    ar: 'عاصفة رعدية',
  },
}

function localSky(sky: string | null, lang: Language): string | null {
  return sky === null || lang === 'en' ? sky : (SKIES[sky]?.[lang] ?? sky)
}

const suffixed = (value: string | null, unit: string) => (value === null ? null : `${value}${unit}`)

function renderPlace(facts: Facts, lang: Language, phrases: Phrases): string {
  const place = [
    field(facts, 'city'),
    field(facts, 'region'),
    countryName(field(facts, 'country', 'country_code'), lang),
  ].filter((part) => part !== null)
  return place.length === 0
    ? phrases.hereUnknown
    : fill(phrases.here, { place: [...new Set(place)].join(', ') })
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
