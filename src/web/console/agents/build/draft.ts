import type { Agent, BaseRow, ServerRow, SkillRow, Translations, Words } from '../types'
import { unknownTools } from './tool-choices'

/** What of an agent is edited as one: all but what it is called, where it is found and whether it is published. */
export type Draft = Omit<Agent, 'id' | 'name' | 'alias' | 'source' | 'published'>

export function toDraft(agent: Agent): Draft {
  const {
    id: _id,
    name: _name,
    alias: _alias,
    source: _source,
    published: _published,
    ...draft
  } = agent
  return draft
}

const TEXTS = [
  'display_name',
  'greeting',
  'no_match_reply',
  'suggest_prompt',
  'cta_prompt',
  'model',
] as const

/** As it is sent: what was left empty is unset, and what people read loses nothing but empty lines of a menu. */
export function cleanDraft(changed: Partial<Draft>): Partial<Draft> {
  const clean = { ...changed }
  for (const key of TEXTS) {
    const text = clean[key]
    if (typeof text === 'string' && text.trim() === '') clean[key] = null
  }
  if (clean.menu_items) clean.menu_items = cleanItems(clean.menu_items)
  if (clean.translations)
    clean.translations = cleanTranslations(clean.translations) as NonNullable<Draft['translations']>
  return clean
}

function cleanItems(items: readonly string[] | null | undefined): string[] | null {
  const kept = (items ?? []).map((item) => item.trim()).filter((item) => item !== '')
  return kept.length === 0 ? null : kept
}

/** Languages in which nothing is said fall away; with none left there are no translations. */
export function cleanTranslations(translations: Translations): Translations | null {
  const kept = Object.entries(translations).flatMap(([lang, words]) => {
    const clean = cleanWords(words ?? {})
    return Object.keys(clean).length === 0 ? [] : [[lang, clean] as const]
  })
  return kept.length === 0 ? null : (Object.fromEntries(kept) as Translations)
}

function cleanWords({ menu_items, ...texts }: Words): Words {
  const said = Object.entries(texts).filter(
    ([, text]) => typeof text === 'string' && text.trim() !== '',
  )
  const items = cleanItems(menu_items)
  return { ...Object.fromEntries(said), ...(items === null ? {} : { menu_items: items }) }
}

/** What a draft names and the tenant has not, and what it asks for and cannot have. */
export interface DraftWarning {
  kind: 'skill' | 'base' | 'tool' | 'noBase' | 'noSearch'
  name: string
}

export function draftWarnings(
  draft: Draft,
  there: {
    skills: readonly Pick<SkillRow, 'name'>[]
    bases: readonly Pick<BaseRow, 'name'>[]
    servers: readonly ServerRow[]
  },
): DraftWarning[] {
  const lacks = (names: readonly string[], rows: readonly { name: string }[]) =>
    names.filter((name) => !rows.some((row) => row.name === name))
  const searches = draft.tools.includes('search_knowledge') || draft.on_demand_context
  return [
    ...lacks(draft.skills, there.skills).map((name) => ({ kind: 'skill' as const, name })),
    ...lacks(draft.knowledge_bases, there.bases).map((name) => ({ kind: 'base' as const, name })),
    ...unknownTools(draft.tools, there.servers).map((name) => ({ kind: 'tool' as const, name })),
    ...(draft.grounding_required && draft.knowledge_bases.length === 0
      ? [{ kind: 'noBase' as const, name: '' }]
      : []),
    ...(searches && draft.knowledge_bases.length === 0 && !draft.grounding_required
      ? [{ kind: 'noSearch' as const, name: '' }]
      : []),
  ]
}

/** Chips of the menu as a visitor sees them: one that is called like a skill shows what the skill says of itself. */
export const menuChips = (
  items: readonly string[] | null,
  skills: readonly SkillRow[],
): { label: string; value: string }[] =>
  (items ?? []).map((item) => {
    const skill = skills.find(({ name }) => name === item)
    return { label: skill?.menu_label || item, value: skill?.menu_prompt || item }
  })
