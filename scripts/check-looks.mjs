// A look at a page in a browser waits for what must be seen: scripts, sources and stored chats come when they come. So no
// `expect` of test/system takes the page as it happens to be; `expect.poll(() => look)` or `locator.waitFor()` does it.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseAst } from 'vitest/node'

const LOOKS =
  /^(?:count|all(?:TextContents|InnerTexts)|textContent|innerText|innerHTML|inputValue|getAttribute|is(?:Visible|Hidden|Enabled|Disabled|Checked|Editable)|boundingBox|title|url)$/
/** Run in the page; with an async function they wait there. */
const IN_PAGE = /^(?:evaluate|evaluateAll)$/
/** What calls a function until it gives what it must. */
const WAITS = /^(?:poll|waitFor)$/

/**
 * @param {string} code of a test file
 * @param {string[]} [looking] functions of the files beside it that look
 * @returns {{ line: number, text: string }[]} what does not wait.
 */
export function hastyLooks(code, looking = []) {
  const program = parseAst(code, { lang: 'ts' })
  const imported = program.body
    .filter(({ type, source }) => type === 'ImportDeclaration' && source.value.startsWith('./'))
    .flatMap(({ specifiers }) => specifiers.map(({ local }) => local.name))
  const helpers = new Set([
    ...looking.filter((name) => imported.includes(name)),
    ...lookingFunctions(code),
  ])
  const taken = new Set()
  const hasty = []
  const report = ({ start }) => {
    const line = code.slice(0, start).split('\n').length
    hasty.push({ line, text: code.split('\n')[line - 1].trim() })
  }
  for (const node of walk(program)) {
    if (nameOfCall(node) === 'waitForTimeout') report(node)
    if (node.type === 'VariableDeclarator' && node.init?.type === 'AwaitExpression') {
      const { argument } = node.init
      if (isLook(argument)) for (const name of namesIn(node.id)) taken.add(name)
    }
  }
  for (const node of walk(program)) {
    if (node.type !== 'CallExpression' || node.callee.name !== 'expect') continue
    const looks = [...walk({ type: 'Arguments', list: node.arguments })].some(
      (inner) =>
        isLook(inner) ||
        (inner.type === 'CallExpression' && helpers.has(inner.callee.name)) ||
        (inner.type === 'Identifier' && taken.has(inner.name)),
    )
    if (looks) report(node)
  }
  return hasty
}

/** Names of the functions of a file that give back what a page shows now. */
export function lookingFunctions(code) {
  const found = []
  for (const node of walk(parseAst(code, { lang: 'ts' }))) {
    const isArrow =
      node.type === 'VariableDeclarator' && node.init?.type === 'ArrowFunctionExpression'
    const body = isArrow ? node.init.body : node.type === 'FunctionDeclaration' && node.body
    if (body && [...walk(body)].some(isLook)) found.push(node.id.name)
  }
  return found
}

function isLook(node) {
  const name = nameOfCall(node)
  if (name === undefined) return false
  return LOOKS.test(name) || (IN_PAGE.test(name) && !node.arguments[0]?.async)
}

const nameOfCall = (node) =>
  node.type === 'CallExpression' ? node.callee.property?.name : undefined

const namesIn = (pattern) =>
  pattern.type === 'Identifier'
    ? [pattern.name]
    : (pattern.properties ?? []).map(({ value }) => value?.name)

/** All nodes but those of functions that run in the page, or that are called until they give what they must. */
function* walk(node) {
  yield node
  const name = nameOfCall(node) ?? node.callee?.name ?? ''
  const isApart = node.type === 'CallExpression' && (IN_PAGE.test(name) || WAITS.test(name))
  for (const [key, value] of Object.entries(node)) {
    if (isApart && key === 'arguments') continue
    for (const child of Array.isArray(value) ? value : [value])
      if (typeof child === 'object' && child !== null && 'type' in child) yield* walk(child)
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = join(import.meta.dirname, '..')
  const read = (file) => readFileSync(join(root, file), 'utf8')
  const files = globSync('test/system/*.ts', { cwd: root })
  const looking = files
    .filter((file) => !file.endsWith('.test.ts'))
    .flatMap((file) => lookingFunctions(read(file)))
  const found = files.flatMap((file) =>
    hastyLooks(read(file), looking).map(
      ({ line, text }) => `${file}:${line} does not wait for what it looks at: ${text}`,
    ),
  )
  for (const line of found) console.error(line)
  if (found.length > 0) process.exit(1)
}
