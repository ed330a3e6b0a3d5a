/** What to remind of and when, as an ISO 8601 duration from now. */
export interface ReminderWish {
  text: string
  dueAt: string
}

type Unit = 'S' | 'M' | 'H' | 'D'

/** Words for units in seven languages, as they stand after a number. */
const UNITS: readonly [RegExp, Unit][] = [
  [/^(?:s|secs?|seconds?|segundos?|secondes?|секунд[уы]?|秒钟?|秒鐘|ثانية|ثوان|ثواني)$/u, 'S'],
  [/^(?:m|mins?|minutes?|minutos?|минут[уы]?|мин|分钟|分鐘|分|دقيقة|دقائق)$/u, 'M'],
  [/^(?:h|hrs?|hours?|horas?|heures?|часа?|часов|小时|小時|个小时|個小時|ساعة|ساعات)$/u, 'H'],
  [/^(?:d|days?|días?|dias?|jours?|день|дня|дней|天|يوم|أيام|ايام)$/u, 'D'],
]

const ONE = '(?:an?|one|un|una|une|один|одну|一)'
const COUNT = String.raw`(?<count>\d{1,4}|${ONE})`
const UNIT = String.raw`(?<unit>\p{L}+)`
const TEXT = '(?<text>.{1,400}?)'

/** Both orders: the time first, and the time last. */
const PATTERNS = [
  `^(?:please |can you |could you )?remind me in ${COUNT} ?${UNIT}:? (?:to |about |that )?${TEXT}$`,
  `^(?:please |can you |could you )?remind me (?:to |about |that )${TEXT} in ${COUNT} ?${UNIT}$`,
  `^(?:por favor )?(?:recuérdame|recuerdame) (?:en|dentro de) ${COUNT} ?${UNIT}:? (?:que |de )?${TEXT}$`,
  `^(?:por favor )?(?:recuérdame|recuerdame) (?:que |de )?${TEXT} (?:en|dentro de) ${COUNT} ?${UNIT}$`,
  `^(?:s'il te plaît )?rappel(?:le|les|ez)-moi dans ${COUNT} ?${UNIT}:? (?:de |d'|que )?${TEXT}$`,
  `^(?:s'il te plaît )?rappel(?:le|les|ez)-moi (?:de |d'|que )?${TEXT} dans ${COUNT} ?${UNIT}$`,
  `^(?:пожалуйста )?напомни(?:те)? (?:мне )?через ${COUNT}? ?${UNIT}:? (?:о |об |что )?${TEXT}$`,
  `^(?:пожалуйста )?напомни(?:те)? (?:мне )?(?:о |об |что )?${TEXT} через ${COUNT}? ?${UNIT}$`,
  String.raw`^(?:请|請)?(?:在)?(?<count>\d{1,4}|一) ?(?<unit>秒钟?|秒鐘|分钟|分鐘|小时|小時|个小时|個小時|天)(?:之?后|之?後)?(?:请|請)?提醒我[:：]?${TEXT}$`,
  String.raw`^(?:من فضلك )?(?:ذكرني|ذكّرني) بعد (?:(?<count>\d{1,4}) ?)?${UNIT}:? (?:أن |ان |ب)?${TEXT}$`,
  String.raw`^(?:من فضلك )?(?:ذكرني|ذكّرني) (?:أن |ان |ب)?${TEXT} بعد (?:(?<count>\d{1,4}) ?)?${UNIT}$`,
].map((source) => new RegExp(source, 'iu'))

/** A plain wish to be reminded after a number of minutes, hours or days; null for anything less plain. */
export function detectReminder(message: string): ReminderWish | null {
  const plain = message
    .normalize('NFKC')
    .replaceAll('’', "'")
    .replaceAll(/\s+/gu, ' ')
    .replace(/(?<![\s.!?。！？؟])[\s.!?。！？؟]+$/u, '')
    .replace(/^[¡¿]/u, '')
    .trim()
  for (const pattern of PATTERNS) {
    const groups = pattern.exec(plain)?.groups
    const unit = unitOf(groups?.unit)
    const text = groups?.text?.trim()
    if (!text || unit === null) continue
    const count = Number(groups?.count) || 1
    return { text, dueAt: unit === 'D' ? `P${count}D` : `PT${count}${unit}` }
  }
  return null
}

function unitOf(word: string | undefined): Unit | null {
  const lower = word?.toLowerCase() ?? ''
  return UNITS.find(([pattern]) => pattern.test(lower))?.[1] ?? null
}
