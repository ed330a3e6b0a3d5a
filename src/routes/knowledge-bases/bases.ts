import * as z from 'zod'
import { LIMITS } from '../../config/limits'
import { defineRoute } from '../../http/route'
import {
  createBase,
  deleteBase,
  getBase,
  getCountedBase,
  listBases,
  patchBase,
} from '../../knowledge/bases'
import { searchBase } from '../../knowledge/documents'
import { readGate } from '../../knowledge/gate'
import { presentBase, presentHit } from '../../knowledge/present-knowledge'
import { BaseIn, BaseOut, BasePatch, SearchIn, SearchOut } from '../../knowledge/schema'
import { nameSought } from '../../wire/fields'

const tag = 'Knowledge bases'
const params = z.object({ name: nameSought })

export const baseRoutes = [
  defineRoute({
    method: 'GET',
    path: '/v1/knowledge-bases',
    layer: 'tenant',
    tag,
    summary: 'List knowledge bases by name',
    answers: { 200: z.array(BaseOut) },
    handler: async (c) =>
      c.json((await listBases(c.get('tenant'))).map((base) => presentBase(base, base.counts))),
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/knowledge-bases',
    layer: 'tenant',
    tag,
    summary: 'Create a knowledge base',
    json: BaseIn,
    answers: { 200: BaseOut },
    errors: [409],
    idempotent: true,
    handler: async (c) => {
      const base = await createBase(c.get('tenant'), c.req.valid('json'))
      return c.json(presentBase(base, base.counts))
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/knowledge-bases/{name}',
    layer: 'tenant',
    tag,
    summary: 'Read a knowledge base with its state',
    params,
    answers: { 200: BaseOut },
    errors: [404],
    handler: async (c) => {
      const base = await getCountedBase(c.get('tenant'), c.req.valid('param').name)
      return c.json(presentBase(base, base.counts))
    },
  }),
  defineRoute({
    method: 'PATCH',
    path: '/v1/knowledge-bases/{name}',
    layer: 'tenant',
    tag,
    summary: 'Rename it or change its instructions; agents and skills follow',
    params,
    json: BasePatch,
    answers: { 200: BaseOut },
    errors: [404, 409],
    handler: async (c) => {
      const base = await patchBase(c.get('tenant'), c.req.valid('param').name, c.req.valid('json'))
      return c.json(presentBase(base, base.counts))
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/v1/knowledge-bases/{name}',
    layer: 'tenant',
    tag,
    summary: 'Delete it with its documents and detach it everywhere',
    params,
    answers: { 204: 'empty' },
    errors: [404],
    handler: async (c) => {
      await deleteBase(c.get('tenant'), c.req.valid('param').name)
      return c.body(null, 204)
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/knowledge-bases/{name}/search',
    layer: 'tenant',
    tag,
    summary: 'Ask the base a question and see what it finds',
    params,
    json: SearchIn,
    answers: { 200: SearchOut },
    errors: [404],
    handler: async (c) => {
      const ctx = c.get('tenant')
      const { query: question, k } = c.req.valid('json')
      const base = await getBase(ctx, c.req.valid('param').name)
      const started = Date.now()
      const result = await searchBase(ctx, base, question, k ?? LIMITS.searchK.default)
      const gate = readGate(question, result)
      return c.json({
        query: question,
        hits: result.hits.map(presentHit),
        gate: { open: gate.open, reasons: gate.reasons },
        took_ms: Date.now() - started,
      })
    },
  }),
]
