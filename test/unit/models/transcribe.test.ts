import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasTranscription, transcribe } from '../../../src/models/transcribe'
import { type ModelEndpoint, startModelEndpoint } from '../../support/model-endpoint'

describe('speech to text', () => {
  let server: ModelEndpoint
  beforeAll(async () => {
    server = await startModelEndpoint()
  })
  afterAll(() => server.close())
  const audio = { bytes: new Uint8Array([1, 2, 3]), mime: 'audio/webm;codecs=opus' }
  const env = () => ({
    MODEL_PROVIDER: 'openai-compatible',
    OPENAI_BASE_URL: server.baseUrl,
    OPENAI_API_KEY: 'sk-test',
    STT_MODEL: 'hear-1',
  })

  it('is null where there is no backend', async () => {
    expect(hasTranscription({})).toBe(false)
    expect(await transcribe(audio, {})).toBeNull()
    expect(
      hasTranscription({ MODEL_PROVIDER: 'openai-compatible', OPENAI_BASE_URL: 'http://x' }),
    ).toBe(false)
  })

  it('sends the recording as a form and trims the text', async () => {
    expect(await transcribe(audio, env())).toMatchObject({ text: 'hello there', model: 'hear-1' })
    const request = server.requests.at(-1)
    expect(request?.headers.authorization).toBe('Bearer sk-test')
    expect(request?.body).toContain('filename="audio.webm"')
    expect(request?.body).toContain('hear-1')
  })

  it('fails without the endpoint’s words', async () => {
    server.script({ type: 'error', status: 500, message: 'secret detail' })
    const failure = transcribe(audio, env())
    await expect(failure).rejects.toThrow('500')
    await expect(failure).rejects.not.toThrow('secret')
  })

  it('asks the binding’s whisper', async () => {
    const AI = { run: () => Promise.resolve({ text: ' hola ' }) } as unknown as Ai
    expect((await transcribe(audio, { AI }))?.text).toBe('hola')
  })
})
