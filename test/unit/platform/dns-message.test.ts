import { describe, expect, it } from 'vitest'
import { readJsonReply } from '../../../src/platform/dns-json'
import { decodeReply, encodeQuery } from '../../../src/platform/dns-wire.lazy'
import { growsLinearly } from '../../support/grows'

const bytes = (hex: string): Uint8Array =>
  Uint8Array.from(Buffer.from(hex.replaceAll(/\s/g, ''), 'hex'))

// RFC 8484, section 4.2.2: a reply to AAAA www.example.com.
const RFC_REPLY = bytes(`
  00 00 81 80 00 01 00 01 00 00 00 00 03 77 77 77 07 65 78 61 6d 70 6c 65 03 63 6f 6d 00 00 1c 00 01
  c0 0c 00 1c 00 01 00 00 0e 7d 00 10 20 01 0d b8 ab cd 00 12 00 01 00 02 00 03 00 04`)

describe('encodeQuery', () => {
  it('writes the example of RFC 8484, section 4.1.1', () => {
    const query = Buffer.from(encodeQuery('www.example.com', 'A')).toString('base64url')
    expect(query).toBe('AAABAAABAAAAAAAAA3d3dwdleGFtcGxlA2NvbQAAAQAB')
  })
})

describe('decodeReply', () => {
  it('reads the example of RFC 8484', () => {
    expect(decodeReply(RFC_REPLY, 'AAAA')).toEqual({
      status: 0,
      values: ['2001:db8:abcd:12:1:2:3:4'],
      ttlS: 3709,
    })
  })

  it('takes only records of the asked type, and the aliases before them', () => {
    const reply = bytes(`
      00 00 81 80 00 01 00 03 00 00 00 00 01 61 02 63 6f 00 00 01 00 01
      c0 0c 00 05 00 01 00 00 00 3c 00 04 01 62 c0 0e
      c0 22 00 01 00 01 00 00 00 1e 00 04 08 08 04 04
      01 62 c0 0e 00 01 00 01 00 00 00 0a 00 04 0a 00 00 01`)
    expect(decodeReply(reply, 'A')).toEqual({
      status: 0,
      values: ['8.8.4.4', '10.0.0.1'],
      ttlS: 10,
      aliases: ['b.co'],
    })
    expect(decodeReply(reply, 'AAAA')).toEqual({
      status: 0,
      values: [],
      ttlS: 0,
      aliases: ['b.co'],
    })
    expect(decodeReply(reply, 'CNAME')).toEqual({ status: 0, values: ['b.co'], ttlS: 60 })
  })

  it('gives the status of a refusal', () => {
    const reply = bytes('00 00 81 83 00 00 00 00 00 00 00 00')
    expect(decodeReply(reply, 'A')).toEqual({ status: 3, values: [], ttlS: 0 })
  })

  it('is null for a query, a truncated reply, and a reply cut at any place', () => {
    expect(decodeReply(encodeQuery('example.com', 'A'), 'A')).toBeNull()
    const truncated = RFC_REPLY.slice()
    truncated[2] = 0x83
    expect(decodeReply(truncated, 'AAAA')).toBeNull()
    for (let i = 0; i < RFC_REPLY.length; i++) {
      expect(decodeReply(RFC_REPLY.slice(0, i), 'AAAA')).toBeNull()
    }
  })

  it('is null for a name that leads to itself or never ends, and a text that ends behind its record', () => {
    const record = (type: string, data: string, more = '') => {
      const length = bytes(data).length.toString(16).padStart(4, '0')
      return bytes(
        `00 00 81 80 00 00 00 01 00 00 00 00 00 00 ${type} 00 01 00 00 00 3c ${length} ${data}${more}`,
      )
    }
    expect(decodeReply(record('05', '01 61 00'), 'CNAME')).toMatchObject({ values: ['a'] })
    for (const data of ['c0 17', '01 61 c0 17', '01 61 c0 19', `${'01 61'.repeat(200)} 00`])
      expect(decodeReply(record('05', data), 'CNAME')).toBeNull()
    expect(decodeReply(record('10', '02 61 62'), 'TXT')).toMatchObject({ values: ['ab'] })
    expect(decodeReply(record('10', '03 61 62', '63'), 'TXT')).toBeNull()
  })

  it('is null for an address of a wrong length', () => {
    const reply = bytes(
      '00 00 81 80 00 00 00 01 00 00 00 00 00 00 01 00 01 00 00 00 1e 00 03 08 08 04',
    )
    expect(decodeReply(reply, 'A')).toBeNull()
  })
})

describe('readJsonReply', () => {
  it('takes the records of the asked type', () => {
    const Answer = [
      { name: 'a.example', type: 5, TTL: 300, data: 'b.example.' },
      { name: 'b.example', type: 1, TTL: 60, data: '8.8.8.8' },
      { name: 'b.example', type: 1, TTL: 30, data: '8.8.4.4' },
    ]
    expect(readJsonReply({ Status: 0, Answer }, 'A')).toEqual({
      status: 0,
      values: ['8.8.8.8', '8.8.4.4'],
      ttlS: 30,
      aliases: ['b.example'],
    })
    expect(readJsonReply({ Status: 3 }, 'A')).toEqual({ status: 3, values: [], ttlS: 0 })
  })

  it('joins the texts of a record, in one pass', async () => {
    const read = (data: string) =>
      readJsonReply({ Status: 0, Answer: [{ type: 16, TTL: 1, data }] }, 'TXT')?.values
    expect(read('"a \\"b\\"" "c"')).toEqual(['a "b"c'])
    const look = (size: number) => expect(read(`"a"${'\\"'.repeat(size)}`)).toEqual(['a'])
    expect(await growsLinearly(32_000, look)).toBe(true)
  })

  it('is null when malformed', () => {
    for (const body of [null, 5, 'x', [], {}, { Status: '0' }, { Status: 0, Answer: 'x' }]) {
      expect(readJsonReply(body, 'A')).toBeNull()
    }
    expect(readJsonReply({ Status: 0, Answer: [{ type: 1, TTL: 1, data: 5 }] }, 'A')).toBeNull()
  })
})
