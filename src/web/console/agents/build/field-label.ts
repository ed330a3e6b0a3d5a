import { useBuildWords } from './words'

/** Fields whose words have other names than they. */
const NAMED = {
  knowledge_bases: 'bases',
  display_name: 'displayName',
  menu_items: 'menuItems',
  no_match_reply: 'noMatchReply',
  suggest_prompt: 'suggestPrompt',
  cta_prompt: 'ctaPrompt',
  handoff_hours: 'handoffHours',
  translations: 'languages',
} as const

const OWN = [
  'name',
  'alias',
  'soul',
  'task',
  'tools',
  'skills',
  'model',
  'published',
  'greeting',
  'history_window',
  'max_output_tokens',
  'tool_call_max_tokens',
  'daily_tokens_per_user',
  'auto_greeting',
  'auto_suggest',
  'ask_forms',
  'proactive_cta',
  'reasoning',
  'grounding_required',
  'injection_guard',
  'public_sources',
  'ambiguity_check',
  'deep_research',
  'on_demand_context',
] as const

/** What the form calls a field of an agent; what is within it is told by its path. */
export function useFieldLabel(): (path: string) => string | null {
  const t = useBuildWords()
  return (path) => {
    const [field = '', ...within] = path.split('.')
    const own = OWN.find((one) => one === field)
    const key = own ?? NAMED[field as keyof typeof NAMED]
    if (key === undefined) return null
    return [t(key), ...within].join(' · ')
  }
}
