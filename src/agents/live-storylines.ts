import { and, asc, desc, eq, type SQL, sql } from 'drizzle-orm'
import { STORYLINES } from '../config/limits'
import type { Db } from '../db/client'
import { pickOwn } from '../db/own'
import { storylineRevisions, storylines } from '../db/tables/storylines'
import type { Behaviour, LiveStoryline } from '../storylines/records'

/** Named: in a batch, columns of the same name would be one. */
const frozen = (name: string, path: string) =>
  sql<string | null>`json_extract(${storylineRevisions.graph}, ${path})`.as(name)

/** Reads the published storylines of an agent, in the order in which they may start, with all but their graphs. */
export function selectLiveStorylines(db: Db, tenantId: string, agentName: string | SQL) {
  return pickOwn(
    db,
    storylines,
    tenantId,
    {
      id: storylines.id,
      revisionId: sql<string>`${storylineRevisions.id}`.as('revision_id'),
      isDefault: storylines.isDefault,
      position: storylines.position,
      behaviour: storylineRevisions.behaviour,
      when: frozen('trigger_when', '$.trigger.when'),
      examples: frozen('trigger_examples', '$.trigger.examples'),
      offerCooldownDays: frozen('offer_cooldown_days', '$.settings.offer_cooldown_days'),
    },
    eq(storylines.agentName, agentName as string),
  )
    .innerJoin(
      storylineRevisions,
      and(
        eq(storylineRevisions.id, storylines.publishedRevisionId),
        eq(storylineRevisions.tenantId, storylines.tenantId),
      ),
    )
    .orderBy(desc(storylines.isDefault), asc(storylines.position), asc(storylines.key))
}

/** Those that users pick by their name, in the order in which they are shown. */
export async function menuStorylines(
  db: Db,
  tenantId: string,
  agentName: string,
): Promise<LiveStoryline[]> {
  const rows = await selectLiveStorylines(db, tenantId, agentName)
  return rows.map(toLiveStoryline).filter(isOnMenu)
}

export const isOnMenu = ({ entry, visibility }: Pick<Behaviour, 'entry' | 'visibility'>): boolean =>
  entry === 'menu' && visibility !== 'hidden'

interface LiveRow {
  id: string
  revisionId: string
  isDefault: boolean
  position: number
  behaviour: Behaviour
  when: string | null
  examples: string | null
  offerCooldownDays: unknown
}

export function toLiveStoryline(row: LiveRow): LiveStoryline {
  const { behaviour, when, examples, offerCooldownDays, ...known } = row
  const { ids: _, ...told } = behaviour
  return {
    ...told,
    ...known,
    start: {
      when,
      examples: examples === null ? [] : (JSON.parse(examples) as string[]),
      offerCooldownDays: Number(offerCooldownDays ?? STORYLINES.offerCooldownDays),
    },
  }
}
