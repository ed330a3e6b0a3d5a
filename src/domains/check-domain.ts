import { parse } from 'tldts'
import { toAscii } from './hostname'

/** A name that can be bound, or why it cannot. `apex`: the registrable name itself, which can carry no CNAME. */
export type CheckedDomain = { ok: true; name: string; apex: boolean } | { ok: false; msg: string }

/**
 * Rule CD1: a registrable name below a public suffix, or one below it; no address, no wildcard, nothing of our own. Names
 * in capitals or in Unicode are taken in their ASCII form, one last dot is dropped. Pure. Carries the
 * list of public suffixes: `loadSuffixes` has it.
 * @param ownHosts host names under which this deployment is reached itself, with all below them.
 */
export function checkDomain(text: string, ownHosts: readonly string[]): CheckedDomain {
  const name = toAscii(text)
  if (name === null) return refuse('a host name such as chat.example.com')
  if (ownHosts.some((own) => name === own || name.endsWith(`.${own}`))) {
    return refuse('this name belongs to the service')
  }
  const { isIp, domain, isIcann, isPrivate, publicSuffix } = parse(name, {
    allowPrivateDomains: true,
  })
  if (isIp) return refuse('a name, not an address')
  if (domain === null || (!isIcann && !isPrivate) || publicSuffix?.endsWith('arpa')) {
    return refuse('a name that is registered below a public suffix')
  }
  return { ok: true, name, apex: domain === name }
}

const refuse = (msg: string): CheckedDomain => ({ ok: false, msg })
