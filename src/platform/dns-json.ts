import { type DnsAnswer, type Found, RECORD_TYPES, type RecordType, toAnswer } from './dns-answer'

/** Reads the JSON form that many resolvers offer beside the wire format; null when it is malformed. */
export function readJsonReply(body: unknown, type: RecordType): DnsAnswer | null {
  const { Status: status, Answer: answers = [] } = Object(body) as Record<string, unknown>
  if (typeof status !== 'number' || !Array.isArray(answers)) return null
  const found: Found[] = []
  const aliases: string[] = []
  for (const answer of answers) {
    const { type: number, data, TTL: ttlS } = Object(answer) as Record<string, unknown>
    if (type !== 'CNAME' && number === RECORD_TYPES.CNAME && typeof data === 'string') {
      aliases.push(fromPresentation(data, 'CNAME'))
    }
    if (number !== RECORD_TYPES[type]) continue
    if (typeof data !== 'string') return null
    found.push({ value: fromPresentation(data, type), ttlS: typeof ttlS === 'number' ? ttlS : 0 })
  }
  return toAnswer(status, found, aliases)
}

/** In JSON a record's data is written as in a zone file: names with their last dot, texts in quotes. */
function fromPresentation(data: string, type: RecordType): string {
  if (type === 'CNAME') return data.toLowerCase().replace(/\.$/, '')
  if (type !== 'TXT' || !data.startsWith('"')) return data
  const texts = data.match(/\s*"(?:[^"\\]|\\.)*"/gy) ?? []
  return texts.map((text) => text.trimStart().slice(1, -1).replace(/\\(.)/g, '$1')).join('')
}
