import type * as z from 'zod'
import { createSchemaWriter, type JsonSchema } from '../api-description/json-schemas'
import type { Method, Route } from '../http/route'

/** What the management server offers: a name and the operation behind it. Whatever the operation refuses, the tool refuses. */
const OPERATIONS: Record<string, `${Method} ${string}`> = {
  list_agents: 'GET /v1/agents',
  get_agent: 'GET /v1/agents/{name}',
  create_agent: 'POST /v1/agents/{name}',
  update_agent: 'PATCH /v1/agents/{name}',
  delete_agent: 'DELETE /v1/agents/{name}',
  clone_agent: 'POST /v1/agents/{name}/clone',
  preview_agent_plan: 'POST /v1/agents/{name}/preview-plan',
  list_agent_revisions: 'GET /v1/agents/{name}/revisions',
  restore_agent: 'POST /v1/agents/{name}/revisions/{rev_id}/restore',
  list_skills: 'GET /v1/skills',
  get_skill: 'GET /v1/skills/{name}',
  create_skill: 'POST /v1/skills/{name}',
  update_skill: 'PATCH /v1/skills/{name}',
  delete_skill: 'DELETE /v1/skills/{name}',
  list_knowledge_bases: 'GET /v1/knowledge-bases',
  get_knowledge_base: 'GET /v1/knowledge-bases/{name}',
  create_knowledge_base: 'POST /v1/knowledge-bases',
  update_knowledge_base: 'PATCH /v1/knowledge-bases/{name}',
  delete_knowledge_base: 'DELETE /v1/knowledge-bases/{name}',
  search_knowledge_base: 'POST /v1/knowledge-bases/{name}/search',
  list_documents: 'GET /v1/knowledge-bases/{name}/documents',
  get_document: 'GET /v1/knowledge-bases/{name}/documents/{id}',
  add_text: 'POST /v1/knowledge-bases/{name}/documents/text',
  add_url: 'POST /v1/knowledge-bases/{name}/documents/url',
  delete_document: 'DELETE /v1/knowledge-bases/{name}/documents/{id}',
  list_storylines: 'GET /v1/storylines',
  get_storyline: 'GET /v1/storylines/{storyline_id}',
  create_storyline: 'POST /v1/storylines',
  draft_storyline: 'POST /v1/storylines/draft',
  update_storyline: 'PUT /v1/storylines/{storyline_id}',
  delete_storyline: 'DELETE /v1/storylines/{storyline_id}',
  validate_storyline: 'POST /v1/storylines/{storyline_id}/validate',
  simulate_storyline: 'POST /v1/storylines/{storyline_id}/simulate',
  list_storyline_scenarios: 'GET /v1/storylines/{storyline_id}/scenarios',
  put_storyline_scenario: 'PUT /v1/storylines/{storyline_id}/scenarios/{name}',
  delete_storyline_scenario: 'DELETE /v1/storylines/{storyline_id}/scenarios/{name}',
  run_storyline_scenarios: 'POST /v1/storylines/{storyline_id}/scenarios/run',
  publish_storyline: 'POST /v1/storylines/{storyline_id}/publish',
  unpublish_storyline: 'POST /v1/storylines/{storyline_id}/unpublish',
  get_storyline_funnel: 'GET /v1/storylines/{storyline_id}/funnel',
  get_usage: 'GET /v1/manage/usage',
  get_quota: 'GET /v1/tenant/quota',
  list_audit: 'GET /v1/tenant/audit',
}

/** Where an argument goes, and under which name. */
interface Place {
  in: 'path' | 'query' | 'body'
  field: string
}

export interface ManagementTool {
  name: string
  description: string
  inputSchema: JsonSchema & { type: 'object' }
  annotations: { readOnlyHint: boolean; destructiveHint: boolean; idempotentHint: boolean }
  method: Method
  path: string
  places: Record<string, Place>
}

/**
 * The tools with their arguments, made of the route table. A field that would hide a parameter of the path is called
 * `new_{field}`. @throws Error for an operation that the table lacks.
 */
export function describeTools(routes: readonly Route[]): ManagementTool[] {
  const writer = createSchemaWriter(new Map())
  return Object.entries(OPERATIONS).map(([name, operation]) => {
    const [method, path] = operation.split(' ') as [Method, string]
    const route = routes.find((one) => one.method === method && one.path === path)
    if (!route) throw new Error(`There is no ${operation}`)
    const places: Record<string, Place> = {}
    const properties: Record<string, JsonSchema> = {}
    const required: string[] = []
    for (const [target, schema] of [
      ['path', route.params],
      ['query', route.query],
      ['body', route.json],
    ] as const) {
      const fields = fieldsOf(schema, (one) => writer.write(one, 'input'))
      for (const [field, described] of Object.entries(fields.properties)) {
        const argument = places[field]?.in === 'path' ? `new_${field}` : field
        places[argument] = { in: target, field }
        properties[argument] = described
        if (fields.required.includes(field) && !required.includes(argument)) required.push(argument)
      }
    }
    return {
      name,
      description: route.summary,
      inputSchema: { type: 'object', properties, required },
      annotations: {
        readOnlyHint:
          method === 'GET' ||
          route.readable === true ||
          path.endsWith('/search') ||
          path.endsWith('/preview-plan'),
        destructiveHint: method === 'DELETE',
        idempotentHint: method !== 'POST',
      },
      method,
      path,
      places,
    }
  })
}

function fieldsOf(
  schema: z.ZodType | undefined,
  write: (schema: z.ZodType) => JsonSchema,
): { properties: Record<string, JsonSchema>; required: string[] } {
  const { properties, required } = schema ? write(schema) : {}
  return {
    properties: (properties as Record<string, JsonSchema> | undefined) ?? {},
    required: (required as string[] | undefined) ?? [],
  }
}

/** What a call of a tool asks for, or what is wrong with it. */
export type WantedRequest =
  | { path: string; body: Record<string, unknown> | null }
  | { type: string; loc: string[]; msg: string }

/** A tool call as the request it stands for, or what is wrong with a part of the path. Unknown arguments are ignored. Pure. */
export function toRequest(
  { method, path, places }: ManagementTool,
  args: Record<string, unknown>,
): WantedRequest {
  const body: Record<string, unknown> = {}
  const query = new URLSearchParams()
  let filled = path
  for (const [argument, { in: target, field }] of Object.entries(places)) {
    const value = Object.hasOwn(args, argument) ? args[argument] : undefined
    if (target === 'path') {
      const loc = ['path', field]
      if (value === undefined) return { type: 'missing', loc, msg: 'Field required' }
      if (typeof value !== 'string' || !value.isWellFormed())
        return { type: 'string_type', loc, msg: 'Input should be a valid string' }
      // An empty segment, `.` and `..` would be another address: as spaces they are refused as names.
      const segment = /^\.{0,2}$/.test(value) ? ' ' : value
      filled = filled.replace(`{${field}}`, encodeURIComponent(segment))
    } else if (value !== undefined && target === 'body') body[field] = value
    else if (value !== undefined && value !== null)
      query.set(field, typeof value === 'object' ? JSON.stringify(value) : String(value))
  }
  const search = query.size > 0 ? `?${query}` : ''
  const hasBody = method === 'POST' || method === 'PUT' || method === 'PATCH'
  return { path: filled + search, body: hasBody ? body : null }
}
