import type { Language } from '../../config/names'
import { html } from '../html'
import type { MailContent } from './render-mail'

interface ReminderWords {
  subject: string
  /** `{time}` is when it fell due. */
  due: string
  footer: string
  /** Of what is said in a conversation: it was not asked for, and an answer is welcome. */
  message: string
  open: string
}

/** `{tenant}` stands for the tenant's name. */
const WORDS: Record<Language, ReminderWords> = {
  en: {
    subject: 'Reminder from {tenant}',
    due: 'Due {time}',
    footer: 'You asked {tenant} for this reminder. Nothing has to be done.',
    message: 'Message from {tenant}',
    open: 'You are talking with {tenant}. Open the chat to answer.',
  },
  zh: {
    subject: '来自{tenant}的提醒',
    due: '时间：{time}',
    footer: '此提醒是您在{tenant}设置的，无需进行任何操作。',
    message: '来自{tenant}的消息',
    open: '您正在与{tenant}对话。打开聊天即可回复。',
  },
  'zh-TW': {
    subject: '來自{tenant}的提醒',
    due: '時間：{time}',
    footer: '此提醒是您在{tenant}設定的，無需進行任何操作。',
    message: '來自{tenant}的訊息',
    open: '您正在與{tenant}對話。開啟聊天即可回覆。',
  },
  es: {
    subject: 'Recordatorio de {tenant}',
    due: 'Previsto: {time}',
    footer: 'Pediste este recordatorio a {tenant}. No tienes que hacer nada.',
    message: 'Mensaje de {tenant}',
    open: 'Tienes una conversación con {tenant}. Abre el chat para responder.',
  },
  ru: {
    subject: 'Напоминание от {tenant}',
    due: 'Срок: {time}',
    footer: 'Вы попросили {tenant} об этом напоминании. Ничего делать не нужно.',
    message: 'Сообщение от {tenant}',
    open: 'Вы ведёте беседу с {tenant}. Чтобы ответить, откройте чат.',
  },
  fr: {
    subject: 'Rappel de {tenant}',
    due: 'Prévu : {time}',
    footer: 'Vous avez demandé ce rappel à {tenant}. Vous n’avez rien à faire.',
    message: 'Message de {tenant}',
    open: 'Vous êtes en conversation avec {tenant}. Ouvrez le chat pour répondre.',
  },
  ar: {
    subject: 'تذكير من {tenant}',
    due: 'الموعد: {time}',
    footer: 'لقد طلبت هذا التذكير من {tenant}. لا يلزمك فعل أي شيء.',
    message: 'رسالة من {tenant}',
    open: 'لديك محادثة مع {tenant}. افتح الدردشة للرد.',
  },
}

const BODY = 'font:15px/22px system-ui,sans-serif;color:#17201C;max-width:34em'
const SMALL = 'font-size:13px;line-height:18px;color:#52605A'

/** The mail of a reminder that fell due, or of a message of a conversation; its text stands in the body alone, never in the subject. Pure. */
export function renderReminderMail(
  lang: Language,
  reminder: {
    kind: 'reminder' | 'followup'
    tenant: string
    website: string | null
    text: string
    dueAt: number
    timezone: string
  },
): MailContent {
  const words = WORDS[lang]
  const name = reminder.tenant.replaceAll(/[\p{Cc}\s\u2028\u2029]+/gu, ' ').trim()
  const fill = (text: string) => text.replaceAll('{tenant}', () => name)
  const time = new Intl.DateTimeFormat(lang, {
    dateStyle: 'full',
    timeStyle: 'short',
    timeZone: reminder.timezone,
  }).format(reminder.dueAt)
  const isMessage = reminder.kind === 'followup'
  const footer = fill(isMessage ? words.open : words.footer)
  const due = isMessage ? '' : `${words.due.replace('{time}', () => time)} (${reminder.timezone})`
  const website = reminder.website ?? ''
  const direction = lang === 'ar' ? 'rtl' : 'ltr'
  const lines = reminder.text.split(/\r\n?|\n/)
  const body = html`<html lang="${lang}" dir="${direction}"><body><div style="${BODY}">
<p dir="auto">${lines.map((line, n) => html`${n > 0 && html`<br>`}${line}`)}</p>
${due !== '' && html`<p style="${SMALL}">${due}</p>`}
<p style="${SMALL}">${footer}</p>
${website !== '' && html`<p style="${SMALL}"><a href="${website}">${website}</a></p>`}
</div></body></html>`
  return {
    subject: fill(isMessage ? words.message : words.subject),
    text: `${[lines.join('\n'), due, footer, website].filter((part) => part !== '').join('\n\n')}\n`,
    html: `<!doctype html>\n${body}\n`,
  }
}
