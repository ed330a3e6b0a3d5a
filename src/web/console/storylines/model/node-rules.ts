import type { ExitEvent, NodeType, StoryNode } from '../types'

/** What the editor knows of each type; a test compares it with what the server checks. */
export interface NodeRule {
  events: readonly ExitEvent[]
  fields: readonly (keyof StoryNode)[]
  mayJudge: boolean
  waits: boolean
}

export const NODE_RULES: Readonly<Record<NodeType, NodeRule>> = {
  message: { events: [], fields: ['say'], mayJudge: false, waits: false },
  collect: {
    events: ['done', 'failed'],
    fields: ['slots', 'form', 'confirm', 'max_attempts'],
    mayJudge: true,
    waits: true,
  },
  converse: {
    events: ['limit'],
    fields: ['goal', 'extract', 'min_turns', 'max_turns'],
    mayJudge: true,
    waits: true,
  },
  branch: { events: [], fields: [], mayJudge: false, waits: false },
  tool: {
    events: ['done', 'error'],
    fields: ['tool', 'args', 'save', 'timeout_s'],
    mayJudge: false,
    waits: false,
  },
  wait: {
    events: ['due', 'reply'],
    fields: ['minutes', 'until', 'say'],
    mayJudge: false,
    waits: true,
  },
  handoff: { events: ['done', 'error'], fields: ['say', 'notify'], mayJudge: false, waits: false },
  end: { events: [], fields: ['outcome', 'say', 'result'], mayJudge: false, waits: false },
}

export const NODE_TYPES = Object.keys(NODE_RULES) as NodeType[]

/** Fields that every type has; those that only one has go when the type changes. */
export const COMMON_FIELDS: readonly (keyof StoryNode)[] = [
  'type',
  'title',
  'milestone',
  'ui',
  'instructions',
  'knowledge_bases',
  'tools',
  'set',
  'clear',
  'exits',
]

/** What a new node begins with: what the type needs, empty where only the author can know it. */
export const FRESH: Readonly<Record<NodeType, Omit<StoryNode, 'type'>>> = {
  message: { say: '' },
  collect: { slots: [] },
  converse: { goal: '' },
  branch: {},
  tool: { tool: '' },
  wait: { minutes: 60 },
  handoff: {},
  end: { outcome: 'done' },
}

export const LIMITS = { exits: 12, globalExits: 8, slots: 60, asked: 12 } as const
