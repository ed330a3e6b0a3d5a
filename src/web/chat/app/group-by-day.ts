import type { Locale } from '../i18n'

/** When a day begins by the visitor's clock, which changes twice a year: not every day has 24 hours. */
const startOfDay = (now: number, daysAgo: number): number =>
  new Date(now).setHours(-24 * daysAgo, 0, 0, 0)

/** What a chat's group does not say already: the hour of today and yesterday, else the day. */
export function whenIn(
  { time, day }: Pick<Locale, 'time' | 'day'>,
  at: number,
  now: number,
): string {
  return at >= startOfDay(now, 1) ? time(at) : day(at)
}

/** Today, yesterday, and before that by month, as the language says it; in the order of the list. */
export function groupByDay<T extends { updatedAt: string }>(
  chats: readonly T[],
  { lang }: Pick<Locale, 'lang'>,
  now: number,
): [day: string, chats: T[]][] {
  const days = new Intl.RelativeTimeFormat(lang, { numeric: 'auto' })
  const months = new Intl.DateTimeFormat(lang, { month: 'long', year: 'numeric' })
  const groups = new Map<string, T[]>()
  for (const chat of chats) {
    const at = Date.parse(chat.updatedAt)
    const day =
      at >= startOfDay(now, 0)
        ? days.format(0, 'day')
        : at >= startOfDay(now, 1)
          ? days.format(-1, 'day')
          : months.format(at)
    groups.set(day, [...(groups.get(day) ?? []), chat])
  }
  return [...groups]
}
