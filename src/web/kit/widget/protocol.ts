/**
 * What the loader on another site's page and the chat in its frame say to each other. Both check the other's window and
 * its exact origin; no message carries the words of a conversation but those that the page itself asks with.
 */
export type ToFrame =
  /** `identify`: a person's token is on its way. Where there is a person, this or the token is the first that is said. */
  | { type: 'close' | 'reset' | 'identify' }
  /** `quiet`: it opened by itself, and the focus stays where the reader has it. */
  | { type: 'open'; quiet: boolean }
  | { type: 'update'; lang: string | undefined; theme: string | undefined }
  | { type: 'ask'; text: string; send: boolean }
  /** A person's token, from the site's own server; `renewable`: the frame may ask for the next one. */
  | { type: 'token'; token: string | null; renewable: boolean }

export type ToHost =
  /** The chat can be used. `known`: somebody has talked here before. */
  | { type: 'ready'; accent: string; known: boolean }
  | { type: 'close' | 'widen' | 'message' | 'reply' | 'token' }
  | { type: 'unread'; count: number }
  | { type: 'error'; kind: string }

/** What the loader tells its frame behind the `#`: the server never sees it. */
export const HOST_KEY = 'host'
export const INLINE_KEY = 'inline'
