import * as z from 'zod'
import { defineRoute } from '../../http/route'
import { simulateStoryline } from '../../rehearsal/run-simulation'
import {
  deleteScenario,
  getScenario,
  listScenarios,
  putScenario,
  runScenarios,
} from '../../rehearsal/scenarios'
import {
  ScenarioIn,
  ScenarioOut,
  ScenariosRun,
  SimulateIn,
  SimulationOut,
} from '../../storylines/schema'
import { getStoryline } from '../../storylines/storylines'
import { nameField, nameSought, uuidParam } from '../../wire/fields'

const tag = 'Storylines'
const params = z.object({ storyline_id: uuidParam })
const scenarioParams = params.extend({ name: nameSought })

export const rehearsalRoutes = [
  defineRoute({
    method: 'POST',
    path: '/v1/storylines/{storyline_id}/simulate',
    layer: 'tenant',
    tag,
    summary:
      'Try the working copy out: what it says, notes and does at each message. Nothing is stored, called or sent',
    params,
    json: SimulateIn,
    answers: { 200: SimulationOut },
    errors: [404],
    readable: true,
    handler: async (c) => {
      const ctx = c.get('tenant')
      const row = await getStoryline(ctx, c.req.valid('param').storyline_id)
      return c.json(await simulateStoryline(ctx, row, c.req.valid('json')))
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/storylines/{storyline_id}/scenarios',
    layer: 'tenant',
    tag,
    summary: 'List the conversations that a storyline must lead as expected, by name',
    params,
    answers: { 200: z.array(ScenarioOut) },
    errors: [404, 409],
    handler: async (c) => {
      const ctx = c.get('tenant')
      const { id } = await getStoryline(ctx, c.req.valid('param').storyline_id)
      return c.json(await listScenarios(ctx, id))
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/storylines/{storyline_id}/scenarios/run',
    layer: 'tenant',
    tag,
    summary: 'Run every scenario against the working copy, by rule and by its own verdicts alone',
    params,
    answers: { 200: ScenariosRun },
    errors: [404, 409],
    readable: true,
    handler: async (c) => {
      const ctx = c.get('tenant')
      const row = await getStoryline(ctx, c.req.valid('param').storyline_id)
      const scenarios = await runScenarios(ctx, row)
      return c.json({ ok: scenarios.length === 0, scenarios })
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/storylines/{storyline_id}/scenarios/{name}',
    layer: 'tenant',
    tag,
    summary: 'Read a scenario',
    params: scenarioParams,
    answers: { 200: ScenarioOut },
    errors: [404, 409],
    handler: async (c) => {
      const ctx = c.get('tenant')
      const { storyline_id, name } = c.req.valid('param')
      const { id } = await getStoryline(ctx, storyline_id)
      return c.json(await getScenario(ctx, id, name))
    },
  }),
  defineRoute({
    method: 'PUT',
    path: '/v1/storylines/{storyline_id}/scenarios/{name}',
    layer: 'tenant',
    tag,
    summary: 'Write a scenario: what is said, and what is expected of each turn',
    params: params.extend({ name: nameField }),
    json: ScenarioIn,
    answers: { 200: ScenarioOut },
    errors: [404, 409],
    handler: async (c) => {
      const ctx = c.get('tenant')
      const { storyline_id, name } = c.req.valid('param')
      const { id } = await getStoryline(ctx, storyline_id)
      return c.json(await putScenario(ctx, id, name, c.req.valid('json')))
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/v1/storylines/{storyline_id}/scenarios/{name}',
    layer: 'tenant',
    tag,
    summary: 'Delete a scenario',
    params: scenarioParams,
    answers: { 204: 'empty' },
    errors: [404],
    handler: async (c) => {
      const ctx = c.get('tenant')
      const { storyline_id, name } = c.req.valid('param')
      const { id } = await getStoryline(ctx, storyline_id)
      await deleteScenario(ctx, id, name)
      return c.body(null, 204)
    },
  }),
]
