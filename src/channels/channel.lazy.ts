/** What the product itself says at a messaging channel, and replies in its form: only tenants with one need it. */
export { renderReply } from './telegram/render-reply'
export { channelWord } from './words'
