import * as z from 'zod'
import { defineRoute } from '../../http/route'
import { presentSourceInContext, SourceInContextOut } from '../../sessions/present-source'
import { openOriginal, readSource } from '../../sessions/read-source'
import { queryInt, uuidParam } from '../../wire/fields'

const tag = 'Sources'
const params = z.object({ message_id: uuidParam, n: queryInt({ min: 1, max: 1000 }) })
const path = '/messages/{message_id}/sources/{n}'
const ORIGINAL = 'application/octet-stream'

export const meSourceRoutes = [
  defineRoute({
    method: 'GET',
    path: `/v1${path}`,
    also: [`/me${path}`, `/v1/me${path}`],
    layer: 'user',
    tag,
    summary:
      'What an answer rests on: the passage with the quoted places, and the passages before and after it',
    params,
    answers: { 200: SourceInContextOut },
    errors: [403, 404, 410],
    handler: async (c) => {
      const { message_id, n } = c.req.valid('param')
      return c.json(presentSourceInContext(await readSource(c.get('user'), message_id, n)))
    },
  }),
  defineRoute({
    method: 'GET',
    path: `/v1${path}/original`,
    also: [`/me${path}/original`, `/v1/me${path}/original`],
    layer: 'user',
    tag,
    summary: 'The file that a source is from, where its base hands files out',
    params,
    answers: { 200: { media: ORIGINAL } },
    errors: [403, 404, 410],
    handler: async (c) => {
      const { message_id, n } = c.req.valid('param')
      const { name, body } = await openOriginal(c.get('user'), message_id, n)
      return c.body(body, 200, {
        'Content-Type': ORIGINAL,
        'Cache-Control': 'private, no-store',
        'Content-Security-Policy': "sandbox; default-src 'none'",
        'Content-Disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
      })
    },
  }),
]
