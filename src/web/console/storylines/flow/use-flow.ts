import { useEffect, useRef, useState } from 'preact/hooks'
import { type ApiProblem, useApi } from '../../api/call'
import { useToast } from '../../parts'
import { to, useGuard } from '../../router'
import { say } from '../../said/say'
import { asProblem } from '../../use-load'
import { useFormat } from '../../words'
import { changesOf, type Draft, draftOf } from '../model/draft'
import { begin, edited, redone, undone } from '../model/history'
import type { Finding, Graph, Storyline } from '../types'

/** A storyline that is being edited: kept as one value with a history, and stored a second after each change. */
export interface Flow {
  draft: Draft
  saved: Storyline
  /** @param mark joins edits of one field that follow each other closely into one step of undo. */
  edit: (mark: string | null, change: (draft: Draft) => Draft) => void
  editGraph: (mark: string | null, change: (graph: Graph) => Graph) => void
  undo: () => void
  redo: () => void
  canUndo: boolean
  canRedo: boolean
  dirty: boolean
  saving: boolean
  savedAt: number | null
  problem: ApiProblem | null
  /** What somebody else stored meanwhile. */
  conflict: Storyline | null
  takeTheirs: () => void
  keepMine: () => void
  findings: readonly Finding[] | null
  /** Stores what is not stored yet. Resolves to whether all of it is. */
  flush: () => Promise<boolean>
  /** After publishing: the storyline as the API told it. */
  arrived: (storyline: Storyline) => void
}

const AUTOSAVE_MS = 1000

export function useFlow(first: Storyline): Flow {
  const api = useApi()
  const path = to`/v1/storylines/${first.id}`
  const [history, setHistory] = useState(() => begin(draftOf(first)))
  const [saved, setSaved] = useState(first)
  const [stored, setStored] = useState(history.present)
  const [saving, setSaving] = useState(false)
  const [savedAt, setSavedAt] = useState<number | null>(null)
  const [problem, setProblem] = useState<ApiProblem | null>(null)
  const [conflict, setConflict] = useState<Storyline | null>(null)
  const [findings, setFindings] = useState<readonly Finding[] | null>(null)
  const draft = history.present
  const dirty = draft !== stored && Object.keys(changesOf(stored, draft)).length > 0
  // What can be stored is stored on leaving; only what cannot be holds somebody back.
  useGuard(dirty, problem !== null || conflict !== null)
  useEffect(() => {
    if (!dirty) return undefined
    const onClose = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', onClose)
    return () => removeEventListener('beforeunload', onClose)
  }, [dirty])

  // A save begins with what is there when it begins, not with what was there when it was planned.
  const live = useRef({ draft, stored, saved, conflict, problem })
  live.current = { draft, stored, saved, conflict, problem }
  const running = useRef<Promise<boolean> | null>(null)
  const checked = useRef(0)
  const left = useRef(false)
  const toast = useToast()
  const { lang } = useFormat()
  const inWords = async (text: string) => (await say(lang, text)) ?? text

  const check = async () => {
    const round = ++checked.current
    const answer = await api.post<{ errors: Finding[] }>(`${path}/validate`).catch(() => null)
    if (answer === null) return
    const found = await Promise.all(
      answer.errors.map(async (one) => ({ ...one, message: await inWords(one.message) })),
    )
    if (round === checked.current) setFindings(found)
  }

  const take = (storyline: Storyline, as: Draft) => {
    live.current = { ...live.current, saved: storyline, stored: as, conflict: null }
    setSaved(storyline)
    setStored(as)
    setConflict(null)
  }

  const store = async (): Promise<boolean> => {
    const { draft: sent, stored: before, saved: base } = live.current
    const changes = changesOf(before, sent)
    if (Object.keys(changes).length === 0) return true
    setSaving(true)
    setProblem(null)
    try {
      const { agent_name, key } = sent
      const body = { agent_name, key, ...changes, expected_version: base.version }
      take(await api.put<Storyline>(path, body), sent)
      setSavedAt(Date.now())
      if (!left.current) void check()
      return true
    } catch (error) {
      const refused = asProblem(error)
      if (left.current) toast(refused.detail)
      if (refused.code !== 'stale_version') setProblem(refused)
      else
        await api
          .get<Storyline>(path)
          .then(setConflict, (failed: unknown) => setProblem(asProblem(failed)))
      return false
    } finally {
      setSaving(false)
    }
  }

  const flush = async (): Promise<boolean> => {
    while (running.current) await running.current
    if (live.current.conflict !== null) return false
    running.current = store()
    const done = await running.current
    running.current = null
    return done
  }

  // What could not be stored is tried again with the next change, not by itself.
  useEffect(() => {
    if (!dirty || conflict !== null) return undefined
    const timer = setTimeout(() => void flush(), AUTOSAVE_MS)
    return () => clearTimeout(timer)
  }, [draft, stored, conflict])
  useEffect(() => {
    void check()
    return () => {
      left.current = true
      // What was refused was asked about before leaving.
      if (live.current.problem === null) void flush()
    }
  }, [])

  const edit: Flow['edit'] = (mark, change) =>
    setHistory((was) => edited(was, change(was.present), mark, Date.now()))
  return {
    draft,
    saved,
    edit,
    editGraph: (mark, change) =>
      edit(mark, (one) => {
        const graph = change(one.graph)
        return graph === one.graph ? one : { ...one, graph }
      }),
    undo: () => setHistory(undone),
    redo: () => setHistory(redone),
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    dirty,
    saving,
    savedAt,
    problem,
    conflict,
    takeTheirs: () => {
      if (!conflict) return
      const theirs = draftOf(conflict)
      take(conflict, theirs)
      setHistory((was) => edited(was, theirs, null, Date.now()))
      void check()
    },
    keepMine: () => {
      if (!conflict) return
      // An agent that got another name meanwhile is the same one.
      const isSameAgent = draft.agent_name === stored.agent_name
      const mine = isSameAgent ? { ...draft, agent_name: conflict.agent_name } : draft
      take(conflict, draftOf(conflict))
      live.current.draft = mine
      setHistory((was) => edited(was, mine, null, Date.now()))
      void flush()
    },
    findings,
    flush,
    arrived: (storyline) => take(storyline, live.current.stored),
  }
}
