import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { ApiProblem } from '../api/problem'
import { useShell } from '../words'
import { changedElsewhere, pick } from './changed-elsewhere'
import type { DiffProps } from './diff'
import { Conflict, type Editor, useEditor } from './editor'

interface Store<T> extends Pick<DiffProps, 'labelOf'> {
  /** As it is stored now. */
  read: () => Promise<T>
  /** Stores what was changed, and says what is stored then. */
  write: (changed: Partial<T>, draft: T) => Promise<T>
}

/**
 * An editor of what others change too. What somebody else has changed meanwhile in the same fields is shown before it is
 * saved; `conflict` stands above the bar.
 */
export function useSharedEditor<T extends object>(
  loaded: T,
  { read, write, labelOf }: Store<T>,
): { editor: Editor<T>; conflict: ComponentChildren } {
  const t = useShell()
  const known = useRef(loaded)
  const [clash, setClash] = useState<{ keys: (keyof T)[]; theirs: T } | null>(null)
  const question = useRef<HTMLDivElement>(null)
  const editor = useEditor<T>(loaded, async (draft, changed) => {
    const now = await read()
    const keys = changedElsewhere(known.current, now, changed)
    if (keys.length > 0) {
      setClash({ keys, theirs: now })
      throw new ApiProblem(409, t('changedMeanwhile'))
    }
    const stored = await write(changed, draft)
    known.current = stored
    setClash(null)
    return stored
  })
  // It stands at the end of a long form, and whoever pressed Save may be anywhere in it.
  useLayoutEffect(() => {
    question.current?.focus({ preventScroll: true })
    question.current?.scrollIntoView()
  }, [clash, editor.problem])
  const decide = (theirs: T, next: T) => {
    known.current = theirs
    setClash(null)
    // What was said of the last try is over with it.
    editor.discard()
    editor.replace(next)
  }
  const conflict = clash && (
    <div ref={question} tabIndex={-1}>
      <Conflict
        mine={pick(editor.draft, clash.keys)}
        theirs={pick(clash.theirs, clash.keys)}
        labelOf={labelOf}
        onTakeTheirs={() =>
          decide(clash.theirs, { ...editor.draft, ...pick(clash.theirs, clash.keys) })
        }
        onKeepMine={() => {
          decide(clash.theirs, editor.draft)
          void editor.save()
        }}
      />
    </div>
  )
  return { editor, conflict }
}
