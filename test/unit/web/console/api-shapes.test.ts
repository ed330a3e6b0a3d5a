import { expectTypeOf, it } from 'vitest'
import type * as z from 'zod'
import type {
  BaseOut,
  DocumentOut,
  ImportResult,
  SearchOut,
  SiteImportOut,
} from '../../../../src/knowledge/schema'
import type { McpServerOut } from '../../../../src/mcp/schema'
import type {
  Base,
  Document,
  Found,
  Imported,
  SiteImport,
} from '../../../../src/web/console/knowledge/base'
import type { Server } from '../../../../src/web/console/mcp/server'

it('what the screens read is what the API answers (the compiler tells)', () => {
  expectTypeOf<z.output<typeof BaseOut>>().toEqualTypeOf<Base>()
  expectTypeOf<z.output<typeof DocumentOut>>().toEqualTypeOf<Document>()
  expectTypeOf<z.output<typeof ImportResult>>().toEqualTypeOf<Imported>()
  expectTypeOf<z.output<typeof SearchOut>>().toEqualTypeOf<Found>()
  expectTypeOf<z.output<typeof SiteImportOut>>().toEqualTypeOf<SiteImport>()
  expectTypeOf<z.output<typeof McpServerOut>>().toEqualTypeOf<Server>()
})
