import { describe, expect, it, vi } from 'vitest'
import { openLocalBase } from '../../../scripts/eval/local-turn'

vi.mock('cloudflare:workers', () => ({
  DurableObject: class {
    constructor(
      readonly ctx: unknown,
      readonly env: unknown,
    ) {}
  },
}))

describe('what words of a base weigh', () => {
  it('knows the documents that came last once the base was left alone', async () => {
    const base = await openLocalBase()
    for (let n = 0; n < 40; n++)
      await base.addText(
        `ferry-${n}.md`,
        `# Ferry ${n}\n\nThe ferry leaves at ${n} past the hour.`,
        'md',
      )
    await base.addText(
      'parom.md',
      '# Паром\n\nПаром уходит в полдень, а по воскресеньям в час.',
      'md',
    )
    await base.addText('kassa.md', '# Касса\n\nБилеты продаются в кассе и на борту.', 'md')
    const words = async () =>
      Object.keys((await base.search({} as never, 'в кассе', 3))?.idf.common ?? {})
    expect(await words()).not.toContain('в')
    await base.settle()
    expect(await words()).toContain('в')
  })
})
