import { describe, expect, it } from 'vitest'
import { checkDomain } from '../../../src/domains/check-domain'
import { toAscii } from '../../../src/domains/hostname'

const OWN = ['app.parley.dev', 'domains.app.parley.dev']

describe('checkDomain', () => {
  it.each([
    ['chat.example.com', 'chat.example.com', false],
    ['Chat.EXAMPLE.com.', 'chat.example.com', false],
    ['example.co.uk', 'example.co.uk', true],
    ['help.example.co.uk', 'help.example.co.uk', false],
    ['münchen-hilfe.de', 'xn--mnchen-hilfe-dlb.de', true],
    ['ответы.пример-фирма.рф', 'xn--b1agzqc8c.xn----8sbnlcvdsjdc0c.xn--p1ai', false],
    ['xn--mnchen-hilfe-dlb.de', 'xn--mnchen-hilfe-dlb.de', true],
    ['me.github.io', 'me.github.io', true],
    ['parley.dev', 'parley.dev', true],
  ])('takes %s as %s', (text, name, apex) => {
    expect(checkDomain(text, OWN)).toEqual({ ok: true, name, apex })
  })

  it.each([
    '',
    '.',
    'example',
    'com',
    'co.uk',
    'github.io',
    'localhost',
    'chat.localhost',
    'printer.local',
    'db.internal',
    'nas.home.arpa',
    'example.test',
    'chat.example.invalid',
    '*.example.com',
    'chat..example.com',
    '.example.com',
    'chat.example.com..',
    '-chat.example.com',
    'chat-.example.com',
    'my_chat.example.com',
    'chat.example.com:443',
    'https://chat.example.com',
    'chat.example.com/',
    'chat.example.com?x',
    'user@chat.example.com',
    'chat.example.com#x',
    'chat.exa mple.com',
    'chat.example.com\n',
    'chat%2eexample.com',
    '127.0.0.1',
    '127.1',
    '0x7f000001',
    '2130706433',
    '8.8.8.8',
    '[::1]',
    '::1',
    'app.parley.dev',
    'APP.parley.dev.',
    'x.app.parley.dev',
    'label.domains.app.parley.dev',
    `${'a'.repeat(64)}.example.com`,
    `${'abcdefghi.'.repeat(25)}example.com`,
  ])('refuses %j', (text) => {
    expect(checkDomain(text, OWN).ok).toBe(false)
  })
})

describe('toAscii', () => {
  it('keeps exact names only', () => {
    expect(toAscii('Chat.Example.com.')).toBe('chat.example.com')
    expect(toAscii('a.b:80')).toBeNull()
    expect(toAscii('x'.repeat(5000))).toBeNull()
  })
})
