import { describe, expect, it } from 'vitest'
import { LANGUAGES } from '../../../../src/config/names'
import { renderMail } from '../../../../src/platform/mail/render-mail'
import { isMailValue, sendMail } from '../../../../src/platform/mail/send-mail'

const LINK = 'https://chat.example/login/acme#reset=token'

describe('renderMail', () => {
  it('holds the link in text and markup, in every language and its direction', () => {
    for (const lang of LANGUAGES) {
      const { text, html } = renderMail('reset', lang, {
        tenant: 'Acme',
        website: null,
        link: LINK,
      })
      expect(text).toContain(`\n${LINK}\n`)
      expect(html).toContain(`href="${LINK}"`)
      // A long address makes the mail no wider than a phone.
      expect(html).toContain(`break-all" dir="ltr">${LINK}<`)
      expect(html).toContain(`<html lang="${lang}" dir="${lang === 'ar' ? 'rtl' : 'ltr'}">`)
      expect(html).not.toMatch(/<img|src=|url\(/)
    }
  })

  it("takes a tenant's name as text on one line, whatever it says", () => {
    const tenant = 'A\r\nBcc: x@y.example <b>$& {tenant}</b>'
    const { subject, html } = renderMail('verify', 'en', { tenant, website: null, link: LINK })
    expect(subject).toBe('Confirm your e-mail address for A Bcc: x@y.example <b>$& {tenant}</b>')
    expect(html).toContain('&lt;b&gt;$&amp; {tenant}&lt;/b&gt;')
  })
})

describe('sendMail', () => {
  const server = { host: '127.0.0.1', port: 9, user: '', password: null, starttls: true }
  const content = renderMail('test', 'en', {
    tenant: 'Acme',
    website: 'https://acme.example',
    link: null,
  })
  const from = { name: 'Acme', address: 'post@acme.example' }
  const egress = {
    allow: [],
    ownHosts: [],
    resolver: 'http://127.0.0.1:9/',
    isBound: async () => false,
  }

  it('refuses values that could end a line, before anything else', async () => {
    for (const to of [
      'a@b.example\r\nRCPT TO:<c@d.example>',
      'a\0@b.example',
      `${'a'.repeat(999)}`,
    ]) {
      expect(isMailValue(to)).toBe(false)
      const sent = sendMail(egress, server, { from, to, content })
      await expect(sent).rejects.toMatchObject({ name: 'MailError', code: 'refused_value' })
    }
    expect(isMailValue('a'.repeat(998))).toBe(true)
    expect(isMailValue('é'.repeat(500))).toBe(false)
  })

  it('calls no host that the egress rules refuse', async () => {
    const sent = sendMail(egress, server, { from, to: 'a@b.example', content })
    await expect(sent).rejects.toMatchObject({ code: 'not_allowed' })
  })
})
