import { SPEECH } from '../config/limits'
import type { Language } from '../config/names'
import { isServed, type ModelEnv } from './model-env'

/** The model that reads text of a language aloud, null where this deployment has none for it. */
export function speechModel(env: ModelEnv, lang: Language): string | null {
  if (!isServed(env)) return null
  if (env.MODEL_PROVIDER === 'openai-compatible')
    return env.OPENAI_BASE_URL && env.TTS_MODEL ? env.TTS_MODEL : null
  if (env.AI === undefined) return null
  if (env.TTS_MODEL) return env.TTS_MODEL
  const { workersAiModels } = SPEECH
  return lang === 'en' || lang === 'es' ? workersAiModels[lang] : null
}

/** Whether this deployment can read text aloud. */
export const hasSpeech = (env: ModelEnv): boolean => speechModel(env, 'en') !== null
