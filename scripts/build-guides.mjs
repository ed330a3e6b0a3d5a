/**
 * Makes the PDF and DOCX guides of the help desk from demo/help-desk/sources.
 * The results are committed; run `node scripts/build-guides.mjs` after a change of a source.
 * Needs Chromium (CHROMIUM, else /usr/bin/chromium) and LibreOffice Writer (soffice).
 */
import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'

const FOLDER = resolve(import.meta.dirname, '../demo/help-desk')
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'
const GUIDES = [
  'en/limits.pdf',
  'en/security.pdf',
  'ru/limits.pdf',
  'en/domains.docx',
  'en/deployment.docx',
  'zh/limits.docx',
]

const scratch = mkdtempSync(join(tmpdir(), 'parley-guides-'))
try {
  for (const guide of GUIDES) {
    const target = join(FOLDER, guide)
    const source = join(FOLDER, 'sources', guide.replace(/\.\w+$/, '.html'))
    if (!existsSync(source)) throw new Error(`No source for ${guide}: ${source}`)
    if (guide.endsWith('.pdf')) printPdf(source, target)
    else convertDocx(source, target)
    console.log(`made ${guide}`)
  }
} finally {
  rmSync(scratch, { recursive: true, force: true })
}

function printPdf(source, target) {
  const options = ['--headless=new', '--no-sandbox', '--disable-gpu', '--no-pdf-header-footer']
  const profile = `--user-data-dir=${join(scratch, 'chromium')}`
  execFileSync(CHROMIUM, [...options, profile, `--print-to-pdf=${target}`, `file://${source}`], {
    stdio: 'ignore',
    timeout: 60_000,
  })
}

function convertDocx(source, target) {
  const profile = `-env:UserInstallation=file://${join(scratch, 'office')}`
  const conversion = ['--infilter=HTML (StarWriter)', '--convert-to', 'docx:MS Word 2007 XML']
  execFileSync('soffice', ['--headless', profile, ...conversion, '--outdir', scratch, source], {
    stdio: 'ignore',
    timeout: 120_000,
  })
  copyFileSync(join(scratch, basename(source).replace('.html', '.docx')), target)
}
