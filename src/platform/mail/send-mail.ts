import { MAIL } from '../../config/limits'
import { loadSmtp } from '../../lazy'
import { utf8 } from '../crypto/bytes'
import { assertHostAllowed, type EgressContext } from '../egress'
import { EgressError } from '../egress-fetch'
import type { MailContent } from './render-mail'

export interface SmtpServer {
  host: string
  port: number
  /** Empty: the server asks for no login. */
  user: string
  password: string | null
  /** False: TLS from the first byte. */
  starttls: boolean
}

export interface Envelope {
  from: { name: string; address: string }
  to: string
  content: MailContent
  /** The part of the message's id before the `@`, where a repeat must be known as one. */
  messageId?: string
}

/** A mail that was not sent. The text is fixed: what the server said may name the recipient. */
export class MailError extends Error {
  override readonly name = 'MailError'

  constructor(
    /** Only what was not sent may be sent later: everything else is refused for good. */
    readonly code: 'refused_value' | 'not_allowed' | 'refused' | 'not_sent',
    /** The kind of failure by the transport's own word, such as EAUTH. */
    readonly reason: string,
    options?: ErrorOptions,
  ) {
    super(`The mail was not sent (${reason})`, options)
  }
}

const BREAKS = /[\r\n\0]/

/** Whether a value may stand in a header or a command (rule SF7): no CR, LF or NUL, at most 998 bytes. */
export function isMailValue(text: string): boolean {
  return !BREAKS.test(text) && utf8(text).length <= MAIL.valueBytes
}

/** Whether a port may be used with a host; a pair that the deployment lists is free of every rule. */
export function isMailPort(port: number): boolean {
  return (MAIL.ports as readonly number[]).includes(port)
}

/**
 * Sends one message with TLS: from the first byte, or by STARTTLS, which must succeed. A host on the deployment's own
 * allow list may do without. @throws MailError.
 */
export async function sendMail(
  egress: EgressContext,
  server: SmtpServer,
  envelope: Envelope,
): Promise<void> {
  const { from, to, content } = envelope
  const values = [server.host, server.user, server.password ?? '', from.name, from.address, to]
  if (![...values, content.subject].every(isMailValue)) {
    throw new MailError('refused_value', 'a value is too long or holds a line break')
  }
  let exempt: boolean
  try {
    exempt = (await assertHostAllowed(egress, server.host, server.port)).exempt
  } catch (error) {
    if (error instanceof EgressError && error.code !== 'url_not_allowed')
      throw new MailError('not_sent', error.code)
    throw new MailError('not_allowed', 'the host may not be called')
  }
  if (!exempt && !isMailPort(server.port)) {
    throw new MailError('not_allowed', 'the port may not be used')
  }
  try {
    const { deliver } = await loadSmtp()
    await deliver(server, envelope, !exempt)
  } catch (error) {
    // A server's 4xx is for now, as greylisting is.
    const isFinal = Number((error as { responseCode?: unknown } | null)?.responseCode) >= 500
    throw new MailError(isFinal ? 'refused' : 'not_sent', reasonOf(error))
  }
}

function reasonOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' && /^[A-Z_]{2,20}$/.test(code) ? code : 'no answer'
}
