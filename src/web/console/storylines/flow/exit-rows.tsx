import { IconButton } from '../../parts'
import { useShell } from '../../words'
import { connect, exitsOf, moveExit, type Owner, removeExit } from '../model/edits'
import { LIMITS } from '../model/node-rules'
import { exitPath } from '../model/problems'
import type { Exit } from '../types'
import { At } from './at'
import { useEditing } from './context'
import { PickField } from './pick-field'
import { type FlowKey, useFlowWords } from './words'

export const EVENT_WORDS: Record<NonNullable<Exit['on']>, FlowKey> = {
  done: 'onDone',
  failed: 'onFailed',
  limit: 'onLimit',
  error: 'onError',
  due: 'onDue',
  reply: 'onReply',
}

/** Isolates of Unicode (UAX 9): an expression is read from left to right on every page, a statement in its own direction. */
const LTR = '\u2066'
const OWN = '\u2068'
const END = '\u2069'

/** What an exit waits for, in a line. */
export function useExitText(): (exit: Exit) => string {
  const t = useFlowWords()
  return ({ on, when, judge }) =>
    [
      on ? t(EVENT_WORDS[on]) : null,
      when && `${LTR}${when}${END}`,
      judge ? `${t('judged')}: ${OWN}${judge}${END}` : null,
    ]
      .filter(Boolean)
      .join(' · ') || t('always')
}

/** The exits of a node in the order in which they are tried, and a way to add one by picking where it leads. */
export function ExitRows({ owner }: { owner: Owner }) {
  const t = useFlowWords()
  const shell = useShell()
  const { flow, select } = useEditing()
  const textOf = useExitText()
  const { graph } = flow.draft
  const exits = exitsOf(graph, owner)
  const titleOf = (key: string) => graph.nodes[key]?.title ?? key
  const most = owner === null ? LIMITS.globalExits : LIMITS.exits
  return (
    <fieldset class="field-rows">
      <legend>{t('exits')}</legend>
      <p class="hint">{t(owner === null ? 'everywhereHint' : 'exitsHint')}</p>
      {exits.map((exit, at) => (
        <At key={exit.id} path={exitPath(owner, at)}>
          <div class="exit-row">
            <button
              type="button"
              class="exit-open"
              onClick={() => select({ kind: 'exit', owner, index: at })}
            >
              <strong dir="auto">{titleOf(exit.to)}</strong>
              <span class="small muted" dir="auto">
                {textOf(exit)}
              </span>
            </button>
            <IconButton
              icon="send"
              label={`${t('moveUp')}: ${exit.id}`}
              disabled={at === 0}
              onClick={() => flow.editGraph(null, (one) => moveExit(one, owner, at, -1))}
            />
            <IconButton
              icon="arrowDown"
              label={`${t('moveDown')}: ${exit.id}`}
              disabled={at === exits.length - 1}
              onClick={() => flow.editGraph(null, (one) => moveExit(one, owner, at, 1))}
            />
            <IconButton
              icon="close"
              label={`${shell('remove')}: ${exit.id}`}
              onClick={() => flow.editGraph(null, (one) => removeExit(one, owner, at))}
            />
          </div>
        </At>
      ))}
      {exits.length < most && (
        <PickField
          label={t('addExitTo')}
          options={[
            ...Object.keys(graph.nodes)
              .filter((key) => key !== owner)
              .map((key) => ({ value: key, label: titleOf(key) })),
            ...(owner === null ? [] : [{ value: owner, label: t('itself') }]),
          ]}
          onPick={(target) => {
            const made = connect(graph, owner, target)
            flow.editGraph(null, () => made.graph)
            select({ kind: 'exit', owner, index: made.index })
          }}
        />
      )}
    </fieldset>
  )
}
