import type { LanguageModelV4 } from '@ai-sdk/provider'
import { ModelUnreadable } from './model-failure'

/** What it is called where a model's name is told: the setting that mends it. */
export const UNREADABLE_MODEL = 'byok_config'

const refuse = () => Promise.reject(new ModelUnreadable('The tenant’s own model does not open'))

/** Stands for a tenant's own model that does not open: every call fails, so that none goes to the platform's unasked. */
export const unreadableModel: LanguageModelV4 = {
  specificationVersion: 'v4',
  provider: 'parley',
  modelId: UNREADABLE_MODEL,
  supportedUrls: {},
  doGenerate: refuse,
  doStream: refuse,
}
