import { describe, expect, it } from 'vitest'
import { readNumber } from '../../../src/storylines/read-number'
import { readSpoken } from '../../../src/storylines/read-spoken'

/** A Wednesday. */
const TODAY = '2026-03-11'
const day = (text: string) => readSpoken(text, 'date', TODAY, readNumber)
const hour = (text: string) => readSpoken(text, 'time', TODAY, readNumber)

describe('a day in words', () => {
  it.each([
    ...['12 March', 'March 12th', 'the 12th of March', 'on Thursday, 12 March 2026', '12. März'],
    ...['12 марта', '12-го марта', '3月12日', '三月十二號', '12 de marzo', 'le 12 mars', '12 مارس'],
    ...[
      '١٢ آذار',
      'tomorrow',
      'mañana',
      'завтра',
      'demain',
      'غدا',
      '明天',
      'morgen',
      'on Thursday',
    ],
    ...[
      'el jueves',
      'jeudi',
      'в четверг',
      '星期四',
      '週四',
      'يوم الخميس',
      'this Thursday',
      '这周四',
    ],
  ])('%s', (text) => {
    expect(day(text)).toBe('2026-03-12')
  })

  it.each([
    ['10 March', '2027-03-10'],
    ['11 March', TODAY],
    ['1er avril', '2026-04-01'],
    ['25 декабря 2027 года', '2027-12-25'],
    ['the day after tomorrow', '2026-03-13'],
    ['pasado mañana', '2026-03-13'],
    ['через 3 дня', '2026-03-14'],
    ['in 10 days', '2026-03-21'],
    ['3天后', '2026-03-14'],
    ['next Monday', '2026-03-16'],
    ['el próximo lunes', '2026-03-16'],
    ['下周五', '2026-03-20'],
    ['下個禮拜天', '2026-03-22'],
    ['في الجمعة', '2026-03-13'],
    ['в пятницу', '2026-03-13'],
  ])('%s is %s', (text, expected) => {
    expect(day(text)).toBe(expected)
  })

  it.each([
    ...['next Friday', 'Wednesday', 'Friday, 12 March', '30 February', '12 March or 13 April'],
    ...['not 12 March', '12 March next year', '12', 'March', 'soon', '明年3月12日', ''],
  ])('%s is none, or more than one', (text) => {
    expect(day(text)).toBeNull()
  })
})

describe('an hour in words', () => {
  it.each([
    ['3pm', '15:00'],
    ['3 p.m.', '15:00'],
    ['at 3 in the afternoon', '15:00'],
    ['half past two in the afternoon', '14:30'],
    ['a quarter to 9 am', '08:45'],
    ['noon', '12:00'],
    ['midnight', '00:00'],
    ['15h30', '15:30'],
    ['9h', '09:00'],
    ['15 Uhr', '15:00'],
    ['halb drei nachmittags', '14:30'],
    ['a las dos y media de la tarde', '14:30'],
    ['à 3 heures du matin', '03:00'],
    ['в три часа дня', '15:00'],
    ['下午三点半', '15:30'],
    ['上午9點', '09:00'],
    ['الساعة 3 مساءً', '15:00'],
    ['10 ص', '10:00'],
  ])('%s is %s', (text, expected) => {
    expect(hour(text)).toBe(expected)
  })

  it.each([
    ...['half past two', '3 o’clock', '3点', 'at 25', '3pm or 4pm', 'not 3pm', 'in the afternoon'],
    ...['las dos y media', 'soon', ''],
  ])('%s is none, or more than one', (text) => {
    expect(hour(text)).toBeNull()
  })
})
