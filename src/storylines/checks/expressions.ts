import { celTypeOf } from '../conditions'
import type { StoryNode } from '../graph'
import type { At, Examined, Path } from './findings'
import { knownSlot } from './node-slots'

export function checkNodeExpressions(
  examined: Examined,
  key: string,
  node: StoryNode,
  path: Path,
): void {
  const at = { node: key }
  checkAssignments(examined, node.set, [...path, 'set'], at)
  checkAssignments(examined, node.save, [...path, 'save'], at)
  for (const [name, source] of Object.entries(node.args ?? {})) {
    checkExpression(examined, source, [...path, 'args', name], at)
  }
  if (node.until === undefined) return
  const type = checkExpression(examined, node.until, [...path, 'until'], at)
  if (type !== null && !['google.protobuf.Timestamp', 'dyn'].includes(type)) {
    const message = `until is a timestamp; this is ${type}`
    examined.add('condition_type', [...path, 'until'], message, at)
  }
}

export function checkAssignments(
  examined: Examined,
  assignments: Readonly<Record<string, string>> | undefined,
  path: Path,
  at: At,
): void {
  for (const [slot, source] of Object.entries(assignments ?? {})) {
    const found = knownSlot(examined, slot, [...path, slot], at.node)
    const type = checkExpression(examined, source, [...path, slot], at)
    if (!found || type === null || fits(type, celTypeOf(found))) continue
    const message = `${slot} takes ${celTypeOf(found)}; this is ${type}`
    examined.add('set_type', [...path, slot], message, at)
  }
}

/** @returns the type of the expression, or null when it was reported. */
export function checkExpression(
  examined: Examined,
  source: string,
  path: Path,
  at: At,
  condition = false,
): string | null {
  const compiled = condition
    ? examined.conditions.compileCondition(source)
    : examined.conditions.compile(source)
  if (compiled.ok) return compiled.expression.type
  examined.add(compiled.code, path, compiled.message, at)
  return null
}

/** Whether a slot takes a value of the type; what only shows when it runs is checked then. */
function fits(type: string, slotType: string): boolean {
  if (type === slotType || type === 'dyn') return true
  if (slotType === 'double') return type === 'int'
  if (slotType === 'list<string>') return type.startsWith('list')
  return slotType === 'string' && type === 'google.protobuf.Timestamp'
}
