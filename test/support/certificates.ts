import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const DIR = join(import.meta.dirname, '..', '..', 'dist', 'test-ca')
/** File of the authority, as NODE_EXTRA_CA_CERTS takes it: the runtime's starter reads that variable when it is loaded. */
export const AUTHORITY = join(DIR, 'ca.pem')

export interface Certificates {
  key: string
  cert: string
}

/** What is made last. */
const LEAF = join(DIR, 'leaf.pem')
const DAYS = 2
const DAY_MS = 24 * 60 * 60 * 1000

/** The certificate for loopback. */
export const readCertificates = (): Certificates => ({
  key: readFileSync(join(DIR, 'leaf.key'), 'utf8'),
  cert: readFileSync(LEAF, 'utf8'),
})

/**
 * An authority of this checkout's own and a certificate for loopback that it signed. A self-signed one would not do: the
 * runtime takes no authority's certificate for a server's. A run that goes on beside this one trusts the same authority, so
 * what is good for another day stays.
 */
export function makeCertificates(): void {
  const made = statSync(LEAF, { throwIfNoEntry: false })?.mtimeMs ?? 0
  if (Date.now() - made < (DAYS - 1) * DAY_MS) return
  mkdirSync(DIR, { recursive: true })
  const openssl = (...args: string[]) =>
    execFileSync('openssl', args, { cwd: DIR, stdio: 'pipe' }).toString()
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  openssl(
    'req',
    '-x509',
    ...curve,
    '-keyout',
    'ca.key',
    '-out',
    'ca.pem',
    '-days',
    String(DAYS),
    '-subj',
    '/CN=Test authority',
  )
  openssl(
    'req',
    '-new',
    ...curve,
    '-keyout',
    'leaf.key',
    '-out',
    'leaf.csr',
    '-subj',
    '/CN=localhost',
  )
  writeFileSync(
    join(DIR, 'leaf.ext'),
    'basicConstraints=CA:FALSE\nsubjectAltName=DNS:localhost,IP:127.0.0.1\n',
  )
  openssl(
    'x509',
    '-req',
    '-in',
    'leaf.csr',
    '-CA',
    'ca.pem',
    '-CAkey',
    'ca.key',
    '-CAcreateserial',
    '-out',
    'leaf.pem',
    '-days',
    String(DAYS),
    '-extfile',
    'leaf.ext',
  )
}
