/** The list of public suffixes. */
export { checkDomain } from './check-domain'
