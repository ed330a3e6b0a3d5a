import type { RefObject } from 'preact'
import type { CitedSource } from '../../kit/markdown/citations'
import { useModule } from '../app/use-module'
import type { ReplyEntry } from '../model/chat'
import type { PanelTarget } from './context'

export interface ProofProps {
  reply: ReplyEntry
  cited: readonly CitedSource[]
  /** The number of the source that is open, null for none. */
  open: number | null
  /** The newest entry. */
  last: boolean
  onToggle: (label: number) => void
  onSend: (words: string) => void
  root: RefObject<HTMLElement | null>
}

export interface PanelProps {
  target: PanelTarget
  onClose: () => void
}

/** What an answer rests on; its code is fetched with the first answer, and again where there was no connection. */
const useProof = (attempt: unknown) => useModule(() => import('../proof/proof'), attempt)

export function LazyProof(props: ProofProps) {
  const { state, sources } = props.reply
  const module = useProof(state)
  // While text streams there is nothing to prove yet.
  return module && (state === 'done' || sources !== null) ? <module.Proof {...props} /> : null
}

export function LazyPanel(props: PanelProps) {
  const module = useProof(props.target)
  return module && <module.SourcePanel {...props} />
}
