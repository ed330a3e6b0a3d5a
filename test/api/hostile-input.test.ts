import { beforeAll, describe, expect, it } from 'vitest'
import { type Parley, sharedParley } from '../support/harness'
import { buildPdf } from '../support/pdf-builder'
import { expectOk, type SeededTenant, seedAgent, seedTenant, waitForBase } from '../support/seed'

const ROWS = 5000
const TABLE = [
  'Article,Colour,Price',
  ...Array.from({ length: ROWS }, (_, i) => `Part ${10_000 + i},colour ${i % 7},${i + 1} euros`),
].join('\n')
const FILES: Record<string, string | Uint8Array<ArrayBuffer>> = {
  'prices.csv': TABLE,
  'warranty.md': '# Warranty\n\nThe warranty of a lamp lasts two years.',
  'echo.txt': `${'lantern '.repeat(20_000)}`,
  'mixed.md':
    '# Wi-Fi\n\nПароль сети Lumen-Guest меняется каждый понедельник. 访客密码 is printed on the badge.',
  'جهاز.md': '# جهاز Brewmaster 300\n\nيبلغ وزن جهاز Brewmaster 300 نحو 9 كغ وطول السلك 2 متر.',
  'scan.pdf': buildPdf([[], []]),
}

describe('hostile input', { timeout: 90_000 }, () => {
  let tenant: SeededTenant
  let parley: Parley

  beforeAll(async () => {
    parley = await sharedParley()
    tenant = await seedTenant(parley)
    await expectOk(tenant.call('POST', '/v1/knowledge-bases', { name: 'hostile' }))
    for (const [name, content] of Object.entries(FILES)) {
      const form = new FormData()
      form.set('file', new Blob([content]), name)
      await expectOk(tenant.call('POST', '/v1/knowledge-bases/hostile/documents/upload', form))
    }
    await waitForBase(tenant, 'hostile')
    await seedAgent(tenant, 'desk', { knowledge_bases: ['hostile'], grounding_required: true })
  })

  const ask = async (message: string) => {
    const { json } = await expectOk(
      tenant.as('reader', 'POST', '/v1/chat', { agent: 'desk', message }),
    )
    return json as { reply: string; finish_reason: string; sources: unknown[] }
  }

  it('answers the question at the end of 16,000 characters', async () => {
    const question = 'How long does the warranty of a lamp last?'
    const preamble = 'I was walking along the river and thought of nothing much. '
    const message = preamble
      .repeat(400)
      .slice(0, 16_000 - question.length - 2)
      .trimEnd()
    const { reply, sources } = await ask(`${message}. ${question}`)
    expect(reply).toContain('two years')
    expect(sources).toHaveLength(1)
  })

  it('finds one row of a table of 5,000, with its header', async () => {
    const { reply } = await ask('What is the price of part 14320?')
    expect(reply).toContain('Part 14320')
    expect(reply).toContain('Price: 4321 euros')
  })

  it('says of scanned pages what to do with them', async () => {
    const { json } = await expectOk(
      tenant.call('GET', '/v1/knowledge-bases/hostile/documents?limit=100'),
    )
    const scan = json.items.find(({ path }: { path: string }) => path === 'scan.pdf')
    expect(scan).toMatchObject({ status: 'failed', error: expect.stringContaining('OCR') })
  })

  it('ends a question about a document that repeats one word', async () => {
    const { finish_reason: reason, reply } = await ask('What is a lantern made of?')
    expect(['stop', 'no_match']).toContain(reason)
    expect(reply.length).toBeLessThan(5000)
  })

  it.each([
    ['когда меняется пароль Lumen-Guest?', 'понедельник'],
    ['where is the 访客密码 printed?', 'badge'],
  ])('answers across scripts and directions: %s', async (question, answer) => {
    expect((await ask(question)).reply).toContain(answer)
  })
})
