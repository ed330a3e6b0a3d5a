import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import { ExpiringMap } from '../platform/expiring-map'
import type { LoneEnd } from './think-tags'
import type { ChatModelInfo } from './workers-ai-models'

const REMEMBERED_MS = 60 * 60 * 1000

/**
 * Families that always think and whose chat template ends the prompt with `<think>`, so that a server which does not tell
 * thoughts from text sends the end alone: DeepSeek-R1 (deepseek-ai/DeepSeek-R1 issues 352 and 526), QwQ (InternLM/lmdeploy
 * issue 3303), and what Qwen and others call `…-Thinking`.
 */
const OPENS_THOUGHT = /(?:^|[/-])(?:deepseek-r1|qwq)|-thinking(?:-|$)/iu

/** Whether a model's last answer had the end of a thought that had not begun, by its name and what it was asked. */
const met = new ExpiringMap<boolean>(REMEMBERED_MS)

type Asked = Pick<LanguageModelV4CallOptions, 'reasoning'>

/** What the end of a thought means in the answers of one model, where none began. */
export interface LoneEnds {
  before(asked: Asked): LoneEnd
  /** Learns of an answer whether there was one. */
  after(asked: Asked, metOne: boolean): void
}

export const NO_LONE_ENDS: LoneEnds = { before: () => 'drop', after: () => {} }

/** @param name what tells this model from every other. */
export function loneEndsOf({ id, thinking }: ChatModelInfo, name: string): LoneEnds {
  if (thinking === 'never') return NO_LONE_ENDS
  const key = ({ reasoning }: Asked) => `${reasoning === 'none'} ${name}`
  return {
    before: (asked) =>
      (met.get(key(asked), Date.now()) ?? OPENS_THOUGHT.test(id)) ? 'await' : 'retract',
    after: (asked, metOne) => met.set(key(asked), metOne, Date.now()),
  }
}
