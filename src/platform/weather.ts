import * as z from 'zod'
import type { EdgePlace } from '../chat/turn'
import { type EgressContext, guardedFetch } from './egress'

const Places = z.object({
  results: z
    .array(
      z.object({
        name: z.string(),
        country: z.string().optional(),
        latitude: z.number(),
        longitude: z.number(),
      }),
    )
    .optional(),
})
const Forecast = z.object({
  current: z.object({
    time: z.string(),
    temperature_2m: z.number(),
    apparent_temperature: z.number(),
    relative_humidity_2m: z.number(),
    wind_speed_10m: z.number(),
    weather_code: z.int(),
  }),
  daily: z.object({
    time: z.array(z.string()),
    temperature_2m_max: z.array(z.number()),
    temperature_2m_min: z.array(z.number()),
    precipitation_sum: z.array(z.number()),
    weather_code: z.array(z.int()),
  }),
})

/** WMO weather interpretation codes (table 4677), as Open-Meteo reports them. */
const SKIES: [upTo: number, words: string][] = [
  [0, 'clear sky'],
  [1, 'mainly clear'],
  [2, 'partly cloudy'],
  [3, 'overcast'],
  [48, 'fog'],
  [57, 'drizzle'],
  [67, 'rain'],
  [77, 'snow'],
  [82, 'rain showers'],
  [86, 'snow showers'],
  [99, 'thunderstorm'],
]
const FORECAST_DAYS = 3

/**
 * Current weather and three days from Open-Meteo's public API, temperatures in °C, wind in km/h, rain in mm.
 * @param baseUrl the forecast API's origin; a deployment may point it at its own copy, which then also answers the place search.
 * @returns an `error` field instead of throwing: the model tells the user.
 */
export async function fetchWeather(
  policy: EgressContext,
  baseUrl: string,
  query: { city: string | null; place: EdgePlace | null },
): Promise<unknown> {
  try {
    const spot =
      query.city === null ? spotOf(query.place) : await findCity(policy, baseUrl, query.city)
    if (!spot)
      return {
        error:
          query.city === null
            ? 'The user’s location is unknown; ask for a city.'
            : `No city named "${query.city}" was found.`,
      }
    const url = new URL('/v1/forecast', baseUrl)
    url.search = new URLSearchParams({
      latitude: String(spot.latitude),
      longitude: String(spot.longitude),
      timezone: 'auto',
      forecast_days: String(FORECAST_DAYS),
      current:
        'temperature_2m,apparent_temperature,relative_humidity_2m,wind_speed_10m,weather_code',
      daily: 'temperature_2m_max,temperature_2m_min,precipitation_sum,weather_code',
    }).toString()
    const { current, daily } = Forecast.parse(await getJson(policy, url))
    return {
      place: spot.name,
      time: current.time,
      temperature_c: current.temperature_2m,
      feels_like_c: current.apparent_temperature,
      humidity_percent: current.relative_humidity_2m,
      wind_kmh: current.wind_speed_10m,
      sky: skyOf(current.weather_code),
      forecast: daily.time.map((date, day) => ({
        date,
        max_c: daily.temperature_2m_max[day],
        min_c: daily.temperature_2m_min[day],
        rain_mm: daily.precipitation_sum[day],
        sky: skyOf(daily.weather_code[day] ?? 0),
      })),
    }
  } catch {
    return { error: 'The weather service cannot be reached right now.' }
  }
}

function spotOf(place: EdgePlace | null) {
  if (place?.latitude == null || place.longitude == null) return null
  return {
    name: [place.city, place.country].filter(Boolean).join(', ') || 'your location',
    latitude: place.latitude,
    longitude: place.longitude,
  }
}

const SEARCH_HOST = 'https://geocoding-api.open-meteo.com'
const PUBLIC_API = 'https://api.open-meteo.com'

async function findCity(policy: EgressContext, baseUrl: string, city: string) {
  const url = new URL('/v1/search', baseUrl === PUBLIC_API ? SEARCH_HOST : baseUrl)
  url.search = new URLSearchParams({ name: city, count: '1', format: 'json' }).toString()
  const found = Places.parse(await getJson(policy, url)).results?.[0]
  return (
    found && {
      name: [found.name, found.country].filter(Boolean).join(', '),
      latitude: found.latitude,
      longitude: found.longitude,
    }
  )
}

async function getJson(policy: EgressContext, url: URL): Promise<unknown> {
  const response = await guardedFetch(policy, url.href)
  if (!response.ok) throw new Error(`The weather service answered ${response.status}`)
  return response.json()
}

function skyOf(code: number): string {
  return SKIES.find(([upTo]) => code <= upTo)?.[1] ?? 'unknown'
}
