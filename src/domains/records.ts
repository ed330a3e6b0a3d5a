import type { Config } from '../config/read-config'
import type { CustomDomainRow } from '../db/tables/domains'
import { randomBytes } from '../platform/crypto/bytes'

/** What proves a binding, as a page of a name server asks for it. */
export interface DomainRecord {
  type: 'CNAME' | 'TXT'
  name: string
  value: string
}

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567'
const LABEL_LENGTH = 26

/** A fresh label of 130 random bits: nobody can have pointed a name to it before. */
export function newLabel(): string {
  return [...randomBytes(LABEL_LENGTH)].map((byte) => ALPHABET[byte & 31]).join('')
}

/** The name that the domain's CNAME record must hold; of an apex name, the text of its TXT record. */
export function cnameTarget(config: Config, row: Pick<CustomDomainRow, 'label'>): string {
  return `${row.label}.${config.cnameBase}`
}

/** Where the TXT record of an apex name stands. */
export const textRecordName = (domain: string): string => `_parley.${domain}`
