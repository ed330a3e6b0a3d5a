import type { Example, Reference } from './route-examples'
import { expectOk } from './seed'
import { freshName, type World } from './world'

const ABSENT_ID = '01890a5d-ac96-774b-bcce-b302099a8057'

/** Each side's server has its tenant's id, so that the other side's is known without asking. */
const serverId: Reference = {
  in: 'params',
  field: 'id',
  resource: 'MCP server',
  foreign: (w) => w.foreign.tenant.id,
  absent: ABSENT_ID,
}

async function ownServer(w: World) {
  await w.db.batch(
    [w.own, w.foreign].map(({ tenant }) =>
      w.db
        .prepare(
          `INSERT OR IGNORE INTO mcp_servers (id, tenant_id, name, transport, url, enabled, created_at, updated_at)
           VALUES (?1, ?1, 'files', 'streamable_http', ?2, 0, 0, 0)`,
        )
        .bind(tenant.id, `${w.page}/mcp`),
    ),
  )
  return { params: { id: w.own.tenant.id } }
}

/** Off, so that nothing is asked in the background while a test counts what was written. */
const serverBody = (w: World) => ({
  name: freshName('server'),
  transport: 'streamable_http',
  enabled: false,
  config: { url: `${w.page}/mcp`, headers: { Authorization: 'secret' } },
})

async function freshServer(w: World): Promise<string> {
  const { json } = await expectOk(w.own.tenant.call('POST', '/v1/mcp-servers', serverBody(w)))
  return json.id
}

export const MCP_EXAMPLES: Record<string, Example> = {
  'GET /v1/mcp-servers': {
    fill: async (w) => {
      await ownServer(w)
      return {}
    },
  },
  'POST /v1/mcp-servers': { fill: (w) => ({ body: serverBody(w) }) },
  'GET /v1/mcp-servers/{id}': { fill: ownServer, refers: [serverId] },
  'PATCH /v1/mcp-servers/{id}': {
    fill: async (w) => ({
      ...(await ownServer(w)),
      body: { enabled: false, config: { headers: { 'X-Team': 'blue' } } },
    }),
    refers: [serverId],
  },
  'DELETE /v1/mcp-servers/{id}': {
    fill: async (w) => ({ params: { id: await freshServer(w) } }),
    refers: [serverId],
  },
  'POST /v1/mcp-servers/{id}/check': {
    fill: async (w) => ({ ...(await ownServer(w)), body: { accept: false } }),
    refers: [serverId],
  },
  'POST /v1/mcp': {
    fill: () => ({ body: { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} } }),
  },
}
