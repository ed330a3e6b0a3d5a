import type { Language } from '../../config/names'
import { html } from '../html'
import { MAIL_TEXT, type MailKind } from './mail-text'

export interface MailContent {
  subject: string
  text: string
  html: string
}

const BODY = 'font:15px/22px system-ui,sans-serif;color:#17201C;max-width:34em'
const BUTTON =
  'display:inline-block;padding:10px 16px;border-radius:6px;background:#0B6B5D;color:#FFFFFF;text-decoration:none'
const SMALL = 'font-size:13px;line-height:18px;color:#52605A'

/** A mail in words of the product's own: as text and as markup without any remote content. Pure. */
export function renderMail(
  kind: MailKind,
  lang: Language,
  { tenant, website, link }: { tenant: string; website: string | null; link: string | null },
): MailContent {
  const { subject, lines, action, footer } = MAIL_TEXT[lang][kind]
  const name = oneLine(tenant)
  const fill = (text: string) => text.replaceAll('{tenant}', () => name)
  const direction = lang === 'ar' ? 'rtl' : 'ltr'
  const parts = [
    ...lines.map(fill),
    ...(action && link ? [`${action}:\n${link}`] : []),
    fill(footer),
    ...(website === null ? [] : [website]),
  ]
  const body = html`<html lang="${lang}" dir="${direction}"><body><div style="${BODY}">
${lines.map((line) => html`<p>${fill(line)}</p>\n`)}${
  action && link
    ? html`<p><a style="${BUTTON}" href="${link}">${action}</a></p>
<p style="${SMALL};word-break:break-all" dir="ltr">${link}</p>\n`
    : null
}<p style="${SMALL}">${fill(footer)}</p>
${website && html`<p style="${SMALL}"><a href="${website}">${website}</a></p>`}
</div></body></html>`
  return {
    subject: fill(subject),
    text: `${parts.join('\n\n')}\n`,
    html: `<!doctype html>\n${body}\n`,
  }
}

/** A tenant's name is free text; in a subject it is one line. */
function oneLine(text: string): string {
  return text
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}
