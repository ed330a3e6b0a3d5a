import { type Exit, type ExitEvent, NODE_RULES, type StoryNode } from '../graph'
import { checkAssignments, checkExpression } from './expressions'
import type { Examined, Path } from './findings'

/** Events that a node of the type must answer; those of `converse` hang on its fields. */
const MUST_HANDLE: Partial<Record<StoryNode['type'], readonly ExitEvent[]>> = {
  tool: ['done', 'error'],
  handoff: ['done', 'error'],
  collect: ['done'],
  wait: ['due'],
}

export function checkNodeExits(examined: Examined, key: string, node: StoryNode, path: Path): void {
  const exits = node.exits ?? []
  if (node.type === 'end') {
    if (exits.length > 0) {
      const message = 'an end node has no exits'
      examined.add('end_has_exits', [...path, 'exits'], message, { node: key })
    }
    return
  }
  if (exits.length === 0) {
    const lastWord = node.type === 'converse'
    const message = lastWord
      ? 'without exits this is a last word: its first reply completes the enrollment'
      : 'nothing leads on from here'
    examined.add('dead_end', path, message, { node: key, warning: lastWord })
    return
  }
  checkExits(examined, exits, [...path, 'exits'], { key, node })
  checkDefaults(examined, key, node, exits, [...path, 'exits'])
}

export function checkExits(
  examined: Examined,
  exits: readonly Exit[],
  path: Path,
  owner: { key: string; node: StoryNode } | null,
): void {
  const ids = new Set<string>()
  let shadowed = false
  for (const [index, exit] of exits.entries()) {
    const at = { ...(owner ? { node: owner.key } : {}), exit: exit.id }
    const here = [...path, index]
    if (ids.has(exit.id)) {
      examined.add('duplicate_exit_id', [...here, 'id'], `${exit.id} stands twice`, at)
    }
    ids.add(exit.id)
    if (!Object.hasOwn(examined.graph.nodes, exit.to)) {
      examined.add('unknown_target', [...here, 'to'], `there is no node ${exit.to}`, at)
    }
    if (shadowed) {
      const message = 'an exit before this one always holds'
      examined.add('exit_shadowed', here, message, at)
    }
    if (isDefault(exit)) {
      if (owner) shadowed = true
      else examined.add('global_exit_unconditional', here, 'needs when or judge', at)
    }
    if (!owner && exit.on !== undefined && exit.when === undefined && exit.judge === undefined) {
      examined.add('global_exit_unconditional', here, 'needs when or judge', at)
    }
    checkExitConditions(examined, exit, here, at, owner)
  }
}

function checkExitConditions(
  examined: Examined,
  exit: Exit,
  path: Path,
  at: { node?: string; exit: string },
  owner: { key: string; node: StoryNode } | null,
): void {
  const rule = owner ? NODE_RULES[owner.node.type] : null
  if (exit.on !== undefined && rule && !rule.events.includes(exit.on)) {
    const message = `a ${owner?.node.type} node has no event ${exit.on}`
    examined.add('event_not_allowed', [...path, 'on'], message, at)
  }
  if (exit.judge !== undefined && rule && !rule.mayJudge) {
    const message = 'only collect and converse nodes and global exits are judged'
    examined.add('judge_not_allowed', [...path, 'judge'], message, at)
  }
  if (exit.when !== undefined) checkExpression(examined, exit.when, [...path, 'when'], at, true)
  checkAssignments(examined, exit.set, [...path, 'set'], at)
  const target = examined.graph.nodes[exit.to]
  if (target?.type === 'tool' && exit.judge !== undefined && exit.when === undefined) {
    const message = 'a verdict alone leads to a tool; add a when for anything that matters'
    examined.add('judge_only_tool', path, message, { ...at, warning: true })
  }
}

function checkDefaults(
  examined: Examined,
  key: string,
  node: StoryNode,
  exits: readonly Exit[],
  path: Path,
): void {
  const hasDefault = exits.some(isDefault)
  const at = { node: key }
  if (node.type === 'converse' && node.max_turns === undefined && !isLeft(examined, key, exits)) {
    const message = 'without max_turns only an exit with when or judge leads on'
    examined.add('event_unhandled', path, message, at)
  }
  const needsDefault = ['message', 'branch'].includes(node.type)
  if (needsDefault && !hasDefault) {
    examined.add('no_default_exit', path, 'the last exit must hold always', at)
  }
  if (hasDefault) return
  const handled = (event: ExitEvent) =>
    exits.some((exit) => exit.on === event && exit.when === undefined && exit.judge === undefined)
  for (const event of MUST_HANDLE[node.type] ?? []) {
    if (handled(event)) continue
    const message = `no exit is sure to hold when ${event} comes`
    examined.add('event_unhandled', path, message, at)
  }
  if (node.type === 'collect' && !handled('failed')) {
    const message = 'nothing is said for when the attempts are used up'
    examined.add('event_unhandled', path, message, { ...at, warning: true })
  }
  if (node.type === 'converse' && node.max_turns !== undefined && !handled('limit')) {
    const message = 'max_turns is set, but no exit is sure to hold at the limit'
    examined.add('event_unhandled', path, message, at)
  }
}

/** Whether a plain turn can lead on from a node: no event comes to a converse node without max_turns. */
const isLeft = ({ graph }: Examined, key: string, own: readonly Exit[]): boolean =>
  [...own, ...(graph.exits ?? []).filter(({ to }) => to !== key)].some(
    ({ on, when, judge }) => on === undefined && (when !== undefined || judge !== undefined),
  )

const isDefault = ({ on, when, judge }: Exit): boolean =>
  on === undefined && when === undefined && judge === undefined
