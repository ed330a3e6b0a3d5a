import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A committed document of test/fixtures/documents. */
export function readFixture(name: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(readFileSync(join(import.meta.dirname, '../fixtures/documents', name)))
}
