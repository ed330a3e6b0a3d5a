import type { ChannelName } from '../config/names'
import type { Channel } from './channel'
import { telegram } from './telegram/telegram'

/** Every messaging channel. The type holds the list in `config.ts` and this one together. */
export const CHANNEL_REGISTRY: Record<ChannelName, Channel> = { telegram }
