// Known vulnerabilities of what runs in production, as the registry lists them. Fails for high and critical ones, and for
// any of a package that guards a boundary. A registry that does not answer such questions is said to be, and fails nothing.
import { spawnSync } from 'node:child_process'
import { pathToFileURL } from 'node:url'

const GRAVE = new Set(['high', 'critical'])
const BOUNDARY = new Set([
  'hono',
  '@hono/zod-validator',
  'zod',
  'jose',
  'drizzle-orm',
  'nodemailer',
])

/**
 * What `npm audit --json` printed → the verdict.
 * @returns {{ answered: false, reason: string } | { answered: true, grave: string[], minor: string[] }}
 */
export function readAudit(text) {
  let report
  try {
    report = JSON.parse(text)
  } catch {
    return { answered: false, reason: 'no report' }
  }
  if (!report.vulnerabilities)
    return { answered: false, reason: report.error?.summary || report.message || 'no report' }
  const found = Object.values(report.vulnerabilities).map(({ name, severity }) => ({
    isGrave: GRAVE.has(severity) || BOUNDARY.has(name),
    line: `${name}: ${severity}`,
  }))
  return {
    answered: true,
    grave: found.filter(({ isGrave }) => isGrave).map(({ line }) => line),
    minor: found.filter(({ isGrave }) => !isGrave).map(({ line }) => line),
  }
}

function main() {
  const run = spawnSync('npm', ['audit', '--omit=dev', '--json'], {
    encoding: 'utf8',
    timeout: 60_000,
  })
  const verdict = readAudit(run.stdout ?? '')
  if (!verdict.answered) {
    console.log(`advisories: the registry does not answer (${verdict.reason}); nothing was checked`)
    return 0
  }
  for (const line of verdict.minor) console.log(`advisory: ${line}`)
  for (const line of verdict.grave) console.error(`✗ advisory: ${line}`)
  if (verdict.grave.length === 0) console.log('advisories: none that matters')
  return verdict.grave.length === 0 ? 0 : 1
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) process.exitCode = main()
