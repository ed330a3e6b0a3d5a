/** The part of the environment that chooses models: bindings and variables, all optional. */
export interface ModelEnv {
  AI?: Ai
  /** `workers-ai`, `openai-compatible` or `offline`. */
  MODEL_PROVIDER?: string
  OPENAI_BASE_URL?: string
  OPENAI_API_KEY?: string
  CHAT_MODEL?: string
  /** Further models of the registry, separated by commas. */
  CHAT_MODELS?: string
  /** Reads what the sentence check cannot decide by rule. */
  GUARD_MODEL?: string
  EMBEDDING_MODEL?: string
  STT_MODEL?: string
  TTS_MODEL?: string
  TTS_VOICE?: string
  /** An endpoint that puts texts in the order of their relevance, with its whole path. */
  RERANK_URL?: string
  RERANK_API_KEY?: string
  RERANK_MODEL?: string
}

/** Whether somebody serves models to this deployment: else nothing is embedded, transcribed or spoken, and answers are quoted. */
export const isServed = ({ AI, MODEL_PROVIDER }: ModelEnv): boolean =>
  MODEL_PROVIDER ? MODEL_PROVIDER !== 'offline' : AI !== undefined

/** The endpoint's address of a path, whatever slash the variable ends with. */
export function endpointUrl(env: ModelEnv, path: string): string {
  return `${(env.OPENAI_BASE_URL ?? '').replace(/\/+$/u, '')}/${path}`
}
