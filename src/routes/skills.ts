import * as z from 'zod'
import type { TenantContext } from '../context'
import type { SkillRow } from '../db/tables'
import { defineRoute } from '../http/route'
import { listRevisions, presentRevision } from '../revisions/revisions'
import { Revision } from '../revisions/schema'
import { presentSkill } from '../skills/present-skill'
import { SkillIn, SkillOut, SkillPatch } from '../skills/schema'
import {
  createSkill,
  deleteSkill,
  getSkill,
  listSkills,
  patchSkill,
  readSurroundings,
  replaceSkill,
  restoreSkill,
} from '../skills/skills'
import { nameField, uuidParam } from '../wire/fields'

const tag = 'Skills'
const params = z.object({ name: nameField })

const present = async (ctx: TenantContext, skill: SkillRow) =>
  presentSkill(skill, await readSurroundings(ctx))

export const skillRoutes = [
  defineRoute({
    method: 'GET',
    path: '/v1/skills',
    layer: 'tenant',
    tag,
    summary: 'List skills by name, with what is probably not meant',
    answers: { 200: z.array(SkillOut) },
    handler: async (c) => {
      const ctx = c.get('tenant')
      const [rows, surroundings] = await Promise.all([listSkills(ctx), readSurroundings(ctx)])
      return c.json(rows.map((row) => presentSkill(row, surroundings)))
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/skills/{name}',
    layer: 'tenant',
    tag,
    summary: 'Create a skill',
    params,
    json: SkillIn,
    answers: { 200: SkillOut },
    errors: [409],
    idempotent: true,
    handler: async (c) => {
      const ctx = c.get('tenant')
      return c.json(
        await present(ctx, await createSkill(ctx, c.req.valid('param').name, c.req.valid('json'))),
      )
    },
  }),
  defineRoute({
    method: 'PUT',
    path: '/v1/skills/{name}',
    layer: 'tenant',
    tag,
    summary: 'Replace a skill in full, or create it',
    params,
    json: SkillIn,
    answers: { 200: SkillOut },
    errors: [409],
    handler: async (c) => {
      const ctx = c.get('tenant')
      return c.json(
        await present(ctx, await replaceSkill(ctx, c.req.valid('param').name, c.req.valid('json'))),
      )
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/skills/{name}',
    layer: 'tenant',
    tag,
    summary: 'Read a skill',
    params,
    answers: { 200: SkillOut },
    errors: [404],
    handler: async (c) => {
      const ctx = c.get('tenant')
      return c.json(await present(ctx, await getSkill(ctx, c.req.valid('param').name)))
    },
  }),
  defineRoute({
    method: 'PATCH',
    path: '/v1/skills/{name}',
    layer: 'tenant',
    tag,
    summary: 'Change only the fields that are sent',
    params,
    json: SkillPatch,
    answers: { 200: SkillOut },
    errors: [404],
    handler: async (c) => {
      const ctx = c.get('tenant')
      return c.json(
        await present(ctx, await patchSkill(ctx, c.req.valid('param').name, c.req.valid('json'))),
      )
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/v1/skills/{name}',
    layer: 'tenant',
    tag,
    summary: 'Delete a skill and detach it from every agent',
    params,
    answers: { 204: 'empty' },
    errors: [404],
    handler: async (c) => {
      await deleteSkill(c.get('tenant'), c.req.valid('param').name)
      return c.body(null, 204)
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/skills/{name}/revisions',
    layer: 'tenant',
    tag,
    summary: 'States of the skill, newest first, at most 100',
    params,
    answers: { 200: z.array(Revision) },
    errors: [404],
    handler: async (c) => {
      const ctx = c.get('tenant')
      const skill = await getSkill(ctx, c.req.valid('param').name)
      return c.json((await listRevisions(ctx, 'skill', skill.id)).map(presentRevision))
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/skills/{name}/revisions/{rev_id}/restore',
    layer: 'tenant',
    tag,
    summary: 'Make the skill equal that revision',
    params: params.extend({ rev_id: uuidParam }),
    answers: { 200: SkillOut },
    errors: [404],
    handler: async (c) => {
      const ctx = c.get('tenant')
      const { name, rev_id } = c.req.valid('param')
      return c.json(await present(ctx, await restoreSkill(ctx, name, rev_id)))
    },
  }),
]
