import { describe, expect, it } from 'vitest'
import {
  type LoneEnd,
  type Stretch,
  splitThinking,
  ThinkTags,
} from '../../../src/models/think-tags'

/** What is said and what is thought, with the text cut into pieces of `size`. */
function read(text: string, size: number, loneEnd?: LoneEnd) {
  const tags = new ThinkTags(loneEnd)
  const stretches: Stretch[] = []
  for (let i = 0; i < text.length; i += size) stretches.push(...tags.push(text.slice(i, i + size)))
  stretches.push(...tags.end())
  const retracted = stretches.findLastIndex((one) => one.retracts)
  const join = (thought: boolean) =>
    stretches
      .map((one, at) => ((one.thought || at < retracted) === thought ? one.text : ''))
      .join('')
  return { said: join(false), thought: join(true) }
}

const CASES: [name: string, text: string, said: string, thought: string][] = [
  ['plain text', 'Two < three, and a `tick`.', 'Two < three, and a `tick`.', ''],
  ['at the start', '<think>\nHm.\n</think>\n\nYes.', 'Yes.', '\nHm.\n'],
  ['in the middle', 'Well, <think>hm</think>yes.', 'Well, yes.', 'hm'],
  ['twice', '<think>a</think>B <think>c</think>D', 'B D', 'ac'],
  ['not closed', 'Yes.<think>or no, `x', 'Yes.', 'or no, `x'],
  ['in capitals', '<THINK>a</Think>B', 'B', 'a'],
  ['nothing thought', '</think>Yes.', 'Yes.', ''],
  ['only thought', '<think>Hm.</think>', '', 'Hm.'],
  ['in a span of code', 'Write `<think>x</think>` there.', 'Write `<think>x</think>` there.', ''],
  ['in a span of two ticks', '``a ` <think>`` b', '``a ` <think>`` b', ''],
  ['in a fence', '```\n<think>\n```\nNow.', '```\n<think>\n```\nNow.', ''],
  ['after a fence', '```js\nx\n```\n<think>a</think>Now.', '```js\nx\n```\nNow.', 'a'],
  ['after a lone tick', 'It is 5` long.\n<think>a</think>Now.', 'It is 5` long.\nNow.', 'a'],
  ['three ticks in a line', 'a ```b``` <think>c</think>d', 'a ```b``` d', 'c'],
  ['another tag', 'a <thing> </thin> <b>', 'a <thing> </thin> <b>', ''],
  ['a tag that is not finished', 'a <thin', 'a <thin', ''],
  ['by another name', '<thinking>a</thinking>B <reasoning>c</reasoning>D', 'B D', 'ac'],
  ['in the signs of Kimi', '◁think▷a◁/think▷B', 'B', 'a'],
  ['in brackets', '[THINK]a[/THINK]B [think]', 'B [think]', 'a'],
  [
    'in a channel of its own',
    '<|channel|>analysis<|message|>a<|end|><|start|>assistant<|channel|>final<|message|>B',
    'B',
    'a',
  ],
  ['a channel that is said', '<|channel|>final<|message|>B', 'B', ''],
  ['in Seed’s tags', '<seed:think>a</seed:think>B', 'B', 'a'],
  ['in a reflection', '<reflection>a</reflection>B', 'B', 'a'],
  ['on a scratchpad', '<scratchpad>a</scratchpad>B <antThinking>c</antThinking>D', 'B D', 'ac'],
  ['as OpenThinker', '<|begin_of_thought|>a b<|end_of_thought|> B', 'B', 'a b'],
  ['as Cohere', '<|START_THINKING|>a b<|END_THINKING|>B', 'B', 'a b'],
  ['as Gemma', '<|channel>thought\na b<channel|>B', 'B', '\na b'],
  ['code within a thought', '<think>`</think>b', 'b', '`'],
]

describe('thinking written into the text', () => {
  it.each(CASES)('%s', (_name, text, said, thought) => {
    for (const size of [1, 2, 3, 5, 8, text.length]) {
      expect(read(text, size), `pieces of ${size}`).toEqual({ said, thought })
    }
  })

  it('of a whole answer, all before an end without a beginning was thought', () => {
    const text = (one: string, loneEnd: LoneEnd = 'retract') =>
      splitThinking([{ type: 'text', text: one }], loneEnd)
    expect(text('Hm, so.</think>Yes.')).toEqual([
      { type: 'reasoning', text: 'Hm, so.' },
      { type: 'text', text: 'Yes.' },
    ])
    expect(text('Yes.')).toEqual([{ type: 'text', text: 'Yes.' }])
    expect(text('Hm, so.</think>Yes.', 'drop').at(-1)).toEqual({
      type: 'text',
      text: 'Hm, so.Yes.',
    })
  })

  const LONE: [name: string, text: string, said: string, thought: string][] = [
    ['an end alone', 'Hm, so.\n</think>\n\nYes.', 'Yes.', 'Hm, so.\n'],
    ['two ends', 'Hm.</think>Or so.</think>Yes.', 'Yes.', 'Hm.Or so.'],
    ['an end after code', '`a` and\n```\nb\n```\n</think>Yes.', 'Yes.', '`a` and\n```\nb\n```\n'],
    ['an end in code', 'Write `</think>` there.', 'Write `</think>` there.', ''],
    ['an end in a fence', 'So:\n```\n</think>\n```', 'So:\n```\n</think>\n```', ''],
    ['an end after a beginning', 'Well. <think>a</think>B</think>C', 'Well. BC', 'a'],
    ['no end', 'Two < three.\n\nYes.', 'Two < three.\n\nYes.', ''],
    ['nothing but an end', '</think>Yes.', 'Yes.', ''],
    ['nothing after it', 'Hm.</think>', '', 'Hm.'],
  ]

  it.each(LONE)('%s: what came before was thought, if it began in the prompt', (...args) => {
    const [, text, said, thought] = args
    for (const size of [1, 3, 8, text.length])
      for (const loneEnd of ['retract', 'await'] as const)
        expect(read(text, size, loneEnd), `${loneEnd}, ${size}`).toEqual({ said, thought })
  })

  it('where an end is likely, nothing is said before it comes', () => {
    const tags = new ThinkTags('await')
    expect([...tags.push('Hm, '), ...tags.push('so.')]).toEqual([])
    expect(tags.push('</think>Yes. ')).toEqual([
      { thought: true, text: 'Hm, so.' },
      { thought: false, text: 'Yes. ' },
    ])
    expect(tags.push('More.')).toEqual([{ thought: false, text: 'More.' }])
  })
})
