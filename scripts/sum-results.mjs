// Adds up vitest's JSON reports of a folder and prints the total, alone on the last line. Argument 2: 1 when a step outside the tests failed.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** @param reports what vitest wrote @returns {{passed: number, failed: number, skipped: number}} */
export function sumReports(reports) {
  const totals = { passed: 0, failed: 0, skipped: 0 }
  for (const report of reports) {
    totals.passed += report.numPassedTests
    totals.failed += report.numFailedTests + report.testResults.filter(failedOutsideTests).length
    totals.skipped += report.numPendingTests + report.numTodoTests
  }
  return totals
}

/** A file that did not load or whose hook failed: its tests are listed as skipped, or even as passed. */
function failedOutsideTests({ status, message, assertionResults }) {
  if (status !== 'failed') return false
  return Boolean(message) || assertionResults.every((test) => test.status !== 'failed')
}

/** What failed, a line each with the first line of why, so that the end of a long log says it. @param reports what vitest wrote @returns {string[]} */
export function listFailures(reports) {
  return reports.flatMap(({ testResults }) => testResults).flatMap(failuresOfFile)
}

function failuresOfFile(file) {
  const outside = failedOutsideTests(file) ? [`${file.name}: ${firstLine(file.message)}`] : []
  const tests = file.assertionResults.filter((test) => test.status === 'failed')
  return outside.concat(
    tests.map((test) => `${file.name} › ${test.fullName}: ${firstLine(test.failureMessages?.[0])}`),
  )
}

const firstLine = (text) => String(text ?? '').split('\n', 1)[0]

function main([folder, stepFailed]) {
  const reports = readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')))
  const totals = sumReports(reports)
  for (const failure of listFailures(reports)) console.log(`✗ ${failure}`)
  const failed = totals.failed > 0 || stepFailed === '1'
  process.exitCode = failed || totals.passed === 0 ? 1 : 0
  console.log(
    `${totals.passed} passed, ${failed && totals.failed === 0 ? 1 : totals.failed} failed${totals.skipped ? `, ${totals.skipped} skipped` : ''}`,
  )
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main(process.argv.slice(2))
