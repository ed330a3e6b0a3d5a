import { EGRESS } from '../config/limits'

/** Which addresses outside a tenant may make us call. Pure: names and texts in, a verdict out. */
export interface EgressPolicy {
  /** `host:port` pairs that are exempt from every rule. */
  readonly allow: readonly string[]
  /** Host names under which this deployment is reached itself. */
  readonly ownHosts: readonly string[]
}

export interface CheckedUrl {
  readonly url: URL
  /** Listed in `allow`: its addresses are not looked at. */
  readonly exempt: boolean
}

const MAX_NAME_LENGTH = 253
const PORTS = new Set(['', '443', '8443'])
const LOCAL_SUFFIXES = ['localhost', 'local', 'internal', 'home.arpa']
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/
/** What a URL never holds unescaped: spaces, controls, backslashes, and the braces of a placeholder. */
const FORBIDDEN = /[\p{C}\p{Z}\\{}<>]/u

/** The URL in its parsed form, or null when the URL rules refuse it. What its name resolves to is a second question. */
export function checkUrl(text: string, policy: EgressPolicy): CheckedUrl | null {
  if (text.length > EGRESS.urlLength || FORBIDDEN.test(text)) return null
  const url = URL.parse(text)
  if (!url || url.href.length > EGRESS.urlLength) return null
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null
  if (isExempt(url, policy)) return { url, exempt: true }
  if (url.protocol !== 'https:' || !PORTS.has(url.port)) return null
  if (url.username !== '' || url.password !== '') return null
  const host = url.hostname.replace(/\.$/, '')
  if (!isPublicName(host, policy)) return null
  url.hostname = host
  return { url, exempt: false }
}

function isExempt(url: URL, policy: EgressPolicy): boolean {
  const port = url.port || (url.protocol === 'https:' ? '443' : '80')
  const pair = `${url.hostname}:${port}`
  return policy.allow.some((listed) => listed.toLowerCase() === pair)
}

function isPublicName(host: string, policy: EgressPolicy): boolean {
  const labels = host.split('.')
  const last = labels.at(-1) ?? ''
  if (labels.length < 2 || host.length > MAX_NAME_LENGTH) return false
  // The URL parser has turned every form of an IPv4 address into the dotted one; IPv6 has brackets.
  if (!labels.every((label) => LABEL.test(label)) || /^\d+$/.test(last)) return false
  return !isUnder(host, [...LOCAL_SUFFIXES, ...policy.ownHosts])
}

/** Whether a name is one of the given hosts, or below one. */
export function isUnder(host: string, hosts: readonly string[]): boolean {
  return hosts
    .map(nameOf)
    .some((name) => name !== '' && (host === name || host.endsWith(`.${name}`)))
}

/** An own host may be configured with a port or in capitals. */
function nameOf(host: string): string {
  return host.toLowerCase().replace(/:\d+$/, '').replace(/\.$/, '')
}

/** Ranges that no outbound request may reach: private, local, reserved, and those that embed another address. */
const REFUSED_RANGES = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16'],
  ...['172.16.0.0/12', '192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16'],
  ...['198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
  // Of IPv6 all but global unicast (2000::/3): local, mapped, translated, unassigned. Then what is special within it.
  ...['::/3', '4000::/2', '8000::/1', '2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'],
].map((range) => {
  const [address = '', bits = ''] = range.split('/')
  return { bytes: parseAddress(address) ?? [], bits: Number(bits) }
})

/** Whether an address from the resolver may be called; false for any text that is no address. */
export function isPublicAddress(text: string): boolean {
  const bytes = parseAddress(text)
  return (
    bytes !== null && !isIsatap(bytes) && !REFUSED_RANGES.some((range) => isWithin(bytes, range))
  )
}

/** A tunnel's address (RFC 5214), in any network: its second half names the IPv4 address that it leads to. */
function isIsatap(bytes: readonly number[]): boolean {
  const [flags = 0, ...rest] = bytes.slice(8, 12)
  return flags >> 2 === 0 && String(rest) === '0,94,254'
}

function isWithin(bytes: readonly number[], range: { bytes: number[]; bits: number }): boolean {
  if (bytes.length !== range.bytes.length) return false
  return range.bytes.every((byte, i) => {
    const shared = Math.min(8, Math.max(0, range.bits - 8 * i))
    return (byte ^ (bytes[i] ?? 0)) >> (8 - shared) === 0
  })
}

/** 4 or 16 bytes; null for anything but the plain dotted or the standard IPv6 form. */
export function parseAddress(text: string): number[] | null {
  return text.includes(':') ? parseIpv6(text) : parseIpv4(text)
}

function parseIpv4(text: string): number[] | null {
  if (!/^(?:(?:0|[1-9]\d{0,2})\.){3}(?:0|[1-9]\d{0,2})$/.test(text)) return null
  const bytes = text.split('.').map(Number)
  return bytes.every((byte) => byte <= 255) ? bytes : null
}

/** The URL parser knows every spelling and writes one; what is left is to fill in the zeros that "::" stands for. */
function parseIpv6(text: string): number[] | null {
  if (!/^[0-9a-f:.]+$/i.test(text)) return null
  const host = URL.parse(`http://[${text}]/`)?.hostname
  if (!host) return null
  const [head = '', tail] = host.slice(1, -1).split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail ? tail.split(':') : []
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length
  const groups = [...before, ...Array<string>(zeros).fill('0'), ...after]
  return groups.flatMap((group) => {
    const value = Number.parseInt(group, 16)
    return [value >> 8, value & 0xff]
  })
}
