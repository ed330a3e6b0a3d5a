import { streamAuditCsv } from '../../audit/audit-csv'
import { listAudit, nextForExport } from '../../audit/list-audit'
import { presentAudit } from '../../audit/present-audit'
import { AuditExportQuery, AuditPage, AuditQuery } from '../../audit/schema'
import { defineRoute } from '../../http/route'
import { isoOf } from '../../time'
import { readPage } from '../../wire/paging'

const tag = 'Audit'

export const tenantAuditRoutes = [
  defineRoute({
    method: 'GET',
    path: '/v1/tenant/audit',
    layer: 'tenant',
    tag,
    summary:
      'Configuration changes, newest first; `total` comes with the first page and with `offset`, not with a cursor; null where a filter finds more than 10,000',
    query: AuditQuery,
    answers: { 200: AuditPage },
    handler: async (c) => {
      const ctx = c.get('tenant')
      const { limit, offset, cursor, ...filter } = c.req.valid('query')
      let total: number | null = null
      const page = await readPage(
        ctx,
        { limit, cursor },
        {
          route: 'tenant/audit',
          filter,
          async read(below: number | null) {
            const found = await listAudit(ctx, filter, { below, offset, limit })
            total = found.total
            return found.rows
          },
          position: (row) => row.seq,
          present: presentAudit,
        },
      )
      return c.json({ ...page, total })
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/tenant/audit.csv',
    layer: 'tenant',
    tag,
    summary: 'The same entries as a file, newest first, to keep longer than two years',
    query: AuditExportQuery,
    answers: { 200: { media: 'text/csv' } },
    handler: (c) => {
      const ctx = c.get('tenant')
      const { limit, ...filter } = c.req.valid('query')
      return c.body(
        streamAuditCsv((below) => nextForExport(ctx, filter, below), limit),
        200,
        {
          'Content-Type': 'text/csv; charset=utf-8',
          'Content-Disposition': `attachment; filename="audit-${isoOf(ctx.now).slice(0, 10)}.csv"`,
        },
      )
    },
  }),
]
