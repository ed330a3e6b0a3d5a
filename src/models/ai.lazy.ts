/** What asks a model: the AI SDK's loop, and its providers, which write the requests and read whole answers. */
export { OpenAICompatibleChatLanguageModel } from '@ai-sdk/openai-compatible'
export { StreamingToolCallTracker } from '@ai-sdk/provider-utils'
export { generateText } from 'ai'
export { createWorkersAI } from 'workers-ai-provider'
