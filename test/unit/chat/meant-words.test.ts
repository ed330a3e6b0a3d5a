import { describe, expect, it } from 'vitest'
import { MeantWords } from '../../../src/chat/reply/meant-words'

const CONTEXT = {
  tools: ['search_knowledge', 'current_time'],
  titles: ['Refunds', 'Files and sizes'],
}
const A = 'Refunds take five days. [1]'
const CALL = '{"name": "search_knowledge", "arguments": {"query": "a {b"}}'

/** What is said of a text that comes in pieces of one size. */
function say(text: string, size: number): string {
  const words = new MeantWords(CONTEXT)
  let said = ''
  for (let i = 0; i < text.length; i += size) said += words.push(text.slice(i, i + size))
  return said + words.end()
}

const SAID: [name: string, text: string, said: string][] = [
  ['ends its turn by a mark', `${A}<|im_end|>`, A],
  ['ends it by another', `${A}</s>`, A],
  [
    'goes on with a turn of the user',
    `${A}<|eot_id|><|start_header_id|>user<|end_header_id|>\n\nAnd?`,
    A,
  ],
  ['begins with the mark of its turn', `<|im_start|>assistant\n${A}`, A],
  ['begins with a header', `<|start_header_id|>assistant<|end_header_id|>\n\n${A}`, A],
  ['makes up what the user says next', `${A}\n\nUser: And gifts?\nAssistant: No.`, A],
  ['lets a human speak', `${A}\n\nHuman: And gifts?`, A],
  ['labels its answer', `Answer: ${A}`, A],
  ['labels it in bold', `**Final answer:** ${A}`, A],
  ['labels it in Chinese', '回答：退款需要五天。[1]', '退款需要五天。[1]'],
  ['labels it in Traditional Chinese', '答：退款需要五天。[1]', '退款需要五天。[1]'],
  ['labels it in Arabic', '**الإجابة النهائية:** خمسة أيام. [1]', 'خمسة أيام. [1]'],
  ['labels it in Russian', 'Ответ: пять дней. [1]', 'пять дней. [1]'],
  ['puts it into tags', `<answer>\n${A}\n</answer>`, `${A}\n\n`],
  ['puts it into a fence of Markdown', `\`\`\`markdown\n${A}\n\nMore.\n\`\`\``, `${A}\n\nMore.\n`],
  ['puts prose into a bare fence', `\`\`\`\n${A}\n\`\`\``, `${A}\n`],
  [
    'puts it into JSON',
    JSON.stringify({ answer: `${A} Say "yes".`, sources: [1] }),
    `${A} Say "yes".`,
  ],
  ['puts it into fenced JSON', `\`\`\`json\n{"response": "${A}"}\n\`\`\``, A],
  ['names its JSON in Russian', `{"ответ": "${A}", "источники": [1]}`, A],
  ['names it a result', `{"result": "${A}"}`, A],
  ['begins with what it is', `<|assistant|>\n${A}`, A],
  ['cites as Gemini does', `[cite_start]${A}`, A],
  ['cites as Command R does', 'Refunds take <co: 0,1>five days</co: 0,1>. [1]', A],
  ['cites by titles', 'Five days [Refunds]. 25 MB [Files and sizes].', 'Five days [1]. 25 MB [2].'],
  ['links titles', 'Five days ([Refunds](refunds.md)).', 'Five days ([1](refunds.md)).'],
  [
    'writes entities of HTML',
    '&quot;It&#39;s&nbsp;5&nbsp;&amp;&nbsp;6&#8217;&quot;, &lt;b',
    '"It\'s 5 & 6’", <b',
  ],
  ['turns the direction by an entity', 'Five &#8238;days.', 'Five days.'],
  ['writes a call down', `<tool_call>\n${CALL}\n</tool_call>`, ''],
  ['writes a call down and answers', `<tool_call>${CALL}</tool_call>\n${A}`, A],
  ['writes a call without its end', `<function=search_knowledge>{"query": "x"}`, ''],
  ['writes calls to the end', `[TOOL_CALLS] [${CALL}]`, ''],
  ['writes a call as JSON', CALL, ''],
  ['writes a call as fenced JSON', `\`\`\`json\n${CALL}\n\`\`\``, ''],
  ['writes a call as code', '```tool_code\nprint(search_knowledge(query="x"))\n```', ''],
  ['writes a call as JSON and answers', `${CALL}\n\n${A}`, A],
  ['lists its sources', `${A}\n\nSources:\n[1] Refunds\n[2] Files and sizes, page 3`, A],
  ['lists them under a heading', `${A}\n\n## References\n\n1. Refunds\n- [2]\n`, A],
  ['lists them on the line', `${A}\n\n**Sources:** Refunds`, A],
  ['lists them in Spanish', `Cinco días. [1]\n\nFuentes:\n- Refunds`, 'Cinco días. [1]'],
  ['colours its text', '\u001b[1mFive\u001b[0m days.', 'Five days.'],
  ['turns the direction of writing', '\u202eFive days.', 'Five days.'],
  ['writes paragraphs of HTML', `<p>${A}</p>\n<p>More.</p>`, `${A}\n\nMore.`],
  [
    'writes them with attributes',
    `<div class="answer"><p style="margin: 0">${A}</p></div><h2>More</h2>It.`,
    `${A}\n\nMore\n\nIt.`,
  ],
  [
    'breaks its lines in HTML',
    'One.<br>Two.<br/>Three.<br /><br>Four.',
    'One.\nTwo.\nThree.\n\nFour.',
  ],
  ['lists in HTML', 'Two:<ul><li>one</li><li>two</li></ul>Done.', 'Two:\n\n- one\n- two\n\nDone.'],
  ['stresses in HTML', 'The <b>limit</b> is <strong>five</strong>.', 'The limit is five.'],
  [
    'says first that it is a model',
    `As an AI language model, I have no account of my own, but refunds take five days. [1]`,
    A,
  ],
  [
    'says it in Chinese',
    '作为一个AI语言模型，我没有个人经验，但是退款需要五天。[1]',
    '退款需要五天。[1]',
  ],
  [
    'says it in French',
    'En tant qu’IA, je ne vois rien, mais il faut cinq jours. [1]',
    'Il faut cinq jours. [1]',
  ],
  ['sends half a character', 'Five days.\ud83d', 'Five days.'],
]

