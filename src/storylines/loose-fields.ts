import { isObject, type Json } from '../text/json'
import type { StoryText } from './graph'

/** An object of a graph in another shape: any field may be there, and hold anything. */
export type Loose = Json

/** What it says, under any of the usual names. */
export function textOf(loose: Loose): StoryText | undefined {
  const text = loose.say ?? loose.text ?? loose.message ?? loose.content
  if (typeof text === 'string' && text !== '') return text
  return isTextMap(text) && Object.keys(text).length > 0 ? text : undefined
}

/** How long it waits, in whole minutes, 90 days at most. */
export function minutesOf({ minutes, hours, days, seconds }: Loose): number {
  const all = [
    [minutes, 1],
    [hours, 60],
    [days, 1440],
    [seconds, 1 / 60],
  ] as const
  const sum = all.reduce(
    (total, [n, factor]) => total + (typeof n === 'number' ? n : 0) * factor,
    0,
  )
  return Math.min(Math.max(Math.ceil(sum), 1), 129_600)
}

/** The first of these fields that holds a text. */
export function firstText(loose: Loose, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = loose[name]
    if (typeof value === 'string' && value !== '') return value
  }
  return undefined
}

export function isArrayOfObjects(value: unknown): value is Loose[] {
  return Array.isArray(value) && value.every(isObject)
}

export function isTextMap(value: unknown): value is Record<string, string> {
  return isObject(value) && Object.values(value).every((one) => typeof one === 'string')
}
