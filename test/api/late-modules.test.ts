import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readStorylines } from '../../scripts/seed-demo.mjs'
import { type Parley, startParley } from '../support/harness'
import { makeLossy } from '../support/pictures'
import { expectOk, type SeededTenant, seedAgent, seedBase, seedTenant } from '../support/seed'

/** One isolate loads what a request needs when it first needs it: in any order. */
describe('modules that are loaded late', () => {
  let parley: Parley
  let tenant: SeededTenant
  beforeAll(async () => {
    parley = await startParley()
    tenant = await seedTenant(parley)
    await seedAgent(tenant, 'help-desk')
  })
  afterAll(() => parley.close())

  it('reads schemas after pictures', async () => {
    for (const kind of ['jpeg', 'webp'] as const) {
      const form = new FormData()
      form.set('file', new File([await makeLossy(kind, 512)], `icon.${kind}`))
      await expectOk(tenant.call('POST', '/v1/agents/help-desk/pwa/icon', form))
    }
    for (const file of readStorylines()) {
      await seedAgent(tenant, file.agent_name)
      const { json } = await expectOk(tenant.call('POST', '/v1/storylines/import', file))
      const { json: checked } = await expectOk(
        tenant.call('POST', `/v1/storylines/${json.id}/validate`),
      )
      expect(checked).toEqual({ ok: true, errors: [] })
    }
  })

  it('finds what a document says in other words than the visitor', async () => {
    await seedBase(tenant, 'campsite', {
      Rules: 'Children under four stay free of charge. Open fires are forbidden on the pitches.',
    })
    for (const [query, expected] of [
      ['bonfire?', 'Open fires are forbidden'],
      ['do kids pay', 'Children under four'],
    ]) {
      const { json } = await expectOk(
        tenant.call('POST', '/v1/knowledge-bases/campsite/search', { query }),
      )
      expect(json.gate, query).toEqual({ open: true, reasons: ['covered'] })
      expect(json.hits[0].text).toContain(expected)
    }
    const { json } = await expectOk(
      tenant.call('POST', '/v1/knowledge-bases/campsite/search', { query: 'skyscraper?' }),
    )
    expect(json.gate.open).toBe(false)
  })
})
