import { EMBEDDER_LIMITS } from '../../src/config/platform-limits'

const { texts, callTokens, textTokens } = EMBEDDER_LIMITS

/**
 * Stands in for Workers AI with its embedder: a character is a token, a vector begins with its text's length, and what the
 * service refuses is refused.
 */
export function startEmbedder(): { AI: Ai } {
  const run = async (_model: string, { text }: { text: string[] }) => {
    if (text.length > texts) throw new Error("5006: Error: oneOf at '/' not met")
    const longest = Math.max(...text.map((one) => one.length + 2))
    if (longest > textTokens) throw new Error(`3030: Sequence too long: ${longest} > ${textTokens}`)
    const tokens = text.length * longest
    if (tokens > callTokens) {
      throw new Error(
        `3030: Max context reached ${tokens} tokens but model supports only ${callTokens}`,
      )
    }
    return { data: text.map((one) => [one.length, 1]) }
  }
  return { AI: { run } as unknown as Ai }
}
