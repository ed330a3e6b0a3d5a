import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4FinishReason,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
  LanguageModelV4StreamResult,
  LanguageModelV4Usage,
} from '@ai-sdk/provider'
import { OFFLINE_MODEL_NAME } from '../../config/names'
import { loadThesaurus } from '../../language/thesaurus'
import { loadNearMisses } from '../../text/near-misses'
import { cutToTokens, estimateTokens } from '../tokens'
import { readTurnFacts } from '../turn-facts'
import { nextOfflineStep, type OfflineStep } from './next-step'
import { readPrompt } from './read-prompt'
import { summaryOf, titleOf } from './summarize'

/**
 * The answerer for a deployment without a language model: deterministic, no network. It quotes the best sentences of
 * the passages with citation marks, calls the system tools for plain requests, and says so when nothing fits.
 */
export const offlineModel: LanguageModelV4 = {
  specificationVersion: 'v4',
  provider: 'parley',
  modelId: OFFLINE_MODEL_NAME,
  supportedUrls: {},
  async doGenerate(options): Promise<LanguageModelV4GenerateResult> {
    await loadLists()
    const { content, finishReason, usage } = await run(options)
    return {
      content: [content],
      finishReason,
      usage,
      warnings: [],
      response: { modelId: OFFLINE_MODEL_NAME },
    }
  },
  async doStream(options): Promise<LanguageModelV4StreamResult> {
    await loadLists()
    const { content, finishReason, usage } = await run(options)
    const parts: LanguageModelV4StreamPart[] = [
      { type: 'stream-start', warnings: [] },
      { type: 'response-metadata', modelId: OFFLINE_MODEL_NAME },
      ...streamParts(content),
      { type: 'finish', finishReason, usage },
    ]
    const stream = new ReadableStream<LanguageModelV4StreamPart>({
      start(controller) {
        for (const part of parts) controller.enqueue(part)
        controller.close()
      },
    })
    return { stream }
  },
}

const loadLists = () => Promise.all([loadThesaurus(), loadNearMisses()])

interface Run {
  content: LanguageModelV4Content & { type: 'text' | 'tool-call' }
  finishReason: LanguageModelV4FinishReason
  usage: LanguageModelV4Usage
}

async function run(options: LanguageModelV4CallOptions): Promise<Run> {
  options.abortSignal?.throwIfAborted()
  const step = await decide(options)
  if (step.kind === 'tool') {
    const input = JSON.stringify(step.input)
    const calls = options.prompt.filter((message) => message.role === 'tool').length
    return {
      content: {
        type: 'tool-call',
        toolCallId: `offline-${calls + 1}-${step.tool}`,
        toolName: step.tool,
        input,
      },
      finishReason: { unified: 'tool-calls', raw: 'tool-calls' },
      usage: usageOf(options, input),
    }
  }
  const text = cutToTokens(step.text, options.maxOutputTokens ?? Number.POSITIVE_INFINITY)
  const reason = text.length < step.text.length ? 'length' : 'stop'
  return {
    content: { type: 'text', text },
    finishReason: { unified: reason, raw: reason },
    usage: usageOf(options, text),
  }
}

async function decide(options: LanguageModelV4CallOptions): Promise<OfflineStep> {
  const facts = readTurnFacts(options)
  const read = readPrompt(options)
  if (facts.task === 'title') return { kind: 'text', text: titleOf(read.question) }
  if (facts.task === 'summary') return { kind: 'text', text: summaryOf(read.question) }
  return nextOfflineStep(read, facts, options)
}

/** Streamed a few words at a time, so that clients see what they would see from a model. */
function streamParts(content: Run['content']): LanguageModelV4StreamPart[] {
  if (content.type === 'tool-call') {
    const { toolCallId: id, toolName, input } = content
    return [
      { type: 'tool-input-start', id, toolName },
      { type: 'tool-input-delta', id, delta: input },
      { type: 'tool-input-end', id },
      content,
    ]
  }
  const deltas = content.text.match(/(?:\S+\s*){1,4}|\s+/gu) ?? []
  return [
    { type: 'text-start', id: 'text' },
    ...deltas.map(
      (delta): LanguageModelV4StreamPart => ({ type: 'text-delta', id: 'text', delta }),
    ),
    { type: 'text-end', id: 'text' },
  ]
}

function usageOf(options: LanguageModelV4CallOptions, output: string): LanguageModelV4Usage {
  let input = 0
  for (const message of options.prompt)
    input += estimateTokens(
      typeof message.content === 'string' ? message.content : textOf(message.content),
    )
  const out = estimateTokens(output)
  return {
    inputTokens: { total: input, noCache: input, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: out, text: out, reasoning: 0 },
  }
}

function textOf(parts: readonly object[]): string {
  return parts
    .map((part) => {
      if ('text' in part && typeof part.text === 'string') return part.text
      return 'output' in part ? JSON.stringify(part.output) : ''
    })
    .join('\n')
}
