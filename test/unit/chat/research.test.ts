import { describe, expect, it } from 'vitest'
import {
  mayBeLarge,
  missingPart,
  type Research,
  type ResearchStage,
  type ResearchTools,
  readParts,
  research,
} from '../../../src/chat/research'
import { LANGUAGES } from '../../../src/config/names'
import { passage } from '../../support/passages'

const HELD = passage(7, 'Refunds are paid within 14 days.')
const ALSO = passage(3, 'The warehouse is in Lyon.')
const LARGE = { message: 'Refunds? And where is the moon?', clauses: ['Refunds?', 'the moon?'] }

interface Ran {
  stages: ResearchStage[]
  result: Research | null
  queries: string[]
  asked: string[]
}

async function run(
  large = LARGE,
  says: (order: string, n: number) => string | null = () => null,
  opens: (query: string) => boolean = (query) => query.includes('efund'),
  signal = new AbortController().signal,
): Promise<Ran> {
  const ran: Ran = { stages: [], result: null, queries: [], asked: [] }
  const tools: ResearchTools = {
    ask: async (order, parts) => {
      ran.asked.push(Object.values(parts).join(' '))
      return says(order, ran.asked.length)
    },
    search: async (query) => {
      ran.queries.push(query)
      return { passages: [HELD, ALSO], results: [], open: opens(query) }
    },
    signal,
  }
  const events = research(tools, large)
  for (;;) {
    const step = await events.next()
    if (step.done) return { ...ran, result: step.value }
    ran.stages.push(step.value)
  }
}

describe('a question that may be large', () => {
  it.each([
    ['Compare the two plans', true],
    ['请比较两种方案', true],
    ['請比較兩種方案', true],
    ['Dame un resumen de los planes', true],
    ['Сравни оба тарифа', true],
    ['Donne un aperçu des offres', true],
    ['قارن بين الخطتين', true],
    ['When are refunds paid?', false],
    ['退款什么时候支付？', false],
  ])('%s', (message, large) => {
    expect(mayBeLarge({ message, clauses: [message] })).toBe(large)
  })

  it('asks for several things, or is long', () => {
    expect(mayBeLarge(LARGE)).toBe(true)
    expect(mayBeLarge({ message: 'refund '.repeat(20), clauses: ['refund'] })).toBe(true)
  })
})

describe('a research', () => {
  it('looks for each part in three rounds at most, and keeps what nothing was found for', async () => {
    const words = ['["Refunds?", "Where is the moon?"]', 'lunar place', 'satellite']
    const { stages, result, queries } = await run(
      LARGE,
      (_order, n) => words[n - 1] ?? null,
      (q) => q.startsWith('Refunds'),
    )
    expect(stages.map(({ n, of, question }) => [n, of, question])).toEqual([
      [1, 2, 'Refunds?'],
      [2, 2, 'Where is the moon?'],
    ])
    expect(queries).toEqual(['Refunds?', 'Where is the moon?', 'lunar place', 'satellite'])
    expect(result?.findings.map(({ question }) => question)).toEqual(['Refunds?'])
    expect(result?.missing).toEqual(['Where is the moon?'])
  })

  it('numbers passages through, the same one once', async () => {
    const { result } = await run(
      LARGE,
      () => null,
      () => true,
    )
    const numbers = result?.findings.map(({ passages }) => passages.map(({ n }) => n))
    expect(numbers).toEqual([
      [1, 2],
      [1, 2],
    ])
  })

  it('goes by the clauses without a model, and searches for no words twice', async () => {
    const { result, queries } = await run()
    expect(result?.missing).toEqual([])
    expect(new Set(queries).size).toBe(queries.length)
    expect(queries).toEqual(['Refunds?', 'the moon?', `the moon? ${LARGE.message}`])
  })

  it.each([
    ['one part', '["Refunds?"]'],
    ['none', '[]'],
    ['the same twice', '["Refunds?", "refunds?"]'],
  ])('is none of %s', async (_name, said) => {
    const { result, queries } = await run(LARGE, () => said)
    expect([result, queries]).toEqual([null, []])
  })

  it('has four parts at most, as plain short text', async () => {
    const said = JSON.stringify([...'abcdef', '<b>x</b>', 'y'.repeat(900)])
    const { stages } = await run(
      LARGE,
      () => said,
      () => true,
    )
    expect(stages.map(({ question }) => question)).toEqual(['a', 'b', 'c', 'd'])
    expect(readParts('["<b>[x](http://evil.example)</b>"]')).toEqual(['b x (http evil.example) /b'])
    expect(readParts(`["${'y'.repeat(900)}"]`)?.[0]).toHaveLength(200)
  })

  it.each(['', 'prose', '{"a": 1}', '["cut', '7'])(
    'goes by the clauses when a model says %j',
    async (said) => {
      expect((await run(LARGE, () => said)).stages).toHaveLength(2)
    },
  )

  it('ends where it is stopped', async () => {
    const abort = new AbortController()
    abort.abort(new Error('stopped'))
    await expect(run(LARGE, undefined, undefined, abort.signal)).rejects.toThrow('stopped')
  })
})

it('says what was not found in every language', () => {
  const heads = LANGUAGES.map((lang) => missingPart(['Why?'], lang).split('\n')[0])
  expect(new Set(heads).size).toBe(LANGUAGES.length)
  expect(missingPart(['Why?'], 'en')).toBe('**Not found in the sources**\n\n- Why?')
  expect(missingPart([], 'en')).toBe('')
})