const MEANT: [name: string, text: string][] = [
  ['entities in code', 'Write `&amp;` for it, or R&D; and AT&T.'],
  ['brackets of its own', 'Choose [Save as …] or [x, y], [Refunds policy].'],
  ['a word that is explained', 'IA: inteligencia artificial.'],
  ['a mark of a template in code', 'End with `<|im_end|>` or\n```\n</s>\n```\nas you like.'],
  ['a call in code', 'Write `<tool_call>` there.'],
  ['a fence of code first', '```bash\nnpm install\n```\nThen go on.'],
  ['a bare fence of code', '```\nnpm install && npm run dev\n```'],
  ['JSON that was asked for', '```json\n{"name": "Ann", "age": 7}\n```'],
  ['JSON without a fence', '{"name": "Ann", "age": 7}'],
  ['a word with a colon', 'There are two:\n\nUser: who asks.\n\nAgent: who answers.'],
  ['sources of another kind', 'Energy comes from three.\n\nSources:\n- the sun\n- wind\n- water'],
  ['a label inside', 'Press Answer: the call begins.'],
  ['less than and brackets', 'If a <b and c[0] > d, see [1].'],
  ['emoji', 'Done 👋🏽 and 🎉.'],
  ['a list', '- one\n- two\n\n1. three\n2. four'],
  ['Arabic with its marks', 'الحد\u200f 20 \u200eMB.'],
  ['a tag that is spoken of', 'The <br> tag breaks a line, and (<p>) begins a paragraph.'],
  ['a tag in code', 'Write `<p>` and\n```html\n<p>One</p>\n```\nthere.'],
  ['a break in a cell', '| a<br>b | c |\n| d | e |'],
  ['what an assistant is', 'As an AI assistant, Parley answers from documents. But it may err.'],
  ['a sentence that begins alike', 'As an aid, use the guide, but read it.'],
  ['a struck word', 'It was <s>ten</s> five.'],
]

describe('what a model writes and does not mean to say', () => {
  it.each(SAID)('%s', (_name, text, said) => {
    for (const size of [1, 2, 3, 5, 8, 13, text.length])
      expect(say(text, size).trimEnd(), `pieces of ${size}`).toBe(said.trimEnd())
  })

  it.each(MEANT)('keeps %s', (_name, text) => {
    for (const size of [1, 2, 3, 5, 8, 13, text.length])
      expect(say(text, size), `pieces of ${size}`).toBe(text)
  })

  it('says the first words at once, and holds no more than the beginning of a mark', () => {
    const words = new MeantWords(CONTEXT)
    expect(words.push('Five')).toBe('Five')
    expect(words.push(' days [')).toBe(' days ')
    expect(words.push('1] and <')).toBe('[1] and ')
    expect(words.push(' ten')).toBe('< ten')
  })

  it('knows that the answer is over, and says nothing more', () => {
    const words = new MeantWords(CONTEXT)
    expect(words.push(`${A}<|im_end|>`)).toBe(A)
    expect(words.over).toBe(true)
    expect(words.push('More.') + words.end()).toBe('')
  })

  it('reads a long text of marks that never end in time that grows with its length', () => {
    const words = new MeantWords(CONTEXT)
    const text = `Well. ${'`<[\n'.repeat(20_000)}`
    expect(words.push(text).length + words.end().length).toBe(text.length)
  })

  it('says what comes after a text of which nothing was meant', () => {
    const words = new MeantWords(CONTEXT)
    expect(words.push(CALL) + words.end()).toBe('')
    expect(words.push(`Answer: ${A}`) + words.end()).toBe(A)
  })
})
