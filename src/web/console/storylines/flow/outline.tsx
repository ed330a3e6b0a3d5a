import { useEffect, useRef, useState } from 'preact/hooks'
import { Icon } from '../../parts'
import { ownerRow, type Row, rowId, rowsOf, selectionOf } from '../model/outline'
import { exitPath, findingsAt, isSame, nodePath } from '../model/problems'
import { useEditing } from './context'
import { useExitText } from './exit-rows'
import { TYPE_WORDS } from './node-inspector'
import type { Commands } from './use-commands'
import { useFlowWords } from './words'

/** The storyline as a tree: nodes, and below each its exits in the order in which they are tried. All of it by keyboard. */
export function Outline({ commands }: { commands: Commands }) {
  const t = useFlowWords()
  const { flow, selection, select, look } = useEditing()
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const tree = useRef<HTMLDivElement>(null)
  const rows = rowsOf(flow.draft.graph, closed)
  const selected = selection === null ? -1 : rows.findIndex((row) => row.id === rowId(selection))
  const current = selected === -1 ? 0 : selected
  const hadFocus = useRef(false)

  // What is selected by a key keeps the focus, also after it moved or was taken away.
  useEffect(() => {
    if (!hadFocus.current) return
    hadFocus.current = false
    tree.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus()
  })

  const open = (id: string, isOpen: boolean) => {
    const next = new Set(closed)
    if (isOpen) next.delete(id)
    else next.add(id)
    setClosed(next)
  }
  const go = (row: Row | undefined) => {
    if (!row) return
    hadFocus.current = true
    select(selectionOf(row))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const row = rows[current]
    if (!row) return
    const forward =
      getComputedStyle(event.currentTarget as Element).direction === 'rtl'
        ? 'ArrowLeft'
        : 'ArrowRight'
    const backward = forward === 'ArrowRight' ? 'ArrowLeft' : 'ArrowRight'
    const alone = !event.altKey && !event.ctrlKey && !event.metaKey
    const act = actOf()
    if (!act) return
    event.preventDefault()
    hadFocus.current = true
    act()

    function actOf(): (() => void) | null {
      const { key } = event
      if (event.altKey && key === 'ArrowUp') return () => commands.move(-1)
      if (event.altKey && key === 'ArrowDown') return () => commands.move(1)
      if (!alone) return null
      if (key === 'ArrowDown') return () => go(rows[current + 1])
      if (key === 'ArrowUp') return () => go(rows[current - 1])
      if (key === 'Home') return () => go(rows[0])
      if (key === 'End') return () => go(rows.at(-1))
      if (key === forward)
        return row && row.kind !== 'exit' && !row.open
          ? () => open(row.id, true)
          : () => go(rows[current + 1])
      if (key === backward)
        return row && row.kind !== 'exit' && row.open
          ? () => open(row.id, false)
          : () => row && go(rows.find((one) => one.id === ownerRow(row)))
      if (key === 'Delete' || key === 'Backspace') return commands.remove
      if (key === 'c' && commands.canConnect)
        return () => {
          hadFocus.current = false
          commands.setConnecting(true)
        }
      if (key === 'Enter' || key === ' ')
        return () => {
          hadFocus.current = false
          if (row) select(selectionOf(row))
          requestAnimationFrame(() =>
            document
              .querySelector<HTMLElement>('.inspector :is(input, select, textarea, button)')
              ?.focus(),
          )
        }
      return null
    }
  }
  return (
    <div
      ref={tree}
      class="outline"
      role="tree"
      aria-label={t('outline')}
      tabIndex={-1}
      onKeyDown={onKeyDown}
    >
      {rows.map((row, at) => (
        <OutlineRow
          key={row.id}
          row={row}
          isCurrent={at === current}
          isSelected={isSame(selection, selectionOf(row))}
          onSelect={() => go(row)}
          onFocus={() => at !== current && look(selectionOf(row))}
          onToggle={() => row.kind !== 'exit' && open(row.id, !row.open)}
        />
      ))}
    </div>
  )
}

interface RowProps {
  row: Row
  isCurrent: boolean
  isSelected: boolean
  onSelect: () => void
  onFocus: () => void
  onToggle: () => void
}

function OutlineRow({ row, isCurrent, isSelected, onSelect, onFocus, onToggle }: RowProps) {
  const tree = {
    role: 'treeitem' as const,
    'aria-level': row.level,
    'aria-selected': isSelected,
    'aria-expanded': row.kind !== 'exit' && row.count > 0 ? row.open : undefined,
    tabIndex: isCurrent ? 0 : -1,
    class: `outline-row ${row.kind}`,
    onClick: onSelect,
    onFocus,
  }
  return (
    // The tree itself takes the keys.
    <div {...tree}>
      {row.kind !== 'exit' && row.count > 0 && (
        <span
          class={row.open ? 'toggle open' : 'toggle'}
          aria-hidden="true"
          onClick={(event) => {
            event.stopPropagation()
            onToggle()
          }}
        >
          <Icon name="next" />
        </span>
      )}
      <RowText row={row} />
    </div>
  )
}

function RowText({ row }: { row: Row }) {
  const t = useFlowWords()
  const { flow, funnel } = useEditing()
  const textOf = useExitText()
  const { graph } = flow.draft
  if (row.kind === 'everywhere')
    return (
      <span class="outline-text">
        <strong>{t('everywhere')}</strong>
      </span>
    )
  if (row.kind === 'exit') {
    const { exit, owner, index } = row
    return (
      <span class="outline-text">
        <span class="arrow" aria-hidden="true">
          <Icon name="next" />
        </span>
        <span class="target" dir="auto">
          {graph.nodes[exit.to]?.title ?? exit.to}
        </span>
        <span class="muted small ellipsis" dir="auto">
          {textOf(exit)}
        </span>
        <Marks path={exitPath(owner, index)} />
      </span>
    )
  }
  const { key, node } = row
  const count = funnel?.[key]?.active
  return (
    <span class="outline-text">
      <strong dir="auto">{node.title ?? key}</strong>
      <span class="muted small">{t(TYPE_WORDS[node.type] ?? 'typeBranch')}</span>
      {graph.start === key && <span class="story-tag">{t('start')}</span>}
      {node.milestone && <span class="story-tag">{t('milestone')}</span>}
      {count ? <span class="muted small">{t('peopleHere', { n: count })}</span> : null}
      <Marks path={nodePath(key)} />
    </span>
  )
}

function Marks({ path }: { path: string }) {
  const t = useFlowWords()
  const { flow } = useEditing()
  const found = findingsAt(flow.findings ?? [], path)
  if (found.length === 0) return null
  const isError = found.some((one) => one.severity === 'error')
  return (
    <span class={isError ? 'story-mark bad' : 'story-mark warn'}>
      <Icon name="warn" />
      <span class="sr">{t('problemsHere', { n: found.length })}</span>
    </span>
  )
}
