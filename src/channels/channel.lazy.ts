/** What the product itself says at a messaging channel: only tenants with one need it. */
export { channelWord } from './words'
