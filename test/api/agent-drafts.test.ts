import { beforeEach, describe, expect, it } from 'vitest'
import { sharedParley } from '../support/harness'
import { expectOk, type SeededTenant, seedTenant } from '../support/seed'
import { model, parley, withModel } from '../support/with-model'

const WISH = 'Answers questions of hotel guests about breakfast and late check-out.'
const WRITTEN = {
  name: 'Hotel Desk',
  display_name: 'Front desk',
  soul: 'You are the night porter: kind and brief.',
  task: 'Answer questions of guests from the house rules.',
  greeting: 'Good evening!',
  menu_items: ['When is breakfast?'],
  tools: ['current_time', 'launch_rocket'],
  skills: ['of-nobody'],
  knowledge_bases: ['house-rules', 'secrets of another'],
  grounding_required: true,
  ask_forms: false,
}

describe('templates of agents', () => {
  it('each make an agent as they are', async () => {
    const tenant = await seedTenant(await sharedParley())
    const { json: templates } = await expectOk(tenant.call('GET', '/v1/agents/templates'))
    expect(templates.length).toBeGreaterThan(3)
    for (const { id, agent } of templates) {
      const { json } = await expectOk(tenant.call('POST', `/v1/agents/from-${id}`, agent))
      expect(json).toMatchObject({ ...agent, published: false })
    }
  })

  it('keep their address: no agent is called so', async () => {
    const tenant = await seedTenant(await sharedParley())
    const answers = [
      await tenant.call('PUT', '/v1/agents/templates', {}),
      await tenant.call('POST', '/v1/agents/templates', {}),
    ]
    await expectOk(tenant.call('POST', '/v1/agents/one', {}))
    answers.push(await tenant.call('PATCH', '/v1/agents/one', { name: 'templates' }))
    for (const { status, json } of answers)
      expect([status, json.code]).toEqual([409, 'name_reserved'])
  })
})

describe('an agent that a model writes', () => {
  let tenant: SeededTenant
  withModel()
  beforeEach(async () => {
    tenant = await seedTenant(parley)
    await expectOk(tenant.call('POST', '/v1/knowledge-bases', { name: 'house-rules' }))
  })
  const draft = (headers = {}) =>
    tenant.call('POST', '/v1/agents/draft', { description: WISH }, headers)
  const names = async () =>
    (await expectOk(tenant.call('GET', '/v1/agents'))).json.map(
      ({ name }: { name: string }) => name,
    )

  it('is stored, not published, with what there is and nothing else; the call is metered', async () => {
    model.script = () => ({ text: `Here:\n\`\`\`json\n${JSON.stringify(WRITTEN)}\n\`\`\`` })
    const { json } = await expectOk(draft())
    expect(json).toMatchObject({
      ...WRITTEN,
      name: 'hotel-desk',
      tools: ['current_time'],
      skills: [],
      knowledge_bases: ['house-rules'],
      published: false,
      alias: null,
    })
    const asked = JSON.stringify(model.calls[0]?.messages)
    expect(asked).toContain(WISH)
    expect(asked).toContain('house-rules')
    expect((await expectOk(draft())).json.name).toBe('hotel-desk-2')
    const { json: usage } = await expectOk(
      tenant.call('GET', '/v1/manage/usage?group=kind&since=7d'),
    )
    const rows = (usage.rows ?? usage.items ?? usage) as { key: string; requests: number }[]
    expect(rows.find(({ key }) => key === 'draft')).toMatchObject({ requests: 2 })
  })

  it('is made once however often it is asked for with one Idempotency-Key', async () => {
    model.script = () => ({ text: JSON.stringify(WRITTEN) })
    const key = { 'idempotency-key': 'one agent' }
    const first = await expectOk(draft(key))
    expect((await expectOk(draft(key))).json).toEqual(first.json)
    expect(model.calls).toHaveLength(1)
  })

  it('has a name that an address takes, whatever the model calls it', async () => {
    for (const [said, name] of [
      ['../../etc/passwd', 'etc-passwd'],
      ['templates', 'templates-2'],
      ['宾馆', 'agent'],
      [7, 'agent-2'],
    ]) {
      model.script = () => ({ text: JSON.stringify({ ...WRITTEN, name: said }) })
      expect((await expectOk(draft())).json.name).toBe(name)
    }
  })

  it('is none where the answer is no agent or the model fails: nothing is stored', async () => {
    const before = await names()
    for (const text of ['I will not.', '[]', '{"soul":', '{"soul":"","task":"x"}']) {
      model.script = () => ({ text })
      const { status, json } = await draft()
      expect([status, json.code]).toEqual([502, 'draft_failed'])
    }
    model.script = () => ({ status: 500 })
    expect((await draft()).status).toBe(502)
    expect(await names()).toEqual(before)
  })
})
