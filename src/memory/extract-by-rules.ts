import { MEMORY } from '../config/limits'
import { once } from '../text/once'
import { sentences } from '../text/sentences'
import { MEMORY_RULES, type MemoryRule } from './memory-rules'
import { holdsSecret } from './secrets'
import type { MemoryDraft } from './types'

interface CompiledRule {
  rule: MemoryRule
  pattern: RegExp
}

const compiled = once((): readonly CompiledRule[] =>
  MEMORY_RULES.flatMap((rule) =>
    Object.values(rule.patterns).map((source) => ({ rule, pattern: new RegExp(source, 'iu') })),
  ),
)
const QUESTION = /[?？؟]\s*["'”’»)]*$/u
/** What changes how sure, not what about: left out when two tastes are compared. */
const TASTE_NOISE =
  /(?<!\p{L})(?:very much|a lot|anymore|any more|so much|now|these days|too|mucho|ya|ahora|beaucoup|plus|maintenant|очень|больше|сейчас|теперь|the|an?|el|la|los|las|un|una|le|les|l'|du|de la|des)(?!\p{L})|[了啊呢的]$/giu

/**
 * What a user's own words say about them, by fixed rules in the seven languages: each sentence that one of them fits is
 * kept as it was said. Questions say nothing. For a deployment without a model.
 */
export function extractByRules(ownWords: string): MemoryDraft[] {
  const drafts: MemoryDraft[] = []
  for (const line of ownWords.split('\n')) {
    for (const { text } of sentences(line)) {
      const content = text.replaceAll(/\s+/gu, ' ').trim()
      if (content === '' || content.length > MEMORY.contentLength || QUESTION.test(content))
        continue
      const found = matchRule(content)
      if (!found || holdsSecret(content)) continue
      const { kind, topic, importance } = found.rule
      drafts.push({ kind, topic, importance, content, slot: found.slot, replaces: [] })
      if (drafts.length >= MEMORY.perMessage) return drafts
    }
  }
  return drafts
}

/** What only one memory can be true about, for a sentence in the user's person; null when there is no such thing. */
export function slotOf(content: string): string | null {
  return matchRule(content)?.slot ?? null
}

function matchRule(content: string): { rule: MemoryRule; slot: string | null } | null {
  const plain = content
    .normalize('NFKC')
    .replaceAll(/[’‘ʼ]/gu, "'")
    .replaceAll(/[\u064b-\u065f\u0640]/gu, '')
  for (const { rule, pattern } of compiled()) {
    const match = pattern.exec(plain)
    if (match) return { rule, slot: nameSlot(rule, match.groups?.v) }
  }
  return null
}

function nameSlot({ slot }: MemoryRule, value: string | undefined): string | null {
  if (slot === null || !slot.endsWith(':')) return slot
  const key = (value ?? '')
    .toLowerCase()
    .replaceAll(TASTE_NOISE, ' ')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
  return key === '' ? null : slot + key
}
