import { asc, eq, sql } from 'drizzle-orm'
import { commitChange } from '../audit/commit-change'
import { STORYLINES } from '../config/limits'
import type { TenantContext } from '../context'
import { findOwn, listOwn } from '../db/own'
import { isTaken } from '../db/sql-errors'
import { type ScenarioRow, type StorylineRow, storylineScenarios } from '../db/tables/storylines'
import { ApiError, conflict, notFound } from '../errors'
import { sealField } from '../platform/crypto/field'
import { needTenantField, readTenantField } from '../platform/crypto/read-sealed'
import { newId } from '../platform/ids'
import { tenantKey } from '../platform/secrets'
import {
  changeResource,
  removeResource,
  type StoredKind,
  saveResource,
} from '../resources/named-resource'
import { fitting } from '../storylines/migrate'
import type { ScenarioIn } from '../storylines/schema'
import { requireEnabled } from '../storylines/storylines'
import { isoOf } from '../time'
import { type Deviation, firstDeviation } from './deviation'
import { workingStory } from './run-simulation'
import { simulate } from './simulate'

/** What is said in it stays out of the trail. */
const SCENARIO: StoredKind<typeof storylineScenarios> = {
  table: storylineScenarios,
  entity: 'storyline_scenario',
  title: 'Scenario',
  snapshot: ({ storylineId, name, version }) => ({ storyline_id: storylineId, name, version }),
}

const placeOf = ({ tenantId, id }: Pick<ScenarioRow, 'tenantId' | 'id'>) =>
  [tenantId, 'storyline_scenarios', 'body', id] as const

/** By name. @throws conflict `unreadable`. */
export async function listScenarios(ctx: TenantContext, storylineId: string) {
  const rows = await rowsOf(ctx, storylineId)
  return Promise.all(rows.map(async (row) => present(row, await open(ctx, row))))
}

const rowsOf = ({ db, tenant }: TenantContext, storylineId: string): Promise<ScenarioRow[]> =>
  listOwn(
    db,
    storylineScenarios,
    tenant.id,
    [eq(storylineScenarios.storylineId, storylineId)],
    [asc(storylineScenarios.name)],
  )

/** @throws notFound; conflict `unreadable`. */
export async function getScenario(ctx: TenantContext, storylineId: string, name: string) {
  const row = await find(ctx, storylineId, name)
  if (!row) throw notFound('Scenario')
  return present(row, await open(ctx, row))
}

function find({ db, tenant }: TenantContext, storylineId: string, name: string) {
  const which = [eq(storylineScenarios.storylineId, storylineId), eq(storylineScenarios.name, name)]
  return findOwn(db, storylineScenarios, tenant.id, ...which)
}

async function open({ config, tenant }: TenantContext, row: ScenarioRow): Promise<ScenarioIn> {
  const key = await tenantKey(config, tenant)
  return JSON.parse(await needTenantField(key, placeOf(row), row.body)) as ScenarioIn
}

const present = ({ name, updatedAt }: ScenarioRow, scenario: ScenarioIn) => ({
  name,
  ...scenario,
  updated_at: isoOf(updatedAt),
})

/** Makes it, or takes the place of the one of that name. @throws conflict beyond the storyline's fifty. */
export async function putScenario(
  ctx: TenantContext,
  storylineId: string,
  name: string,
  scenario: ScenarioIn,
) {
  requireEnabled(ctx)
  const key = await tenantKey(ctx.config, ctx.tenant)
  const text = JSON.stringify(scenario)
  const row = await changeResource(ctx, SCENARIO, `${storylineId} ${name}`, async () => {
    const before = await find(ctx, storylineId, name)
    if (!before) return insert(ctx, storylineId, name, text)
    const isSame = (await readTenantField(key, placeOf(before), before.body)) === text
    const body = await sealField(key, placeOf(before), text)
    return saveResource(ctx, SCENARIO, before, { body, version: before.version + (isSame ? 0 : 1) })
  })
  return present(row, scenario)
}

/** @returns null when the name was taken meanwhile. */
async function insert(
  ctx: TenantContext,
  storylineId: string,
  name: string,
  text: string,
): Promise<ScenarioRow | null> {
  const tenantId = ctx.tenant.id
  const id = newId(ctx.now)
  const body = await sealField(
    await tenantKey(ctx.config, ctx.tenant),
    placeOf({ tenantId, id }),
    text,
  )
  const times = { createdAt: ctx.now, updatedAt: ctx.now }
  const row: ScenarioRow = { id, tenantId, storylineId, name, body, version: 1, ...times }
  try {
    const hadRoom = await commitChange(
      ctx,
      tenantId,
      [ctx.db.insert(storylineScenarios).values(row)],
      {
        action: 'create',
        entity: SCENARIO.entity,
        entityId: id,
        entityName: name,
        before: null,
        after: SCENARIO.snapshot(row),
        requires: sql`(SELECT count(*) FROM storyline_scenarios WHERE storyline_id = ${storylineId}) < ${STORYLINES.scenariosPerStoryline}
          AND EXISTS (SELECT 1 FROM storylines WHERE id = ${storylineId} AND tenant_id = ${tenantId})`,
      },
    )
    if (!hadRoom) throw conflict(FULL)
    return row
  } catch (error) {
    if (isTaken(error, 'storyline_scenarios.name')) return null
    throw error
  }
}

const FULL = `A storyline has at most ${STORYLINES.scenariosPerStoryline} scenarios; delete one first`

/** @throws notFound. */
export async function deleteScenario(
  ctx: TenantContext,
  storylineId: string,
  name: string,
): Promise<void> {
  requireEnabled(ctx)
  await changeResource(ctx, SCENARIO, `${storylineId} ${name}`, async () => {
    const before = await find(ctx, storylineId, name)
    if (!before) throw notFound('Scenario')
    return removeResource(ctx, SCENARIO, before)
  })
}

export interface FailedScenario extends Deviation {
  name: string
}

/**
 * Runs all of them against the working copy. No model is asked: the same copy gives the same result every time.
 * @returns those that fail, each with its first turn that is not as it was expected. @throws conflict `unreadable`.
 */
export async function runScenarios(
  ctx: TenantContext,
  row: StorylineRow,
): Promise<FailedScenario[]> {
  const [rows, story] = await Promise.all([rowsOf(ctx, row.id), workingStory(row)])
  const failed: FailedScenario[] = []
  for (const stored of rows) {
    const scenario = await open(ctx, stored)
    // A slot that the working copy no longer has, or that takes the value no longer, starts empty.
    const { profile } = fitting(scenario.profile ?? {}, story)
    const simulation = { ...scenario, profile }
    const turns = await simulate(story, row.displayName, simulation, ctx.now, null)
    const deviation = firstDeviation(scenario.expect, turns)
    if (deviation) failed.push({ name: stored.name, ...deviation })
  }
  return failed
}

/** @throws ApiError 422 `scenarios_failed` with what failed. */
export async function requireScenarios(ctx: TenantContext, row: StorylineRow): Promise<void> {
  const scenarios = await runScenarios(ctx, row)
  if (scenarios.length === 0) return
  const msg = `${scenarios.length} of the storyline's scenarios fail`
  throw new ApiError('validation', [{ type: 'scenarios_failed', loc: ['query', 'gate'], msg }], {
    publicCode: 'scenarios_failed',
    facts: { scenarios },
  })
}
