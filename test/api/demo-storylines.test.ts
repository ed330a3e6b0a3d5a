import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readStorylines } from '../../scripts/seed-demo.mjs'
import { type Parley, sharedParley } from '../support/harness'
import { expectOk, type SeededTenant, seedAgent, seedTenant } from '../support/seed'

/** What the demo's two agents carry, as `npm run demo` and `npm run dev` make it. */
describe('the storylines of the demo', () => {
  let parley: Parley
  let tenant: SeededTenant
  beforeAll(async () => {
    parley = await sharedParley()
    tenant = await seedTenant(parley)
    for (const file of readStorylines()) {
      await seedAgent(tenant, file.agent_name)
      const { json } = await expectOk(tenant.call('POST', '/v1/storylines/import', file))
      const checked = await expectOk(tenant.call('POST', `/v1/storylines/${json.id}/validate`))
      expect(checked.json).toEqual({ ok: true, errors: [] })
      await expectOk(tenant.call('POST', `/v1/storylines/${json.id}/publish`))
    }
  })
  afterAll(() => parley.close())

  async function walk(agent: string, user: string, messages: readonly string[]) {
    const answers = []
    let session_id: string | undefined
    for (const message of messages) {
      const body = { message, agent, session_id }
      const { json } = await expectOk(tenant.as(user, 'POST', '/v1/chat', body))
      session_id = json.session_id
      answers.push(json)
    }
    return answers
  }

  it('the help desk leads through the first set-up, and each command that it names is there', async () => {
    const cloud = ['Guided first set-up', 'In my Cloudflare account', 'Ada', 'A website', 'yes']
    const answers = await walk('help-desk', 'ann', cloud)
    expect(answers.map(({ storyline }) => storyline.progress.done)).toEqual([1, 2, 3, 4, 5])
    expect(answers.at(-1)).toMatchObject({
      reply: 'Ada is ready. Ask me anything else about Parley.',
      storyline: { status: 'completed' },
    })
    const local = ['Guided first set-up', 'On my own machine', 'Ada', 'Files of mine', 'no']
    const stuck = await walk('help-desk', 'bob', local)
    expect(stuck.at(-1).reply).toMatch(/^Tell me what you see/)

    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'))
    const said = [...answers, ...stuck].map(({ reply }) => reply).join('\n')
    const commands = [...said.matchAll(/npm run (\w+)/g)].map(([, name]) => name)
    expect(new Set(commands)).toEqual(new Set(['dev', 'deploy']))
    for (const name of commands) expect(Object.keys(scripts)).toContain(name)
    const { json: api } = await expectOk(parley.call('GET', '/openapi.json'))
    const routes = [...said.matchAll(/POST (\/v1\/[\w/{}-]+)/g)].map(([, path]) => path)
    expect(new Set(routes).size).toBe(3)
    for (const path of routes) expect(Object.keys(api.paths)).toContain(path)
  })

  it('the feedback agent takes a form, thanks for it, and takes another one in the next chat', async () => {
    const form = 'How do you like Parley?: Good\nWhat is it about?: Answers'
    for (const chat of [1, 2]) {
      const [asked, thanked] = await walk('feedback', 'cyd', [`Hello ${chat}`, form])
      expect(asked).toMatchObject({
        finish_reason: 'form',
        form: {
          fields: [
            { name: 'mark', type: 'select', required: true },
            { name: 'area', type: 'select', required: true },
            { name: 'words', required: false },
            { name: 'email', type: 'email', required: false },
          ],
        },
      })
      expect(thanked.reply).toBe('Thank you! That helps.')
    }
    const [, sorry] = await walk('feedback', 'dee', [
      'Hello',
      'How do you like Parley?: Not good\nWhat is it about?: Set-up\nIn your own words: Too slow',
    ])
    expect(sorry.reply).toMatch(/^Thank you for saying so/)
  })
})
