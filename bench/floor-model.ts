import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { type ModelMessage, streamText } from 'ai'
import { CHAT_MODEL, EMBEDDER } from './workload'

export interface ChatMessage {
  role: 'user' | 'assistant'
  content: string
}

/** How a bare turn reaches the model. */
export interface FloorModel {
  embed(text: string): Promise<number[]>
  answer(instructions: string, messages: ChatMessage[]): AsyncIterable<string>
}

/** Through the AI SDK, as the product does. */
export function sdkModel(baseURL: string): FloorModel {
  const provider = createOpenAICompatible({ name: 'bench', baseURL, includeUsage: true })
  return {
    async embed(text) {
      const { embeddings } = await provider.embeddingModel(EMBEDDER).doEmbed({ values: [text] })
      return embeddings[0] ?? []
    },
    answer(instructions, messages) {
      const result = streamText({
        model: provider.chatModel(CHAT_MODEL),
        instructions,
        messages: messages satisfies ModelMessage[],
        maxOutputTokens: 2048,
        onError: ({ error }) => {
          throw error
        },
      })
      return result.textStream
    },
  }
}

interface Chunk {
  choices: { delta: { content?: string } }[]
}

/** By fetch and a line reader, without any library: what the SDK costs is the difference. */
export function plainModel(baseURL: string): FloorModel {
  const post = (path: string, body: unknown) =>
    fetch(`${baseURL}/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  return {
    async embed(text) {
      const answer = await post('embeddings', { model: EMBEDDER, input: [text] })
      const { data } = await answer.json<{ data: { embedding: number[] }[] }>()
      return data[0]?.embedding ?? []
    },
    async *answer(instructions, messages) {
      const prompt = [{ role: 'system', content: instructions }, ...messages]
      const body = { model: CHAT_MODEL, stream: true, max_tokens: 2048, messages: prompt }
      const answer = await post('chat/completions', body)
      let rest = ''
      for await (const text of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
        const events = `${rest}${text}`.split('\n\n')
        rest = events.pop() ?? ''
        for (const event of events) {
          if (!event.startsWith('data: {')) continue
          const chunk = JSON.parse(event.slice(6)) as Chunk
          const content = chunk.choices[0]?.delta.content
          if (content) yield content
        }
      }
    },
  }
}
