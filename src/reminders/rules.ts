import { DAY_MS, HOUR_MS, MINUTE_MS, REMINDERS, SECOND_MS } from '../config/limits'
import { instantOf, isZone, zoneNamed } from './zone-time'

/** The rules that a reminder and a follow-up obey, whoever makes them: the user by hand, or a model by its tool. */

export type ReminderStatus = 'pending' | 'sent' | 'failed' | 'cancelled'
export type ReminderMove = 'deliver' | 'fail' | 'cancel' | 'lose'

const MOVES: Record<ReminderMove, { from: ReminderStatus; to: ReminderStatus }> = {
  deliver: { from: 'pending', to: 'sent' },
  fail: { from: 'pending', to: 'failed' },
  cancel: { from: 'pending', to: 'cancelled' },
  /** Nobody listened when it fell due, and every other way that was tried failed. */
  lose: { from: 'sent', to: 'failed' },
}

/** @returns the next status, or null when the move is not possible. */
export function moveReminder(status: ReminderStatus, move: ReminderMove): ReminderStatus | null {
  return status === MOVES[move].from ? MOVES[move].to : null
}

/** What became of a reminder at one channel; `none`: the user cannot be reached there, which is no failure. */
export type ChannelOutcome = 'sent' | 'failed' | 'none'

/** Whether a reminder that was told to an empty room reached nobody by any other way either. */
export function isLost(away: boolean, outcomes: readonly ChannelOutcome[]): boolean {
  return away && outcomes.includes('failed') && !outcomes.includes('sent')
}

export interface DueInput {
  /** A date and time, with or without offset, or an ISO 8601 duration from now such as `PT45M`. */
  dueAt: string
  timezone: string | null
}

export type DueTime =
  | { ok: true; dueAt: number; timezone: string }
  | { ok: false; field: 'due_at' | 'timezone'; problem: string }

const FORM =
  'a date and time such as 2026-11-21T09:00 (read in the time zone) or 2026-11-21T09:00:00Z'
const DATE_TIME =
  /^(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s?(Z|[+-]\d{2}(?::?\d{2})?)?$/i
const DURATION = /^P(?:(\d{1,3})D)?(?:T(?:(\d{1,4})H)?(?:(\d{1,6})M)?(?:(\d{1,8})S)?)?$/i

/**
 * When a reminder falls due. Without an offset the time is read in the given zone, else in the profile's, else in UTC.
 * @param leadMs how far ahead it must be at least; one calendar year is the most.
 */
export function readDue(
  { dueAt, timezone }: DueInput,
  profileZone: string | null,
  now: number,
  leadMs: number,
): DueTime {
  const named = timezone === null ? null : zoneNamed(timezone)
  if (timezone !== null && named === null) {
    return { ok: false, field: 'timezone', problem: 'not an IANA time zone such as Europe/Paris' }
  }
  const zone = named ?? (profileZone !== null && isZone(profileZone) ? profileZone : 'UTC')
  const text = dueAt.trim()
  const instant = readDuration(text, now) ?? readDateTime(text, zone)
  const refuse = (problem: string): DueTime => ({ ok: false, field: 'due_at', problem })
  if (instant === null) return refuse(FORM)
  if (instant < now + leadMs) {
    return refuse(`the time must be at least ${Math.ceil(leadMs / SECOND_MS)} seconds ahead`)
  }
  if (instant > yearsAfter(now, REMINDERS.yearsAhead)) {
    return refuse('the time must be at most one year ahead')
  }
  return { ok: true, dueAt: instant, timezone: zone }
}

function readDuration(text: string, now: number): number | null {
  const match = DURATION.exec(text)
  if (!match || !/\d/.test(text) || /T$/i.test(text)) return null
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = match
    .slice(1)
    .map((part) => Number(part ?? 0))
  return now + days * DAY_MS + hours * HOUR_MS + minutes * MINUTE_MS + seconds * SECOND_MS
}

function readDateTime(text: string, zone: string): number | null {
  const match = DATE_TIME.exec(text)
  if (!match) return null
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((part) => Number(part ?? 0))
  const milliseconds = Number((match[7] ?? '0').padEnd(3, '0').slice(0, 3))
  if (hour > 23 || minute > 59 || second > 59) return null
  const local = Date.UTC(year, month - 1, day, hour, minute, second, milliseconds)
  const read = new Date(local)
  // JavaScript takes 31 February for 3 March.
  if (read.getUTCMonth() !== month - 1 || read.getUTCDate() !== day || year < 1970) return null
  const offset = match[8]
  if (offset === undefined) return instantOf(local, zone)
  const ahead = readOffset(offset)
  return ahead === null ? null : local - ahead
}

function readOffset(text: string): number | null {
  if (text.toUpperCase() === 'Z') return 0
  const hours = Number(text.slice(1, 3))
  const minutes = Number(text.slice(3).replace(':', '') || 0)
  if (hours > 23 || minutes > 59) return null
  return (text.startsWith('-') ? -1 : 1) * (hours * HOUR_MS + minutes * MINUTE_MS)
}

function yearsAfter(now: number, years: number): number {
  const date = new Date(now)
  date.setUTCFullYear(date.getUTCFullYear() + years)
  return date.getTime()
}
