import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import { expect, it } from 'vitest'
import { prepareVerification } from '../../../src/chat/verify-claims'
import type { ResolvedModel } from '../../../src/models/chat-model'

/** A verifier that supports all it is asked of, and what it was shown. */
function verifierThatNods() {
  const shown: string[] = []
  const doGenerate = async ({ prompt }: LanguageModelV4CallOptions) => {
    const text = JSON.stringify(prompt)
    shown.push(text)
    const numbers = [...text.matchAll(/\[(\d+)\] claim/gu)].map(([, n]) => Number(n))
    return {
      content: [{ type: 'text', text: JSON.stringify({ supported: numbers }) }],
      usage: { inputTokens: { total: 1 }, outputTokens: { total: 1 } },
    }
  }
  return { shown, model: { model: { doGenerate }, name: 'v' } as unknown as ResolvedModel }
}

it('a claim stands only where the verifier has read it to its end', async () => {
  const { shown, model } = verifierThatNods()
  const said = (words: number) => `${'The blue pump is quiet, '.repeat(words)}and it costs nothing.`
  const claims = [said(1), said(60), said(100), 'The pump is red.'].map((claim, at) => ({
    id: at + 10,
    claim,
    evidence: 'The blue pump is quiet.',
  }))
  const { value } = await prepareVerification(model, claims, 'k3y9k3y9').run()
  expect([...value.keys()].filter((id) => value.get(id))).toEqual([10, 11, 13])
  expect(shown.join().match(/costs nothing/gu)).toHaveLength(2)
})
