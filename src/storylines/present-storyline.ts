import { STORYLINES } from '../config/limits'
import { byteLength } from '../config/platform-limits'
import type { EnrollmentRow, StorylineRevisionRow, StorylineRow } from '../db/tables/storylines'
import { isoOf } from '../time'
import { changedPaths } from './changed-paths'

export function presentStoryline(row: StorylineRow) {
  return {
    id: row.id,
    agent_name: row.agentName,
    key: row.key,
    ...contentOf(row),
    status: row.status,
    published_revision_id: row.publishedRevisionId,
    is_default: row.isDefault,
    ...behaviourOf(row),
    learner_visibility: row.userVisibility,
    concurrency: row.concurrency,
    next_storyline_id: row.nextStorylineId,
    position: row.position,
    version: row.version,
    updated_at: isoOf(row.updatedAt),
  }
}

/**
 * What the audit trail keeps: when it was written says the entry. Of graph and slots how large they are and where they
 * changed; what was published is kept word for word by its revision.
 */
export function auditStoryline(row: StorylineRow, before?: StorylineRow) {
  const { updated_at, learner_visibility, ...kept } = presentStoryline(row)
  const { graph, profileSchema } = row
  return {
    ...kept,
    graph: { ...sizeOf(graph), ...(before && changeOf(before.graph, graph)) },
    profile_schema: {
      ...sizeOf(profileSchema),
      ...(before && changeOf(before.profileSchema, profileSchema)),
    },
  }
}

const sizeOf = (value: unknown) => ({ bytes: byteLength(JSON.stringify(value)) })

function changeOf(before: unknown, after: unknown) {
  const paths = changedPaths(before, after)
  if (paths.length === 0) return null
  return {
    changed: paths.slice(0, STORYLINES.pathsAudited),
    ...(paths.length > STORYLINES.pathsAudited ? { changed_in_all: paths.length } : {}),
  }
}

/** Exactly the export's keys (specification 2.3). */
export function exportStoryline(row: StorylineRow) {
  return {
    schema_version: 1 as const,
    kind: 'storyline' as const,
    key: row.key,
    ...contentOf(row),
    agent_name: row.agentName,
    is_default: row.isDefault,
    ...behaviourOf(row),
  }
}

const contentOf = (row: StorylineRow) => ({
  name: row.name,
  description: row.description,
  graph: row.graph,
  profile_schema: row.profileSchema,
})

const behaviourOf = (row: StorylineRow) => ({
  user_visibility: row.userVisibility,
  entry: row.entry,
  display_name: row.displayName,
  allow_exit: row.allowExit,
  show_profile: row.showProfile,
  on_complete: row.onComplete,
  allow_agent_enroll: row.allowAgentEnroll,
  enroll_trigger: row.enrollTrigger,
})

type RevisionHead = Pick<StorylineRevisionRow, 'id' | 'version' | 'actor' | 'createdAt'>

export const presentRevisionHead = ({ id, version, actor, createdAt }: RevisionHead) => ({
  id,
  version,
  actor,
  created_at: isoOf(createdAt),
})

export function presentRevision(row: StorylineRevisionRow) {
  const { graph, profileSchema, behaviour } = row
  return {
    ...presentRevisionHead(row),
    key: behaviour.key,
    name: behaviour.name,
    description: behaviour.description,
    graph: { ...graph },
    profile_schema: profileSchema,
    user_visibility: behaviour.visibility,
    entry: behaviour.entry,
    display_name: behaviour.displayName,
    allow_exit: behaviour.allowExit,
    show_profile: behaviour.showProfile,
    on_complete: behaviour.onComplete,
    allow_agent_enroll: behaviour.allowAgentEnroll,
    enroll_trigger: behaviour.trigger,
    concurrency: behaviour.concurrency,
    next_storyline_id: behaviour.nextStorylineId,
  }
}

/** @param isLive nobody goes on in a storyline that is not published: who is active there is paused. */
export const presentEnrollment = (row: EnrollmentRow, isLive: boolean) => ({
  id: row.id,
  user_id: row.userId,
  current_node_key: row.nodeKey,
  status: row.status === 'active' && !isLive ? ('paused' as const) : row.status,
  entered_node_at: isoOf(row.enteredNodeAt),
  updated_at: isoOf(row.updatedAt),
})
