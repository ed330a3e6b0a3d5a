import { describe, expect, it } from 'vitest'
import { checkUrl, type EgressPolicy, isPublicAddress } from '../../../src/platform/egress-rules'

const policy: EgressPolicy = {
  allow: [],
  ownHosts: ['chat.parley.example', 'Widget.Example.net:8787'],
}

describe('checkUrl', () => {
  it.each([
    ['https://example.com', 'https://example.com/'],
    ['https://example.com:443/mcp', 'https://example.com/mcp'],
    ['https://example.com:8443/mcp?a=%7Bb%7D#c', 'https://example.com:8443/mcp?a=%7Bb%7D#c'],
    ['HTTPS://EXAMPLE.COM/A', 'https://example.com/A'],
    ['https://example.com./a', 'https://example.com/a'],
    ['https://bücher.example/', 'https://xn--bcher-kva.example/'],
    ['https://ex%61mple.com/', 'https://example.com/'],
    ['https://_mcp.a-b.c1.example.co/', 'https://_mcp.a-b.c1.example.co/'],
    ['https://localhost.example.com/', 'https://localhost.example.com/'],
    ['https://notlocal.example/', 'https://notlocal.example/'],
    ['https://myparley.example/', 'https://myparley.example/'],
    [`https://example.com/${'a'.repeat(2028)}`, `https://example.com/${'a'.repeat(2028)}`],
  ])('takes %s', (text, href) => {
    expect(checkUrl(text, policy)?.url.href).toBe(href)
    expect(checkUrl(text, policy)?.exempt).toBe(false)
  })

  it.each<[string, string[]]>([
    [
      'what is no URL',
      ['', 'example.com', '//example.com', 'https://', 'https:///', 'https://?', 'x'],
    ],
    [
      'other schemes',
      [
        'http://example.com/',
        'ftp://example.com/',
        'file:///etc/passwd',
        'gopher://example.com/',
        'data:text/plain,hi',
        'javascript:alert(1)',
        'ws://example.com/',
        'wss://example.com/',
        'blob:https://example.com/1',
        'https+unix://example.com/',
      ],
    ],
    [
      'other ports',
      [
        'https://example.com:80/',
        'https://example.com:22/',
        'https://example.com:8444/',
        'https://example.com:65535/',
        'https://example.com:0/',
        'https://example.com:99999/',
        'https://example.com:-1/',
      ],
    ],
    [
      'credentials',
      [
        'https://user@example.com/',
        'https://user:secret@example.com/',
        'https://:secret@example.com/',
        'https://example.com@10.0.0.1/',
        'https://example.com%40evil.example:x@example.com/',
      ],
    ],
    [
      'IPv4 in every form',
      [
        'https://127.0.0.1/',
        'https://127.1/',
        'https://127.0.0.1./',
        'https://2130706433/',
        'https://0x7f000001/',
        'https://0x7f.0.0.1/',
        'https://0177.0.0.1/',
        'https://017700000001/',
        'https://127.0.0.0x1/',
        'https://0/',
        'https://0.0.0.0/',
        'https://8.8.8.8/',
        'https://169.254.169.254/latest/meta-data/',
        'https://１２７.０.０.１/',
        'https://127。0。0。1/',
        'https://127%2e0%2e0%2e1/',
        'https://①②⑦.⓪.⓪.①/',
        'https://256.256.256.256/',
        'https://1.2.3.4.5/',
        'https://example.1/',
        'https://example.0x7f/',
      ],
    ],
    [
      'IPv6',
      [
        'https://[::1]/',
        'https://[::]/',
        'https://[::ffff:127.0.0.1]/',
        'https://[::ffff:7f00:1]/',
        'https://[2606:4700::1111]/',
        'https://[fe80::1%25eth0]/',
        'https://[fd00::1]:8443/',
        'https://[64:ff9b::7f00:1]/',
        'https://[v1.x]/',
      ],
    ],
    [
      'local names',
      [
        'https://localhost/',
        'https://LOCALHOST/',
        'https://localhost./',
        'https://localhost.localdomain.localhost/',
        'https://a.localhost/',
        'https://ⓛocalhost/',
        'https://ｌocalhost/',
        'https://lοcalhost/',
        'https://l\u043ecalhost/',
        'https://locálhost/',
        'https://a.ⓛocalhost/',
        'https://printer.local/',
        'https://printer.LOCAL./',
        'https://metadata.google.internal/',
        'https://router.home.arpa/',
        'https://home.arpa/',
        'https://intranet/',
        'https://intranet./',
        'https://com/',
      ],
    ],
    [
      'malformed names',
      [
        'https://example..com/',
        'https://.example.com/',
        'https://example.com../',
        'https://-a.example.com/',
        'https://a-.example.com/',
        `https://${'a'.repeat(64)}.example.com/`,
        `https://${'abcdefghi.'.repeat(26)}example.com/`,
        'https://exa mple.com/',
        'https://exa\u00admple.com/',
        'https://exa\u200bmple.com/',
        'https://example.com\u202e/',
        'https://exam*ple.com/',
        'https://example.com%00.evil.example/',
        'https://a,b.example.com/',
      ],
    ],
    [
      'our own names',
      [
        'https://chat.parley.example/',
        'https://CHAT.parley.example./v1/mcp',
        'https://x.chat.parley.example/',
        'https://chat.parley.example:8443/',
        'https://widget.example.net/',
      ],
    ],
    [
      'placeholders',
      [
        `https://example.com/${'$'}{TOKEN}`,
        'https://{{host}}.example.com/',
        'https://example.com/{id}',
        'https://example.com/?key={{secret}}',
        'https://<host>.example.com/',
        'https://example.com/<token>',
      ],
    ],
    [
      'spaces, controls and backslashes',
      [
        ' https://example.com/',
        'https://example.com/ ',
        'https://example.com/a b',
        'https://exa\tmple.com/',
        'https://example.com/\n',
        'https://example.com/\r\nHost: evil',
        'https://example.com/\u0000',
        'https:\\\\example.com\\',
        'https://example.com\\@evil.example/',
        'https://example.com/\u00a0',
      ],
    ],
    [
      'more than 2,048 characters',
      [
        `https://example.com/${'a'.repeat(2029)}`,
        `https://example.com/${'ä'.repeat(400)}`,
        `https://example.com/${'a/../'.repeat(500)}`,
      ],
    ],
  ])('refuses %s', (_, texts) => {
    for (const text of texts) expect(checkUrl(text, policy), text).toBeNull()
  })

  it('lets a listed host and port pass every rule but the scheme', () => {
    const open = {
      ...policy,
      allow: ['127.0.0.1:9001', '[::1]:9002', 'Localhost:80', 'example.com:443'],
    }
    for (const text of [
      'http://127.0.0.1:9001/mcp',
      'https://127.0.0.1:9001/',
      'http://2130706433:9001/',
      'http://[::1]:9002/',
      'http://localhost/',
      'https://user@example.com/',
    ]) {
      expect(checkUrl(text, open)?.exempt, text).toBe(true)
    }
    for (const text of [
      'http://127.0.0.1:9002/',
      'http://127.0.0.1/',
      'http://127.0.0.2:9001/',
      'https://localhost/',
      'http://example.com:9001/',
      'http://127.0.0.1:9001@evil.example/',
      'ftp://127.0.0.1:9001/',
      'http://evil.example/?127.0.0.1:9001',
    ]) {
      expect(checkUrl(text, open), text).toBeNull()
    }
  })
})

