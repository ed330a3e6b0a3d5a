// Adds up vitest's JSON reports of a folder and prints the total, alone on the last line. Argument 2: 1 when a step outside the tests failed.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const [folder, stepFailed] = process.argv.slice(2)
const totals = { passed: 0, failed: 0, skipped: 0 }
for (const file of readdirSync(folder).filter((name) => name.endsWith('.json'))) {
  const report = JSON.parse(readFileSync(join(folder, file), 'utf8'))
  totals.passed += report.numPassedTests
  totals.failed +=
    report.numFailedTests +
    report.testResults.filter(
      (suite) => suite.status === 'failed' && suite.assertionResults.length === 0,
    ).length
  totals.skipped += report.numPendingTests + report.numTodoTests
}
const failed = totals.failed > 0 || stepFailed === '1'
process.exitCode = failed || totals.passed === 0 ? 1 : 0
console.log(
  `${totals.passed} passed, ${failed && totals.failed === 0 ? 1 : totals.failed} failed${totals.skipped ? `, ${totals.skipped} skipped` : ''}`,
)
