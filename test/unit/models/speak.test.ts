import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { MODEL_DEADLINES, SPEECH } from '../../../src/config/limits'
import { speak } from '../../../src/models/speak'
import { hasSpeech, speechModel } from '../../../src/models/speech-model'
import { mp3, type OpenAiServer, startOpenAi } from '../../support/openai-server'

const endpoint = (OPENAI_BASE_URL: string) => ({
  MODEL_PROVIDER: 'openai-compatible',
  OPENAI_BASE_URL,
  TTS_MODEL: 'mouth-1',
})

describe('whether a deployment can read aloud', () => {
  const AI = {} as Ai

  it('depends on its backend', () => {
    expect(hasSpeech({})).toBe(false)
    expect(hasSpeech({ MODEL_PROVIDER: 'offline', AI })).toBe(false)
    expect(hasSpeech({ ...endpoint('http://x'), TTS_MODEL: '' })).toBe(false)
    expect(hasSpeech(endpoint('http://x'))).toBe(true)
    expect(hasSpeech({ AI })).toBe(true)
  })

  it('depends on the language where the models of Workers AI speak but one each', () => {
    expect(speechModel({ AI }, 'en')).toBe('@cf/deepgram/aura-2-en')
    expect(speechModel({ AI }, 'es')).toBe('@cf/deepgram/aura-2-es')
    expect(speechModel({ AI }, 'ar')).toBeNull()
    expect(speechModel({ AI, TTS_MODEL: '@cf/other' }, 'ar')).toBe('@cf/other')
    expect(speechModel(endpoint('http://x'), 'ar')).toBe('mouth-1')
  })
})

describe('text to speech', () => {
  let server: OpenAiServer
  beforeAll(async () => {
    server = await startOpenAi()
  })
  afterAll(() => server.close())
  const env = () => endpoint(server.baseUrl)
  const say = (voice: string | null = null) => speak('Hello.', voice, 'mouth-1', env())
  const bytesOf = async (spoken: Awaited<ReturnType<typeof speak>>) =>
    spoken.ok ? new Response(spoken.audio).bytes() : spoken

  it('asks an endpoint for MP3, in a voice of its own where none is named', async () => {
    server.speak = () => ({ pieces: [mp3('a'), mp3('b')] })
    expect(await bytesOf(await say())).toEqual(new TextEncoder().encode('ID3aID3b'))
    const call = { model: 'mouth-1', input: 'Hello.', response_format: 'mp3' }
    expect(server.spoken.at(-1)).toEqual({ ...call, voice: SPEECH.voice })
    await bytesOf(await speak('Hello.', null, 'mouth-1', { ...env(), TTS_VOICE: 'calm' }))
    expect(server.spoken.at(-1)).toEqual({ ...call, voice: 'calm' })
  })

  it.each([400, 404, 422])(
    'takes %i for the refusal of a voice, where one was named',
    async (status) => {
      server.speak = () => ({ status })
      expect(await say('nobody')).toEqual({ ok: false, reason: 'voice' })
      await expect(say()).rejects.toThrow(String(status))
    },
  )

  it.each([
    ['an error', { status: 500 }],
    ['nothing', { pieces: [] }],
    ['something that is no sound', { pieces: [Buffer.from('{"error": 1}')] }],
  ])('fails without the backend’s words when it answers with %s', async (_, act) => {
    server.speak = () => act
    await expect(say('nova')).rejects.toThrow(/^The speech backend answered (500|with something)/)
  })

  it('fails where the sound ends early', async () => {
    const begun = Promise.withResolvers<void>()
    server.speak = () => ({ pieces: [mp3('a'), mp3('b')], until: begun.promise, cut: true })
    const spoken = await say()
    begun.resolve()
    await expect(bytesOf(spoken)).rejects.toThrow()
  })

  it('fails where there is no end of it', async () => {
    const piece = Buffer.alloc(SPEECH.maxBytes / 2)
    server.speak = () => ({ pieces: [mp3('a'), piece, piece] })
    await expect(say().then(bytesOf)).rejects.toThrow('too long')
  })

  it('does not wait for ever', async () => {
    const expiring = new AbortController()
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(expiring.signal)
    const never = Promise.withResolvers<void>()
    server.speak = () => ({ pieces: [mp3('a'), mp3('b')], until: never.promise })
    const spoken = await say()
    expect(timeout).toHaveBeenCalledWith(MODEL_DEADLINES.speakMs)
    timeout.mockRestore()
    const reading = bytesOf(spoken)
    expiring.abort(new Error('expired'))
    await expect(reading).rejects.toThrow()
    never.resolve()
  })

  it('asks the binding’s Aura, whose word for a voice is speaker', async () => {
    const calls: unknown[] = []
    const AI = {
      run: (...call: unknown[]) => {
        calls.push(call)
        return Promise.resolve(new Response(Buffer.from([0xff, 0xf3, 0x84])))
      },
    } as unknown as Ai
    const { en } = SPEECH.workersAiModels
    for (const voice of [null, 'luna'])
      expect(await bytesOf(await speak('Hello.', voice, en, { AI }))).toHaveLength(3)
    const input = { text: 'Hello.', encoding: 'mp3' }
    expect(calls).toEqual([
      [en, input, { returnRawResponse: true }],
      [en, { ...input, speaker: 'luna' }, { returnRawResponse: true }],
    ])
  })
})
