import { html } from '../platform/html'
import type { MailContent } from '../platform/mail/render-mail'

const BODY = 'font:15px/22px system-ui,sans-serif;color:#17201C;max-width:34em'
const SMALL = 'font-size:13px;line-height:18px;color:#52605A'

/** The mail to the people of a tenant; what the user wrote stands in the body alone, never in the subject. Pure. */
export function renderHandoffMail({
  agentName,
  sessionId,
  summary,
}: {
  agentName: string
  sessionId: string
  /** Null where it may not be told. */
  summary: string | null
}): MailContent {
  const lead = `A user of the agent ${agentName} has asked for a person.`
  const lines = (summary ?? '').split(/\r\n?|\n/)
  const where = `Session ${sessionId}`
  const how =
    'Answer with POST /v1/manage/sessions/{sid}/reply, hand back with POST /v1/manage/sessions/{sid}/resume.'.replaceAll(
      '{sid}',
      sessionId,
    )
  const body = html`<html lang="en"><body><div style="${BODY}">
<p>${lead}</p>
<p dir="auto">${lines.map((line, n) => html`${n > 0 && html`<br>`}${line}`)}</p>
<p style="${SMALL}">${where}</p>
${summary !== null && html`<p style="${SMALL}">${how}</p>`}
</div></body></html>`
  return {
    subject: `A person is asked for: ${agentName.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim()}`,
    text: `${[lead, lines.join('\n'), where, summary === null ? '' : how].filter((part) => part !== '').join('\n\n')}\n`,
    html: `<!doctype html>\n${body}\n`,
  }
}
