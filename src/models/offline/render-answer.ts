import type { Passage } from '../../knowledge/types'
import type { AskedKind } from '../../language/pack'
import { type AskedClause, CONTENT } from '../../text/asked'
import { formatCitation } from '../../text/citations'
import { holds } from '../../text/hold-term'
import { formsOf } from './answer-forms'
import type { Candidate, Read } from './rank-units'
import type { Unit } from './read-units'

const MAX_SAID = 3
const MAX_ITEMS = 10
const MAX_CODE_LINES = 30
const BEGINS_SMALL = /^\P{L}*\p{Ll}/u
const ENDED = /[.!?…。！？؟]["'”’»)」』]*$/u

export function render(clause: Clause, chosen: readonly Said[], read: readonly Read[]): string {
  const lines: string[] = []
  let told: string | null = null
  const said = withReferent(clause, inOrder(chosen), read)
  for (const { unit, passage } of said) {
    const units = read.find((one) => one.passage === passage)?.units ?? []
    lines.push(renderUnit(clause, unit, passage, units, told))
    told = unit.subject
  }
  // What no sign ends would be read as one sentence with what follows, and so would what begins small with what stands before.
  const isRunning =
    said.every(({ unit }) => ENDED.test(unit.text)) &&
    !said.slice(1).some(({ unit }) => BEGINS_SMALL.test(unit.text))
  return lines.join(isRunning && !lines.some((line) => line.includes('\n')) ? ' ' : '\n\n')
}

type Said = Pick<Candidate, 'unit' | 'passage'>
type Clause = Pick<AskedClause, 'kinds' | 'terms' | 'code'>

/** Below one question the answer comes first ("No, …") and what it is told with behind it, whichever is the likelier. */
function inOrder(chosen: readonly Said[]): readonly Said[] {
  const [first] = chosen
  if (first === undefined || first.unit.questions.length === 0) return chosen
  const isBeside = ({ unit }: Said) =>
    unit.questions === first.unit.questions && unit.kind === 'sentence'
  if (!isBeside(first)) return chosen
  const beside = chosen.filter(isBeside)
  return [
    ...beside.sort((one, other) => one.unit.start - other.unit.start),
    ...chosen.filter((one) => !beside.includes(one)),
  ]
}

/** A name, in languages that tell one by its capital. */
const NAMED = /[\p{L}\p{M},]\s+\p{Lu}\p{Ll}/u

/** "This port was given up.": which one, the sentence before says; so it does who "sees children on Mondays". */
function withReferent(
  { code, kinds }: Clause,
  chosen: readonly Said[],
  read: readonly Read[],
): readonly Said[] {
  const [first] = chosen
  if (first === undefined || first.unit.before === null) return chosen
  const units = read.find((one) => one.passage === first.passage)?.units ?? []
  const unit = units.find(({ next }) => next === first.unit)
  if (unit === undefined) return chosen
  const tellsWho = kinds.has('person') && !NAMED.test(first.unit.text) && NAMED.test(unit.text)
  if (!tellsWho && !formsOf(code).leans.test(first.unit.text)) return chosen
  const others = chosen.filter((one) => one.unit !== unit)
  return [{ unit, passage: first.passage }, ...others].slice(0, MAX_SAID)
}

/** @param told the name under which what stands before was said: it holds for this, too. */
function renderUnit(
  clause: Clause,
  unit: Unit,
  passage: Passage,
  units: readonly Unit[],
  told: string | null,
): string {
  const { kinds } = clause
  const at = units.indexOf(unit)
  if (unit.kind === 'code') {
    const before = units[at - 1]
    const lead =
      before === undefined || before.kind === 'code'
        ? ''
        : `${cite(before.text.replace(/(?<![:：.])[:：.]*$/u, ':'), before.text, passage)}\n\n`
    return lead + fenceCode(unit)
  }
  if (unit.kind === 'item') {
    const asksList =
      (kinds.has('list') && !saysMoreThanLead(clause, unit)) ||
      (kinds.has('how') && /\d/u.test(unit.marker))
    let first = at
    while (units[first - 1]?.kind === 'item') first--
    const items = asksList ? itemsFrom(units, first) : []
    if (items.length < 2) return underSubject(unit, sayItem(unit, passage), told)
    const lead = units[first - 1]
    const head = lead?.kind === 'lead' ? `${cite(lead.text, lead.text, passage)}\n\n` : ''
    return head + items.map((item) => `${item.marker}${sayItem(item, passage)}`).join('\n')
  }
  const said = underSubject(unit, cite(unit.text, unit.text, passage), told)
  if (unit.kind === 'lead') {
    const items = itemsFrom(units, at + 1)
    if (items.length > 0)
      return `${said}\n\n${items.map((item) => `${item.marker}${sayItem(item, passage)}`).join('\n')}`
  }
  const next = units[at + 1]
  const asksFact = [...kinds].some((kind) => FACTS.has(kind))
  // Who asks for no fact may want the command.
  const asksWay = kinds.has('how') || kinds.size === 0
  if (next?.kind === 'code' && (asksWay || unit.kind === 'lead'))
    return `${said}\n\n${fenceCode(next)}`
  // A colon without a list behind it: what follows is what it promises.
  if (unit.kind === 'lead' && (next?.kind === 'sentence' || next?.kind === 'label'))
    return `${said}\n\n${cite(next.text, next.text, passage)}`
  // What is to be done about it follows at once.
  const [, list] = [next, units[at + 2]]
  if (next?.kind === 'lead' && !asksFact && (list?.kind === 'code' || list?.kind === 'item'))
    return `${said}\n\n${renderUnit(clause, next, passage, units, unit.subject)}`
  return said
}

/** A step whose line ends with a colon is said with what stands in the next: the command. */
function sayItem({ bare, next }: Unit, passage: Passage): string {
  const said = cite(bare, bare, passage)
  if (!/[:：]$/u.test(bare)) return said
  if (next?.kind === 'code') return `${said}\n\n${fenceCode(next)}`
  return next?.kind === 'sentence' ? `${said}\n${cite(next.text, next.text, passage)}` : said
}

const FACTS: ReadonlySet<AskedKind> = new Set([
  'definition',
  'number',
  'time',
  'place',
  'person',
  'reason',
])

/** What says nothing without the name that it stands under comes under that name: an option, an entry of a changelog. */
function underSubject({ subject, bare }: Unit, said: string, told: string | null): string {
  // In brackets a number would be a mark.
  const plain = subject?.replaceAll(/[[\]]/gu, '') ?? ''
  return plain === '' || subject === told || bare.includes(plain)
    ? said
    : `#### ${plain}\n\n${said}`
}

/** The item itself is what is asked for, not the list that it stands in. */
function saysMoreThanLead({ terms }: Clause, unit: Unit): boolean {
  const named = terms.filter((term) => term.weight >= CONTENT)
  const inItem = named.filter((term) => holds(term, unit.tokens, unit.mode) > 0).length
  const around = named.filter((term) =>
    unit.context.some((tokens) => holds(term, tokens, unit.mode) > 0),
  ).length
  return inItem > around
}

function itemsFrom(units: readonly Unit[], first: number): Unit[] {
  let last = first
  while (units[last]?.kind === 'item' && last - first < MAX_ITEMS) last++
  return units.slice(first, last)
}

const fenceCode = ({ bare }: Unit): string =>
  `\`\`\`\n${bare.split('\n').slice(0, MAX_CODE_LINES).join('\n')}\n\`\`\``

function cite(said: string, quote: string, passage: Passage): string {
  const plain = said.replaceAll(/\s+/gu, ' ').trim()
  return `${plain} ${formatCitation(passage.n, quote.replaceAll('`', '').replaceAll(/\s+/gu, ' ').trim())}`
}
