import net from 'node:net'
import tls from 'node:tls'
import MailComposer from 'nodemailer/lib/mail-composer'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import { MAIL } from '../../config/limits'
import type { Envelope, SmtpServer } from './send-mail'

// Their words in seven languages are wanted only where a mail leaves.
export { renderMail } from './render-mail'
export { renderReminderMail } from './render-reminder-mail'

/** Composes and hands over one message. Throws whatever the composer, the socket or the server says. */
export async function deliver(
  server: SmtpServer,
  { from, to, content, messageId = crypto.randomUUID() }: Envelope,
  requireTls: boolean,
): Promise<void> {
  const { subject, text, html } = content
  const message = await new MailComposer({
    from: { name: from.name, address: from.address },
    to: { name: '', address: to },
    subject,
    text,
    html,
    headers: { 'Auto-Submitted': 'auto-generated' },
    messageId: `<${messageId}@${from.address.split('@').at(-1)}>`,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
    .compile()
    .build()
  const connection = new SMTPConnection({
    host: server.host,
    port: server.port,
    secure: !server.starttls,
    secured: !server.starttls,
    requireTLS: server.starttls && requireTls,
    name: from.address.split('@').at(-1) ?? 'localhost',
    // The runtime looks the name up, as the egress rules did; the composer's own look-up would go elsewhere.
    connection: await open(server),
    connectionTimeout: MAIL.connectMs,
    greetingTimeout: MAIL.connectMs,
    socketTimeout: MAIL.connectMs,
    maxResponseSize: 64 * 1024,
    logger: false,
  })
  const failed = new Promise<never>((_resolve, reject) => {
    connection.on('error', reject)
    connection.on('end', () => reject(new Error('The server closed the connection')))
  })
  const over = timeout(MAIL.totalMs)
  try {
    await Promise.race([over.promise, failed, talk(connection, server, from.address, to, message)])
  } finally {
    over.clear()
    connection.removeAllListeners('end')
    connection.close()
  }
}

async function talk(
  connection: SMTPConnection,
  server: SmtpServer,
  from: string,
  to: string,
  message: Uint8Array,
): Promise<void> {
  await step((done) => connection.connect(done))
  if (server.user !== '') {
    const auth = { user: server.user, pass: server.password ?? '' }
    await step((done) => connection.login({ credentials: auth }, done))
  }
  await step((done) => connection.send({ from, to: [to] }, message as never, done))
  connection.quit()
}

function step(run: (done: (error?: unknown) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    run((error) => (error ? reject(error) : resolve()))
  })
}

function open({ host, port, starttls }: SmtpServer): Promise<net.Socket> {
  return new Promise((resolve, reject) => {
    const socket = starttls
      ? net.connect({ host, port })
      : tls.connect({ host, port, servername: host })
    const timer = setTimeout(() => {
      socket.destroy()
      reject(new Error('Connection timeout'))
    }, MAIL.connectMs)
    const settle = (act: () => void) => () => {
      clearTimeout(timer)
      act()
    }
    socket.once(
      starttls ? 'connect' : 'secureConnect',
      settle(() => resolve(socket)),
    )
    socket.once('error', (error) => settle(() => reject(error))())
  })
}

function timeout(ms: number): { promise: Promise<never>; clear(): void } {
  let timer: ReturnType<typeof setTimeout> | undefined
  const promise = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('Time is up')), ms)
  })
  return { promise, clear: () => clearTimeout(timer) }
}
