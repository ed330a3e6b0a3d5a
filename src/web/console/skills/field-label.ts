import type { SkillFields } from './skill'
import { type SkillKey, useSkillWords } from './words'

const LABELS = {
  description: 'description',
  instructions: 'instructions',
  tools: 'tools',
  knowledge_bases: 'bases',
  model: 'modelLabel',
  menu_label: 'menuLabel',
  menu_prompt: 'menuPrompt',
  menu_anchors: 'menuAnchors',
} as const satisfies Record<keyof SkillFields, SkillKey>

/** What the form calls a field of a skill. */
export function useFieldLabel(): (path: string) => string | null {
  const t = useSkillWords()
  return (path) => (path in LABELS ? t(LABELS[path as keyof typeof LABELS]) : null)
}
