import type { Smtp } from '../types'

/** The mail server as it is edited. An empty password stands for the one that is stored. */
export interface SmtpDraft {
  host: string
  port: number | null
  user: string
  password: string
  /** None is to be stored. */
  no_password: boolean
  from_addr: string
  starttls: boolean
}

const MAIL_PORTS = { starttls: 587, tls: 465 } as const

export const readSmtp = (smtp: Smtp | null): SmtpDraft => ({
  host: smtp?.host ?? '',
  port: smtp?.port ?? MAIL_PORTS.starttls,
  user: smtp?.user ?? '',
  password: '',
  no_password: false,
  from_addr: smtp?.from_addr ?? '',
  starttls: smtp?.starttls ?? true,
})

/** A password that is not sent stays; an empty one takes it away. */
export function writeSmtp(draft: SmtpDraft): Record<string, unknown> {
  const { port, password, no_password, ...rest } = draft
  const secret = no_password ? { password: '' } : password === '' ? {} : { password }
  return { ...rest, ...(port === null ? {} : { port }), ...secret }
}

/** Who switches the kind of encryption means its usual port, unless the port is one of their own. */
export function withStartTls(draft: SmtpDraft, starttls: boolean): SmtpDraft {
  const { starttls: plain, tls } = MAIL_PORTS
  const isUsual = draft.port === plain || draft.port === tls
  return { ...draft, starttls, port: isUsual ? (starttls ? plain : tls) : draft.port }
}
