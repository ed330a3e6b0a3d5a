import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const DIR = join(import.meta.dirname, '..', '..', 'dist', 'test-ca')
/** File of the authority, as NODE_EXTRA_CA_CERTS takes it: the runtime's starter reads that variable when it is loaded. */
export const AUTHORITY = join(DIR, 'ca.pem')

export interface Certificates {
  key: string
  cert: string
}

/** The run's certificate for loopback. */
export const readCertificates = (): Certificates => ({
  key: readFileSync(join(DIR, 'leaf.key'), 'utf8'),
  cert: readFileSync(join(DIR, 'leaf.pem'), 'utf8'),
})

/**
 * An authority of this run's own and a certificate for loopback that it signed. A self-signed one would not do: the
 * runtime takes no authority's certificate for a server's.
 */
export function makeCertificates(): void {
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
    '2',
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
    '2',
    '-extfile',
    'leaf.ext',
  )
}
