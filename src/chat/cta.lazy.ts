/** Calls to action: only agents with the switch need them. */
export { ctaByRule, orderOf, readCta } from './cta'
