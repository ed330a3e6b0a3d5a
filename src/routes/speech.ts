import * as z from 'zod'
import { readAloud } from '../chat/read-aloud'
import { SPEECH } from '../config/limits'
import { defineRoute } from '../http/route'
import { uuidParam } from '../wire/fields'

const AUDIO = 'audio/mpeg'

const SpeechIn = z.object({
  message_id: uuidParam.describe('An answer.'),
  voice: z
    .string()
    .regex(/^[\w.-]+$/u)
    .max(SPEECH.voiceLength)
    .nullable()
    .optional()
    .describe('A voice of the backend’s; null for its usual one.'),
})

export const speechRoutes = [
  defineRoute({
    method: 'POST',
    path: '/v1/speech',
    layer: 'user',
    tag: 'Chat',
    asksEndUser: true,
    summary: 'An answer read aloud, as it is made; later as it was kept',
    json: SpeechIn,
    answers: { 200: { media: AUDIO } },
    errors: [404, 409, 502, 503],
    rate: 'speech',
    handler: async (c) => {
      const { message_id, voice = null } = c.req.valid('json')
      const audio = await readAloud(c.get('user'), message_id, voice)
      return c.body(audio, 200, { 'Content-Type': AUDIO, 'Cache-Control': 'private, no-store' })
    },
  }),
]
