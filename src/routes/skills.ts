import * as z from 'zod'
import { defineRoute } from '../http/route'
import { listRevisions, presentRevision } from '../revisions/revisions'
import { Revision } from '../revisions/schema'
import { presentSkill } from '../skills/present-skill'
import { SkillIn, SkillOut, SkillPatch } from '../skills/schema'
import {
  createSkill,
  deleteSkill,
  getSkill,
  getSkillRow,
  listSkills,
  patchSkill,
  replaceSkill,
  restoreSkill,
  type SkillInPlace,
} from '../skills/skills'
import { nameField, nameSought, uuidParam } from '../wire/fields'

const tag = 'Skills'
const params = z.object({ name: nameSought })
/** Of what may come to be by this name. */
const newParams = z.object({ name: nameField })

const present = ({ skill, around }: SkillInPlace) => presentSkill(skill, around)

export const skillRoutes = [
  defineRoute({
    method: 'GET',
    path: '/v1/skills',
    layer: 'tenant',
    tag,
    summary: 'List skills by name, with what is probably not meant',
    answers: { 200: z.array(SkillOut) },
    handler: async (c) => c.json((await listSkills(c.get('tenant'))).map(present)),
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/skills/{name}',
    layer: 'tenant',
    tag,
    summary: 'Create a skill',
    params: newParams,
    json: SkillIn,
    answers: { 200: SkillOut },
    errors: [409],
    idempotent: true,
    handler: async (c) =>
      c.json(
        present(await createSkill(c.get('tenant'), c.req.valid('param').name, c.req.valid('json'))),
      ),
  }),
  defineRoute({
    method: 'PUT',
    path: '/v1/skills/{name}',
    layer: 'tenant',
    tag,
    summary: 'Replace a skill in full, or create it',
    params: newParams,
    json: SkillIn,
    answers: { 200: SkillOut },
    errors: [409],
    handler: async (c) =>
      c.json(
        present(
          await replaceSkill(c.get('tenant'), c.req.valid('param').name, c.req.valid('json')),
        ),
      ),
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
    handler: async (c) =>
      c.json(present(await getSkill(c.get('tenant'), c.req.valid('param').name))),
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
    handler: async (c) =>
      c.json(
        present(await patchSkill(c.get('tenant'), c.req.valid('param').name, c.req.valid('json'))),
      ),
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
      const skill = await getSkillRow(ctx, c.req.valid('param').name)
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
      const { name, rev_id } = c.req.valid('param')
      return c.json(present(await restoreSkill(c.get('tenant'), name, rev_id)))
    },
  }),
]
