import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Parley } from '../support/harness'
import { type Killable, startKillable } from '../support/killable'
import { expectOk, type SeededTenant, seedAgent, seedTenant, waitFor } from '../support/seed'

const STALLED_MS = 11 * 60_000
const QUESTION = 'Who invented the zeppelin?'

describe('kill -9 in an approval', { timeout: 180_000 }, () => {
  let server: Killable
  let tenant: SeededTenant
  beforeAll(async () => {
    server = await startKillable()
    tenant = await seedTenant(server.parley as Parley)
  }, 90_000)
  afterAll(() => server.dispose())

  it.each([0, 15, 40, 90, 200, 500])(
    '%i ms after it was sent: one document or none, one audit entry, and a verdict in the end',
    async (delayMs) => {
      const [base, agent] = [`guide-${delayMs}`, `desk-${delayMs}`]
      await expectOk(tenant.call('POST', '/v1/knowledge-bases', { name: base }))
      await seedAgent(tenant, agent, { knowledge_bases: [base], grounding_required: true })
      await expectOk(tenant.as('ada', 'POST', '/v1/chat', { message: QUESTION, agent }))
      const find = async () => {
        const { json } = await expectOk(tenant.call('GET', `/v1/manage/reviews?agent=${agent}`))
        return json[0] ?? null
      }
      const { id } = await waitFor(find)
      const approve = () =>
        tenant.call('POST', `/v1/manage/reviews/${id}/approve`, {
          kb_name: base,
          text: 'The zeppelin was invented by Ines Duarte.',
        })
      const cut = approve().catch(() => null)
      await new Promise((resolve) => setTimeout(resolve, delayMs))
      await server.kill()
      await cut
      await server.start()

      const again = await approve()
      // Cut off before its commit: nothing had happened. After it: decided.
      expect([200, 409]).toContain(again.status)
      await server.watch(STALLED_MS)
      const review = await waitFor(async () => {
        const now = await find()
        return now?.verified === null ? null : now
      })
      expect(review).toMatchObject({ status: 'approved', verified: true, document_id: id })
      const documents = (
        await expectOk(tenant.call('GET', `/v1/knowledge-bases/${base}/documents`))
      ).json.items
      expect(documents).toMatchObject([{ id, path: `reviews/${id}.md`, status: 'ready' }])
      const entries = (
        await expectOk(tenant.call('GET', '/v1/tenant/audit?action=approve&limit=200'))
      ).json.items
      expect(
        entries.filter(({ entity_id }: { entity_id: string }) => entity_id === id),
      ).toHaveLength(1)
    },
  )
})
