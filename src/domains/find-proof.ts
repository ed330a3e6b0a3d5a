import type { Config } from '../config/read-config'
import type { CustomDomainRow } from '../db/tables/domains'
import { loadSuffixes } from '../lazy'
import { lookUpRecords } from '../platform/dns'
import type { Proof } from './decide-status'
import { cnameTarget, type DomainRecord, textRecordName } from './records'

/** Looks for the record that only this binding's tenant could have been told to set (rule CD2). Never throws. */
export async function findProof(config: Config, row: CustomDomainRow): Promise<Proof> {
  const { type, name, value: target } = await proofRecord(config, row)
  let values: readonly string[]
  try {
    values = await lookUpRecords(config.resolverUrl, name, type)
  } catch {
    return {
      kind: 'unknown',
      detail: 'The DNS resolver did not answer; the domain is checked again soon.',
    }
  }
  if (values.includes(target)) return { kind: 'proven' }
  if (type === 'TXT') return { kind: 'missing', detail: missingText(config, row) }
  if (values.length === 0) {
    return { kind: 'missing', detail: `${name} has no CNAME record; it must point to ${target}.` }
  }
  return {
    kind: 'wrong',
    detail: `The CNAME record of ${name} points elsewhere; it must point to ${target}.`,
  }
}

/** The record that its owner has to set: an apex name can carry no CNAME. */
export async function proofRecord(config: Config, row: CustomDomainRow): Promise<DomainRecord> {
  const value = cnameTarget(config, row)
  const { checkDomain } = await loadSuffixes()
  const checked = checkDomain(row.domain, [])
  return checked.ok && checked.apex
    ? { type: 'TXT', name: textRecordName(row.domain), value }
    : { type: 'CNAME', name: row.domain, value }
}

/** What the owner of an apex name has to do: it can carry no CNAME record. */
export function missingText(config: Config, row: CustomDomainRow): string {
  return `${row.domain} is an apex name: set a TXT record ${textRecordName(row.domain)} with the value ${cnameTarget(config, row)}.`
}
