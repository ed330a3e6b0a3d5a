import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listFailures, sumReports } from '../../../scripts/sum-results.mjs'

const FILES = {
  'before-fails': `describe('a', () => { beforeAll(() => { throw new Error('x') }); it('1', () => {}); it('2', () => {}) })`,
  'after-fails': `describe('a', () => { afterAll(() => { throw new Error('x') }); it('1', () => {}) })`,
  'last-hook-fails': `afterAll(() => { throw new Error('x') }); it('1', () => {})`,
  'does-not-load': `throw new Error('x')`,
  'test-fails': `it('1', () => expect(1).toBe(2)); it('2', () => {})`,
  'all-is-well': `it('1', () => {}); it.skip('2', () => {})`,
}
const EXPECTED = {
  'before-fails': { passed: 0, failed: 1, skipped: 2 },
  'after-fails': { passed: 1, failed: 1, skipped: 0 },
  'last-hook-fails': { passed: 1, failed: 1, skipped: 0 },
  'does-not-load': { passed: 0, failed: 1, skipped: 0 },
  'test-fails': { passed: 1, failed: 1, skipped: 0 },
  'all-is-well': { passed: 1, failed: 0, skipped: 1 },
}

describe('the total of a run', () => {
  let folder = ''
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'parley-results-'))
    symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
    for (const [name, body] of Object.entries(FILES)) {
      const imports = `import { afterAll, beforeAll, describe, expect, it } from 'vitest'\n`
      writeFileSync(join(folder, `${name}.test.ts`), imports + body)
    }
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  it('a failed hook counts as failed, as does a file that does not load (#8.22)', () => {
    const vitest = resolve('node_modules/vitest/vitest.mjs')
    const output = join(folder, 'out.json')
    const args = ['run', '--root', folder, '--reporter', 'json', '--outputFile', output]
    expect(() => execFileSync(process.execPath, [vitest, ...args], { stdio: 'pipe' })).toThrow()
    const report = JSON.parse(readFileSync(output, 'utf8'))
    const found = Object.fromEntries(
      Object.keys(FILES).map((name) => [name, sumReports([only(report, name)])]),
    )
    expect(found).toEqual(EXPECTED)
    const failures = listFailures([report]).map((line) => line.replace(`${folder}/`, ''))
    expect(failures.sort()).toEqual([
      'after-fails.test.ts: ',
      'before-fails.test.ts: ',
      'does-not-load.test.ts: x',
      'last-hook-fails.test.ts: x',
      'test-fails.test.ts › 1: AssertionError: expected 1 to be 2 // Object.is equality',
    ])
  })
})

interface FileResult {
  name: string
  assertionResults: { status: string }[]
}

/** The report of a run of one file alone. */
function only(report: { testResults: FileResult[] }, name: string) {
  const testResults = report.testResults.filter((file) => file.name.endsWith(`/${name}.test.ts`))
  const count = (status: string) =>
    testResults.flatMap((file) => file.assertionResults).filter((test) => test.status === status)
      .length
  return {
    numPassedTests: count('passed'),
    numFailedTests: count('failed'),
    numPendingTests: count('skipped'),
    numTodoTests: 0,
    testResults,
  }
}