describe('isPublicAddress', () => {
  // First and last address of each range, then the neighbours on both sides where they are public.
  it.each<[string, string[], string[]]>([
    ['0/8', ['0.0.0.0', '0.255.255.255'], ['1.0.0.0']],
    ['10/8', ['10.0.0.0', '10.255.255.255'], ['9.255.255.255', '11.0.0.0']],
    ['100.64/10', ['100.64.0.0', '100.127.255.255'], ['100.63.255.255', '100.128.0.0']],
    ['127/8', ['127.0.0.0', '127.0.0.1', '127.255.255.255'], ['126.255.255.255', '128.0.0.0']],
    [
      '169.254/16',
      ['169.254.0.0', '169.254.169.254', '169.254.255.255'],
      ['169.253.255.255', '169.255.0.0'],
    ],
    ['172.16/12', ['172.16.0.0', '172.31.255.255'], ['172.15.255.255', '172.32.0.0']],
    ['192.0.0/24', ['192.0.0.0', '192.0.0.255'], ['191.255.255.255', '192.0.1.0']],
    ['192.0.2/24', ['192.0.2.0', '192.0.2.255'], ['192.0.1.255', '192.0.3.0']],
    ['192.88.99/24', ['192.88.99.0', '192.88.99.255'], ['192.88.98.255', '192.88.100.0']],
    ['192.168/16', ['192.168.0.0', '192.168.255.255'], ['192.167.255.255', '192.169.0.0']],
    ['198.18/15', ['198.18.0.0', '198.19.255.255'], ['198.17.255.255', '198.20.0.0']],
    ['198.51.100/24', ['198.51.100.0', '198.51.100.255'], ['198.51.99.255', '198.51.101.0']],
    ['203.0.113/24', ['203.0.113.0', '203.0.113.255'], ['203.0.112.255', '203.0.114.0']],
    ['224/4', ['224.0.0.0', '239.255.255.255'], ['223.255.255.255']],
    ['240/4', ['240.0.0.0', '255.255.255.255'], []],
    ['::', ['::', '0:0:0:0:0:0:0:0', '::1', '::7f00:1', '::127.0.0.1', '::ffff:ffff'], []],
    [
      '::ffff:0:0/96',
      [
        '::ffff:0:0',
        '::ffff:8.8.8.8',
        '::FFFF:127.0.0.1',
        '::ffff:255.255.255.255',
        '0:0:0:0:0:ffff:a00:1',
      ],
      [],
    ],
    ['64:ff9b::/96', ['64:ff9b::', '64:ff9b::7f00:1', '64:ff9b::ffff:ffff'], []],
    ['64:ff9b:1::/48', ['64:ff9b:1::', '64:ff9b:1:ffff::1'], []],
    ['100::/64', ['100::', '100::ffff:ffff:ffff:ffff'], []],
    ['2001::/32', ['2001::', '2001:0:ffff::1'], ['2001:200::']],
    [
      'what is unassigned',
      ['::1:0:0', '64:ff9b:2::', '100:0:0:1::', '1fff::', '4000::', 'fbff::'],
      ['2003::', '3ffe::'],
    ],
    ['IPv4-translated', ['::ffff:0:0:0', '::ffff:0:10.0.0.1', '::ffff:0:8.8.8.8'], []],
    ['2001::/23', ['2001:1::', '2001:2::1', '2001:10::', '2001:1ff:ffff::'], ['2001:200::']],
    ['3fff::/20', ['3fff::', '3fff:fff::1'], ['3fff:1000::']],
    [
      'ISATAP',
      ['2606:4700::5efe:10.0.0.1', '2606:4700::200:5efe:10.0.0.1', '2a00::100:5efe:8.8.8.8'],
      ['2606:4700::5eff:a00:1', '2606:4700::1:5efe:a00:1', '2606:4700::400:5efe:a00:1'],
    ],
    ['2001:db8::/32', ['2001:db8::1', '2001:db8:ffff::'], ['2001:db7::', '2001:db9::']],
    ['2002::/16', ['2002::', '2002:7f00:1::', '2002:ffff::'], ['2003::', '2001:ffff::']],
    ['fc00::/7', ['fc00::', 'fd12:3456::1', 'fdff:ffff::'], []],
    ['fe80::/10', ['fe80::1', 'febf:ffff::'], []],
    ['fec0::/10', ['fec0::', 'feff:ffff::'], []],
    ['ff00::/8', ['ff00::', 'ff02::1', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'], []],
  ])('refuses %s and not its neighbours', (_, inside, outside) => {
    for (const address of inside) expect(isPublicAddress(address), address).toBe(false)
    for (const address of outside) expect(isPublicAddress(address), address).toBe(true)
  })

  it('takes public addresses', () => {
    for (const address of [
      '8.8.8.8',
      '1.1.1.1',
      '104.16.0.1',
      '2606:4700:4700::1111',
      '2a00:1450:4001:82a::200e',
    ]) {
      expect(isPublicAddress(address), address).toBe(true)
    }
  })

  it('refuses what is no plain address', () => {
    for (const text of [
      '',
      'example.com',
      '8.8.8',
      '8.8.8.8.8',
      '8.8.8.08',
      '8.8.8.256',
      '0x8.8.8.8',
      '134744072',
      ' 8.8.8.8',
      '8.8.8.8/32',
      '[2606:4700::1]',
      '2606:4700::1%eth0',
      '2606:4700:::1',
      '2606:4700::1::2',
      '1:2:3:4:5:6:7',
      '1:2:3:4:5:6:7:8:9',
      '12345::',
      ':',
    ]) {
      expect(isPublicAddress(text), text).toBe(false)
    }
  })
})
