import type { ChannelName, Language } from '../config/names'

/** A tenant's account at a channel, as the channel describes it. */
export interface BotFacts {
  id: string
  name: string
  username: string
}

/** A file that a message names; it is fetched only when the message is answered. */
export interface FileRef {
  id: string
  /** Bytes as the channel says, null where it does not. */
  size: number | null
}

/** What a channel's webhook was told, in the words of this product. `lang` is the language of the person's app. */
export type Inbound =
  | {
      kind: 'message'
      chat: string
      lang: Language
      seq: number
      text: string
      images: FileRef[]
      /** What was said in place of being written. */
      voice?: FileRef
    }
  /** Something that cannot be read here: a sticker, a place, a file. */
  | { kind: 'unreadable'; chat: string; lang: Language }
  | { kind: 'start'; chat: string; lang: Language; code: string }
  | { kind: 'new' | 'unlink' | 'help'; chat: string; lang: Language }
  /** The person has shut the bot out. */
  | { kind: 'blocked'; chat: string }

/** An answer in Markdown, with the sources that it may name. */
export interface OutboundReply {
  markdown: string
  sources: { n: number; title: string; url: string | null }[]
  /** Heading of the list of sources. */
  sourcesTitle: string
  /** Answers to pick from; what is sent is what is read. */
  options?: readonly string[]
}

/** One message as the channel takes it. */
export interface Piece {
  html: string
  /** The same without any markup, should the channel refuse it. */
  plain: string
  options?: readonly string[]
}

/** The calls that one tenant's account makes. Every method throws ChannelError. */
export interface ChannelAccount {
  describe(): Promise<BotFacts>
  /** Asks the channel to send what it hears to `url`, with `secret`. */
  listen(url: string, secret: string): Promise<void>
  unlisten(): Promise<void>
  showTyping(chat: string): Promise<void>
  /** @throws ChannelError `too_large` beyond the limit, before all of it was read. */
  fetchFile(ref: FileRef, maxBytes: number): Promise<Uint8Array<ArrayBuffer>>
  send(chat: string, piece: Piece): Promise<void>
}

/** What a messaging channel is to the rest. A further channel is one more of these in `CHANNEL_REGISTRY`. */
export interface Channel {
  readonly name: ChannelName
  /** Header of the webhook's secret. */
  readonly secretHeader: string
  /** Whether a text can be a token at all. */
  isToken(text: string): boolean
  account(env: Env, token: string): ChannelAccount
  /** Null for what is of no concern: groups, other bots, edits. Never throws. */
  readUpdate(body: unknown): Inbound | null
  /** The address that opens the chat with the bot, and hands it the code where there is one. */
  deepLink(username: string, code: string | null): string
  /** An answer cut into messages that the channel takes. */
  render(reply: OutboundReply): Promise<Piece[]>
  /** The body of an answer to the webhook's own call that says something in its chat. */
  webhookReply(chat: string, text: string): unknown
}

export type ChannelFault =
  | 'token'
  | 'blocked'
  | 'rate'
  | 'refused'
  | 'too_large'
  | 'not_allowed'
  | 'unreachable'

/** A call that the channel did not do. The text is fixed: addresses hold the token, and answers name people. */
export class ChannelError extends Error {
  override readonly name = 'ChannelError'

  constructor(
    readonly fault: ChannelFault,
    /** Seconds that the channel asks to wait. */
    readonly retryAfterS = 0,
  ) {
    super(`The messaging channel did not do it (${fault})`)
  }
}
