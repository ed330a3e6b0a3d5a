import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import type { Certificates } from './certificates'

export interface ReceivedMail {
  from: string
  to: string[]
  /** Whether the message came over TLS. */
  secure: boolean
  user: string | undefined
  /** The message as it came. */
  source: string
}

export interface MailServer {
  port: number
  /** `host:port`, as EGRESS_ALLOW takes it. */
  pair: string
  mails: ReceivedMail[]
  /** Answers the next recipients, or those that it says, with this instead of taking them: 5xx for good, 4xx for now. */
  refuseWith(text: string | null, code?: number, whom?: (address: string) => boolean): void
  close(): Promise<void>
}

export const MAIL_USER = 'mailer'
export const MAIL_PASSWORD = 'correct horse mail'

/** A real SMTP server on loopback: TLS from the first byte, or STARTTLS, or neither. Takes one user and one password. */
export async function startMailServer(
  tls: 'implicit' | 'starttls' | 'none',
  certificates: Certificates | null = null,
): Promise<MailServer> {
  const mails: ReceivedMail[] = []
  let refuse: (address: string) => Error | null = () => null
  const server = new SMTPServer({
    ...(certificates ? { key: certificates.key, cert: certificates.cert } : {}),
    secure: tls === 'implicit',
    authOptional: true,
    ...(tls === 'none' ? { disabledCommands: ['STARTTLS'] } : {}),
    logger: false,
    onAuth({ username, password }, _session, done) {
      if (username === MAIL_USER && password === MAIL_PASSWORD) done(null, { user: username })
      else done(new Error('Wrong user or password'))
    },
    onRcptTo({ address }, _session, done) {
      done(refuse(address))
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        mails.push({
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          secure: session.secure,
          user: typeof session.user === 'string' ? session.user : undefined,
          source: Buffer.concat(chunks).toString('utf8'),
        })
        done()
      })
    },
  })
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  return {
    port,
    pair: `127.0.0.1:${port}`,
    mails,
    refuseWith(text, responseCode = 550, whom = () => true) {
      refuse = (address) =>
        text !== null && whom(address) ? Object.assign(new Error(text), { responseCode }) : null
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

/** The plain text of a mail, with its transfer encoding undone. */
export function plainText({ source }: ReceivedMail): string {
  return decodePart(source, 'text/plain')
}

export function htmlText({ source }: ReceivedMail): string {
  return decodePart(source, 'text/html')
}

function decodePart(source: string, type: string): string {
  const part = source.split(/^--.*$/m).find((one) => one.includes(`Content-Type: ${type}`)) ?? ''
  const [head = '', ...rest] = part.replace(/^\r?\n/, '').split('\r\n\r\n')
  const body = rest.join('\r\n\r\n')
  if (/base64/i.test(head)) return Buffer.from(body, 'base64').toString('utf8')
  if (!/quoted-printable/i.test(head)) return body
  const bytes = body
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

/** The subject, decoded. */
export function subjectOf({ source }: ReceivedMail): string {
  const folded = /^Subject: ((?:.*\r\n[ \t])*.*)\r\n/m.exec(source)?.[1] ?? ''
  return folded
    .replace(/\?=\r\n[ \t]=\?/g, '?==?')
    .replace(/\r\n[ \t]/g, ' ')
    .replace(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, kind: string, text: string) =>
      kind.toLowerCase() === 'b'
        ? Buffer.from(text, 'base64').toString('utf8')
        : Buffer.from(
            text
              .replaceAll('_', ' ')
              .replace(/=([0-9A-F]{2})/gi, (_m, hex: string) =>
                String.fromCharCode(Number.parseInt(hex, 16)),
              ),
            'latin1',
          ).toString('utf8'),
    )
}
