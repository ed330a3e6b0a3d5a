import { detectReminder } from './reminder-intent'

/** A plain request that a system tool answers. `place` is null when the message names none. */
export type Intent =
  | { tool: 'current_time'; place: null }
  | { tool: 'weather'; place: string | null }
  | { tool: 'ip_geo'; place: null }
  | { tool: 'schedule_reminder'; place: null; text: string; dueAt: string }

const MAX_LENGTH = 120

const TIME = [
  /^(?:please |can you |could you )?(?:tell me )?(?:what(?:'s| is)?|do you know) (?:the |today's )?(?:current )?(?:time|date)(?: is it)?(?: (?:right )?now| today)?$/u,
  /^what(?:'s| is) (?:the )?(?:time|date|day)(?: (?:is it|today|now))*$/u,
  /^what (?:time|day|date|day of the week) is (?:it|today)(?: (?:right )?now| today)?$/u,
  /^(?:the )?(?:current )?(?:time|date)(?: now)?$/u,
  /^(?:oye |por favor )?(?:me dices |dime )?(?:qué|que) (?:hora|día|dia|fecha|día de la semana) (?:es|son|estamos)(?: hoy| ahora)?$/u,
  /^(?:cuál|cual) es la (?:hora|fecha)(?: actual| de hoy)?$/u,
  /^(?:quelle heure (?:est-il|il est)|il est quelle heure|quel jour (?:sommes-nous|est-on)|quelle est (?:la date|l'heure))(?: maintenant| (?:d')?aujourd'hui)?$/u,
  /^(?:подскажи(?:те)? |скажи(?:те)? )?(?:пожалуйста )?(?:который(?: сейчас)? час|сколько(?: сейчас)? времени|какое сегодня число|какая сегодня дата|какой сегодня день(?: недели)?)(?: сейчас)?$/u,
  /^(?:请问)?(?:现在|現在|目前)?(?:是)?(?:几点|幾點|什么时间|什麼時間|什么时候了|時間|时间)(?:了|钟|鐘|钟了|鐘了)?(?:现在|現在)?$/u,
  /^(?:请问|請問)?今天(?:是)?(?:几号|幾號|星期几|星期幾|周几|週幾|禮拜幾|什么日子|什麼日子|几月几号|幾月幾號)$/u,
  /^(?:كم (?:هي )?الساعة|كم الوقت|ما الوقت|ما هو الوقت|ما تاريخ اليوم|ما هو تاريخ اليوم)(?: الآن| الان)?$/u,
]

const WHERE = [
  /^(?:do you know )?where am i(?: right)?(?: now)?$/u,
  /^(?:what(?:'s| is) my (?:current )?location|which (?:city|country) am i in|what (?:city|country) am i in)$/u,
  /^(?:¿)?(?:dónde|donde) estoy(?: ahora)?$|^(?:cuál|cual) es mi ubicación$|^en qué (?:ciudad|país) estoy$/u,
  /^(?:où (?:suis-je|je suis)|je suis où|quelle est ma position|dans quelle? (?:ville|pays) suis-je)(?: maintenant)?$/u,
  /^(?:где я(?: сейчас)?(?: нахожусь)?|где я нахожусь(?: сейчас)?|какое у меня местоположение|в каком я городе)$/u,
  /^(?:请问|請問)?我(?:现在|現在)?(?:在哪里?|在哪儿|在哪兒|在哪裡|在什么地方|在什麼地方|的位置在哪里?|的位置)(?:呢)?$/u,
  /^(?:أين أنا|اين انا|ما هو موقعي|ما موقعي|أين موقعي)(?: الآن| الان)?$/u,
]

const PLACE = String.raw`(?<place>[\p{L}\p{M}][\p{L}\p{M}\s.'’,-]{0,60}?)`
const WEATHER = [
  `^(?:please )?(?:tell me )?(?:what(?:'s| is)|how(?:'s| is))? ?(?:the )?(?:current )?(?:weather|forecast|temperature)(?: like)?(?: today| now| right now| tomorrow)?(?: (?:in|at|for) ${PLACE})?(?: today| now| right now| like)*$`,
  `^(?:is it (?:raining|snowing|sunny|hot|cold|warm)|how (?:warm|hot|cold) is it)(?: (?:in|at) ${PLACE})?(?: today| now| right now)?$`,
  // "Tiempo de entrega" asks how long it takes.
  `^(?:qué|que|cómo está el|como esta el|dime el|cuál es el|pronóstico del)? ?(?:tiempo(?! (?:de|para) )|clima|temperatura)(?: (?:hace|hay|actual))?(?: hoy| ahora)?(?: (?:en|de|para) ${PLACE})?(?: hoy| ahora)?$`,
  `^(?:quel temps fait-il|quel temps il fait|il fait quel temps|quelle est la météo|quelle est la température|météo|température|la météo)(?: aujourd'hui| maintenant)?(?: (?:à|a|au|en|pour|de|dans) ${PLACE})?(?: aujourd'hui| maintenant)?$`,
  `^(?:какая |какова )?(?:сейчас |сегодня )?(?:погода|температура)(?: сейчас| сегодня)?(?: (?:в|во|на) ${PLACE})?(?: сейчас| сегодня)?$`,
  String.raw`^(?:请问|請問)?(?:今天|现在|現在|明天)?(?<place>[\p{Script=Han}\p{L}\s]{0,20}?)(?:今天|现在|現在|明天)?的?(?:天气|天氣|气温|氣溫)(?:怎么样|怎麼樣|如何|预报|預報|好吗|好嗎|怎样|怎樣)?$`,
  `^(?:كيف|ما|ما هو|ما هي)? ?(?:حالة )?(?:الطقس|الجو|درجة الحرارة)(?: اليوم| الآن| الان)?(?: في ${PLACE})?(?: اليوم| الآن| الان)?$`,
].map((source) => new RegExp(source, 'u'))

/** The tool that a whole, plain message asks for ("what time is it?", "weather in Lima"), or null. Seven languages. */
export function detectIntent(message: string): Intent | null {
  if (message.length > MAX_LENGTH) return null
  const plain = message
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('’', "'")
    .replaceAll(/[¿¡!?。！？؟…"“”]/gu, ' ')
    .replaceAll(/[.,،，](?=\s|$)/gu, ' ')
    .replaceAll(/\s+/gu, ' ')
    .trim()
  if (TIME.some((pattern) => pattern.test(plain))) return { tool: 'current_time', place: null }
  if (WHERE.some((pattern) => pattern.test(plain))) return { tool: 'ip_geo', place: null }
  const reminder = detectReminder(message)
  if (reminder !== null) return { tool: 'schedule_reminder', place: null, ...reminder }
  for (const pattern of WEATHER) {
    const match = pattern.exec(plain)
    if (match !== null)
      return { tool: 'weather', place: originalCase(match.groups?.place, message) }
  }
  return null
}

/** The place as the user wrote it: the pattern saw it in lower case. */
function originalCase(place: string | undefined, message: string): string | null {
  const trimmed = place?.trim() ?? ''
  if (trimmed === '') return null
  const at = message.toLowerCase().indexOf(trimmed)
  return at < 0 ? trimmed : message.slice(at, at + trimmed.length)
}
