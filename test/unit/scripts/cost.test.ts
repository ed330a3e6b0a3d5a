import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { KNOWLEDGE } from '../../../src/config/limits'

const ROOT = resolve(import.meta.dirname, '../../..')
const cost = (...args: string[]) =>
  execFileSync(process.execPath, [resolve(ROOT, 'scripts/cost.mjs'), ...args], {
    encoding: 'utf8',
    stdio: 'pipe',
  })
const cells = (text: string) =>
  text
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.includes('---'))
    .map((line) => line.split('|').map((cell) => cell.trim()))

describe('the cost of a million turns', () => {
  it('stands in the documents as the script computes it', () => {
    expect(cells(readFileSync(resolve(ROOT, 'docs/cost.md'), 'utf8'))).toEqual(cells(cost()))
  })

  it('knows the time that a model takes', () => {
    const timeOf = (text: string) => cells(text).find(([, line]) => line === 'object GB-s')?.[2]
    expect(timeOf(cost('--seconds', '1'))).toBe('$1.60')
    expect(timeOf(cost('--seconds', '10'))).toBe('$16.00')
    expect(() => cost('--seconds', 'long')).toThrow()
  })

  it('asks the vector index for large bases alone, from the size that the deployment has', () => {
    const lines = (text: string) => cells(text).map(([, line]) => line)
    const asked = 'Vectorize dimensions asked'
    expect(lines(cost('--chunks', String(KNOWLEDGE.indexFromChunks - 1)))).not.toContain(asked)
    expect(lines(cost('--chunks', String(KNOWLEDGE.indexFromChunks)))).toContain(asked)
    expect(() => cost('--chunks', 'many')).toThrow()
  })
})
