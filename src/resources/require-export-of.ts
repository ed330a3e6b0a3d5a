import { invalid } from '../errors'

/** Throws 422 for a file that was exported from something else, or in a format that this version does not read. */
export function requireExportOf(
  kind: string,
  file: { kind?: string | null | undefined; schema_version?: number | null | undefined },
): void {
  if ((file.kind ?? kind) !== kind) throw invalid(['body', 'kind'], 'the export is of another kind')
  if ((file.schema_version ?? 1) !== 1)
    throw invalid(
      ['body', 'schema_version'],
      'this version reads schema_version 1',
      'schema_version_unsupported',
    )
}
