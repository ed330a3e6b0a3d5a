import { parseAst } from 'vitest/node'

/** What `parseAst` gives, as far as it is looked at. */
interface Node {
  type: string
  start: number
  end: number
}
interface Loop extends Node {
  right?: Node
  test?: Node | null
  body: Node
}
interface Call extends Node {
  callee: Node & { object?: Node; property?: Node & { name?: string } }
  arguments: Node[]
}

/** What runs in a browser's page knows nothing of the counting. */
const IN_PAGE = /^(?:evaluate|evaluateAll|evaluateHandle|waitForFunction|addInitScript|\$\$?eval)$/
const LOOPS = new Set(['ForOfStatement', 'ForInStatement', 'ForStatement', 'WhileStatement'])
/** A loop that checks nothing, which collects or clears up, may run over nothing. */
const CHECKS = /\b(?:expect|check|assert|it|test)\w*(?:\.\w+)*\(/
/** Calls that go over a list, and what in them makes them a check. What `every` says of nothing is true. */
const CALLS = new Map<string, RegExp>([
  ['each', CHECKS],
  ['forEach', CHECKS],
  ['map', /\bexpect\w*\(/],
  ['flatMap', /\bexpect\w*\(/],
  ['every', /^/],
])

/**
 * A test file in which every loop that checks something tells when it is reached and when it runs: `loopReached(site, x)`
 * gives x back, `loopRan(site)` stands in the body. What was reached and never ran is reported by watch-loops.ts. Lines
 * stay where they are.
 */
export function countLoops(code: string): string {
  const inserts: { at: number; text: string }[] = []
  const wrap = (node: Node, before: string, after: string) =>
    inserts.push({ at: node.start, text: before }, { at: node.end, text: after })

  for (const node of walk(parseAst(code, { lang: 'ts' }) as unknown as Node)) {
    const site = code.slice(0, node.start).split('\n').length
    if (LOOPS.has(node.type)) {
      const { right, test, body } = node as Loop
      const source = right ?? test
      if (!source || !CHECKS.test(code.slice(body.start, body.end))) continue
      wrap(source, `loopReached(${site}, `, ')')
      if (body.type === 'BlockStatement')
        inserts.push({ at: body.start + 1, text: ` loopRan(${site});` })
      else wrap(body, `{ loopRan(${site}); `, ' }')
    } else if (node.type === 'CallExpression') {
      const { callee, arguments: given } = node as Call
      const name = callee.property?.name ?? ''
      const list = name === 'each' ? given[0] : callee.object
      const checks = code.slice(name === 'each' ? node.start : callee.end, node.end)
      const isLoop = CALLS.get(name)?.test(checks)
      if (!isLoop || !list) continue
      wrap(list, `loopReached(${site}, `, ', true)')
    }
  }
  let text = code
  // From the end, so that places stay valid; at one place the later insert is the inner one.
  for (const { at, text: part } of inserts.toSorted((a, b) => b.at - a.at))
    text = text.slice(0, at) + part + text.slice(at)
  return text
}

function* walk(node: Node): Generator<Node> {
  if (node.type === 'CallExpression' && IN_PAGE.test((node as Call).callee.property?.name ?? ''))
    return
  yield node
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value])
      if (typeof child === 'object' && child !== null && 'type' in child) yield* walk(child)
  }
}

/** For vitest's configuration. */
export const countingLoops = {
  name: 'count-loops',
  enforce: 'pre' as const,
  transform: (code: string, id: string) =>
    /\/test\/.*\.test\.ts$/.test(id.split('?')[0] ?? '')
      ? { code: countLoops(code), map: null }
      : null,
}
