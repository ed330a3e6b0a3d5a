import * as z from 'zod'
import { API_VERSION } from '../config/names'
import { defineRoute } from '../http/route'
import { lackOfKeys, lackOfSchema } from '../http/setup'
import { readPageLanguage, readsPages, showFront } from '../pages/show-page'
import { sendPage } from './pages'

const Strings = z.record(z.string(), z.string())
const Readiness = z.object({
  status: z.enum(['ok', 'unavailable']),
  checks: z.record(z.string(), z.string()),
})

export const healthRoutes = [
  defineRoute({
    method: 'GET',
    path: '/',
    layer: 'public',
    tag: 'Health',
    summary: 'Name and version; a page for who comes by a browser',
    answers: { 200: Strings },
    handler: async (c) => {
      if (!readsPages(c.req.header('accept')))
        return c.json({ name: 'parley', version: API_VERSION }, 200, { Vary: 'Accept' })
      const { lang } = readPageLanguage(undefined, c.req.header('accept-language'))
      return sendPage(await showFront(lang))
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/health',
    layer: 'public',
    tag: 'Health',
    summary: 'The Worker answers',
    answers: { 200: Strings },
    handler: (c) => c.json({ status: 'ok' }),
  }),
  defineRoute({
    method: 'GET',
    path: '/readyz',
    layer: 'public',
    tag: 'Health',
    summary:
      'Settings and migrations are there, keys open what is stored; database and object store answer',
    answers: { 200: Readiness, 503: Readiness },
    handler: async (c) => {
      /** Each answers with what is wrong, if it knows. */
      const probes: Record<string, () => Promise<string | null>> = {
        database: () =>
          c.env.DB.prepare('SELECT 1')
            .all()
            .then(() => null),
        migrations: async () => {
          const lack = await lackOfSchema(c.env.DB)
          return lack && `missing: ${lack.missing}`
        },
        keys: async () => {
          const lack = await lackOfKeys(c.env)
          return lack && `not the ${lack} that sealed what is stored`
        },
        files: () => c.env.FILES.head('readyz').then(() => null),
      }
      const checks: Record<string, string> = {}
      await Promise.all(
        Object.entries(probes).map(async ([name, probe]) => {
          try {
            checks[name] = (await probe()) ?? 'ok'
          } catch (error) {
            c.get('base').log.error('readiness_probe_failed', error, { probe: name })
            checks[name] = 'failed'
          }
        }),
      )
      const ok = Object.values(checks).every((state) => state === 'ok')
      return c.json({ status: ok ? 'ok' : 'unavailable', checks }, ok ? 200 : 503)
    },
  }),
]
