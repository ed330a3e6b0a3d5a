import { CHUNKING } from '../config/limits'
import { weigh } from './text-weight'
import type { Block, ParsedDocument } from './types'

/** Blocks that belong together: what stands under one heading, or several light neighbours of that kind. */
export interface Section {
  start: number
  end: number
  /** Headings above the text, `A › B`. */
  heading: string | null
  blocks: Block[]
}

interface Draft {
  path: string[]
  blocks: Block[]
  weight: number
  hasBody: boolean
}

const MAX_HEADING = 300

/**
 * Groups a document's blocks by heading. A heading without text of its own joins what follows; sections lighter than `small`
 * join a neighbour under the same parent; a document no heavier than `target` is one section.
 */
export function groupSections(doc: ParsedDocument): Section[] {
  const drafts = collectDrafts(doc)
  const total = drafts.reduce((sum, draft) => sum + draft.weight, 0)
  const groups = total <= CHUNKING.target ? [drafts] : mergeBackward(mergeForward(drafts))
  return groups.map(toSection).filter((section) => section !== null)

  function toSection(group: Draft[]): Section | null {
    const blocks = group.flatMap((draft) => draft.blocks)
    const first = blocks[0]
    const last = blocks.at(-1)
    if (!first || !last) return null
    return { start: first.start, end: last.end, heading: formatPath(findPath(group)), blocks }
  }
}

/** One draft a heading, in reading order; text before the first heading has an empty path. */
function collectDrafts(doc: ParsedDocument): Draft[] {
  const whole: Block = { kind: 'paragraph', start: 0, end: doc.text.length }
  const blocks = doc.blocks.length > 0 || doc.text === '' ? doc.blocks : [whole]
  const drafts: Draft[] = []
  const open: { level: number; title: string }[] = []
  let draft: Draft | null = null
  for (const block of blocks) {
    if (block.kind === 'heading') {
      while ((open.at(-1)?.level ?? 0) >= block.level) open.pop()
      open.push({ level: block.level, title: doc.text.slice(block.start, block.end) })
    }
    if (block.kind === 'heading' || !draft) {
      draft = { path: open.map(({ title }) => title), blocks: [], weight: 0, hasBody: false }
      drafts.push(draft)
    }
    draft.blocks.push(block)
    draft.weight += weigh(doc.text, block.start, block.end)
    draft.hasBody ||= block.kind !== 'heading'
  }
  return drafts
}

function mergeForward(drafts: Draft[]): Draft[][] {
  const groups: Draft[][] = []
  for (const draft of drafts) {
    const group = groups.at(-1)
    if (group && joinsForward(group, draft)) group.push(draft)
    else groups.push([draft])
  }
  return groups
}

function joinsForward(group: Draft[], next: Draft): boolean {
  const weight = weighGroup(group)
  const [first] = group
  if (!first) return false
  // Headings alone are worth nothing: they go with whatever they stand above.
  if (isBare(group)) return weight <= CHUNKING.target
  return weight < CHUNKING.small && areNear(first, next) && weight + next.weight <= CHUNKING.target
}

/** A light group that found nothing after it joins the one before. */
function mergeBackward(groups: Draft[][]): Draft[][] {
  const merged: Draft[][] = []
  for (const group of groups) {
    const previous = merged.at(-1)
    const [first] = group
    const [head] = previous ?? []
    const weight = weighGroup(group)
    const joins =
      previous &&
      first &&
      head &&
      (isBare(group) || (weight < CHUNKING.small && areNear(head, first))) &&
      weighGroup(previous) + weight <= CHUNKING.target
    if (joins) previous.push(...group)
    else merged.push(group)
  }
  return merged
}

function isBare(group: Draft[]): boolean {
  return !group.some((draft) => draft.hasBody)
}

function weighGroup(group: Draft[]): number {
  return group.reduce((sum, draft) => sum + draft.weight, 0)
}

/** Siblings, or the second below the first. */
function areNear(first: Draft, second: Draft): boolean {
  return isWithin(second.path, first.path) || isWithin(second.path, first.path.slice(0, -1))
}

function isWithin(path: readonly string[], parent: readonly string[]): boolean {
  return parent.every((title, i) => path[i] === title)
}

/** The headings all drafts with text have in common, else those of the first one. */
function findPath(group: Draft[]): string[] {
  const paths = group.filter((draft) => draft.hasBody).map((draft) => draft.path)
  const [first = group[0]?.path ?? [], ...rest] = paths
  const common = first.filter((_, i) => rest.every((path) => isWithin(path, first.slice(0, i + 1))))
  return common.length > 0 ? common : first
}

function formatPath(path: readonly string[]): string | null {
  // The nearest headings say most. Each is cut first: one may be a megabyte, over thousands of sections.
  const heading = path.map((title) => title.slice(-MAX_HEADING - 1)).join(' › ')
  return heading.length > MAX_HEADING ? `…${heading.slice(-MAX_HEADING)}` : heading || null
}
