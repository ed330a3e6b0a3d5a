import { describe, expect, it } from 'vitest'
import { readAudit } from '../../../scripts/check-advisories.mjs'

const report = (severities: Record<string, string>) =>
  JSON.stringify({
    vulnerabilities: Object.fromEntries(
      Object.entries(severities).map(([name, severity]) => [name, { name, severity }]),
    ),
  })

describe('advisories', () => {
  it('high and critical ones fail, and any of a package at a boundary', () => {
    expect(readAudit(report({ a: 'low', b: 'high', c: 'critical', hono: 'moderate' }))).toEqual({
      answered: true,
      grave: ['b: high', 'c: critical', 'hono: moderate'],
      minor: ['a: low'],
    })
    expect(readAudit(report({}))).toEqual({ answered: true, grave: [], minor: [] })
  })

  it('a registry that does not answer is told from one that knows of none', () => {
    for (const text of ['', 'npm error', '{"error":{"summary":"405 Method Not Allowed"}}', '{}'])
      expect(readAudit(text)).toMatchObject({ answered: false })
  })
})
