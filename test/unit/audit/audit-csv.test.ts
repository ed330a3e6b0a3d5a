import { describe, expect, it } from 'vitest'
import { csvRecord, streamAuditCsv } from '../../../src/audit/audit-csv'
import type { ListedEntry } from '../../../src/audit/list-audit'

const ROW: ListedEntry = {
  tenantId: 't',
  seq: 1,
  id: 'i',
  createdAt: 0,
  actor: 'key:first',
  actorType: 'key',
  via: 'api',
  action: 'update',
  entity: 'agent',
  entityId: 'e',
  entityName: 'n',
  before: null,
  after: '{"a":"b"}',
  requestId: 'r',
  hash: 'h',
  digest: null,
  sealedAt: null,
  prevHash: null,
}

describe('csvRecord', () => {
  it('quotes as RFC 4180 says', () => {
    expect(csvRecord(['plain', 'a,b', 'say "hi"', 'two\r\nlines', '', null])).toBe(
      'plain,"a,b","say ""hi""","two\r\nlines",,\r\n',
    )
  })

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '＝1', '＋1', '－1', '＠x'])(
    'a spreadsheet does not run %j',
    (cell) => {
      const record = csvRecord([cell])
      const unquoted = record.replace(/\r\n$/, '').replace(/^"|"$/g, '')
      expect(unquoted).toBe(`'${cell}`)
    },
  )

  it('leaves what is no formula as it is', () => {
    expect(csvRecord(['a=b', '1-2', "'x", ' =1'])).toBe("a=b,1-2,'x, =1\r\n")
  })
})

describe('streamAuditCsv', () => {
  it('asks for the next piece only when the last one was read, and ends', async () => {
    const asked: (number | null)[] = []
    const pages: ListedEntry[][] = [
      [
        { ...ROW, seq: 3 },
        { ...ROW, seq: 2 },
      ],
      [ROW],
      [],
    ]
    const stream = streamAuditCsv(async (below) => {
      asked.push(below)
      return pages[asked.length - 1] ?? []
    })
    const reader = stream.pipeThrough(new TextDecoderStream()).getReader()
    expect((await reader.read()).value).toMatch(/^id,created_at,.*,hash,canonical\r\n$/)
    expect(asked.length).toBeLessThanOrEqual(1)
    let rest = ''
    for (let piece = await reader.read(); !piece.done; piece = await reader.read())
      rest += piece.value
    expect(rest.split('\r\n')).toHaveLength(4)
    expect(rest).toContain(',,"{""a"":""b""}",r,1,1970-01-01T00:00:00.000Z,,h,\r\n')
    expect(asked).toEqual([null, 2, 1])
  })
})
