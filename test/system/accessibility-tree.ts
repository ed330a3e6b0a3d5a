import type { Page } from 'playwright-core'

/** What assistive technology is told of an element only where it is so. */
const TOLD = [
  'busy',
  'checked',
  'disabled',
  'expanded',
  'focused',
  'invalid',
  'live',
  'modal',
  'pressed',
  'required',
] as const
/** Nothing that a person is told. */
const SILENT = new Set(['generic', 'none', 'StaticText', 'InlineTextBox', 'paragraph', 'LineBreak'])

interface AXNode {
  nodeId: string
  ignored: boolean
  role?: { value?: unknown }
  name?: { value?: unknown }
  properties?: { name: string; value: { value?: unknown } }[]
  childIds?: string[]
}

/**
 * The page as the browser hands it to a screen reader, one element a line and indented below what holds it:
 * `button "Menu" expanded=false`.
 */
export async function accessibilityTree(page: Page): Promise<string[]> {
  const devtools = await page.context().newCDPSession(page)
  const { nodes } = await devtools.send('Accessibility.getFullAXTree')
  await devtools.detach()
  const byId = new Map((nodes as AXNode[]).map((node) => [node.nodeId, node]))
  const lines: string[] = []
  const walk = (node: AXNode | undefined, depth: number): void => {
    if (!node) return
    const role = String(node.role?.value ?? '')
    const isTold = !node.ignored && !SILENT.has(role)
    if (isTold) lines.push('  '.repeat(depth) + describe(node, role))
    if (role === 'status' || role === 'alert') {
      const said = textOf(node)
      if (said !== '') lines.push(`${'  '.repeat(depth + 1)}says ${JSON.stringify(said)}`)
    }
    for (const id of node.childIds ?? []) walk(byId.get(id), isTold ? depth + 1 : depth)
  }
  const textOf = (node: AXNode | undefined): string => {
    if (node?.role?.value === 'StaticText') return String(node.name?.value ?? '')
    return (node?.childIds ?? []).map((id) => textOf(byId.get(id))).join('')
  }
  walk((nodes as AXNode[])[0], 0)
  return lines
}

function describe({ name, properties = [] }: AXNode, role: string): string {
  const states = properties.flatMap(({ name: state, value: { value } }) => {
    const isSaid = value !== false && value !== 'false' && value !== 'off'
    // Something that could be open or pressed says so also where it is not.
    const isKnown = state === 'expanded' || state === 'pressed' || state === 'checked'
    return TOLD.some((one) => one === state) && (isSaid || isKnown) ? [`${state}=${value}`] : []
  })
  const words = String(name?.value ?? '')
    .replace(/\s+/g, ' ')
    .trim()
  return [role, ...(words === '' ? [] : [`"${words}"`]), ...states.sort()].join(' ')
}
