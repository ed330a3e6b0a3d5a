import { useEffect } from 'preact/hooks'
import type { ProofProps } from '../ui/lazy-proof'
import { showRow } from '../ui/show-row'
import { lightProof } from './light-proof'
import { NoMatch } from './no-match'
import { Sources } from './sources'
import { useProofWords } from './words'

export { SourcePanel } from './source-panel'

/** What stands below a reply's text: what it rests on, or a way on where nothing was found. */
export function Proof({ reply, cited, open, last, onToggle, onSend, root }: ProofProps) {
  const words = useProofWords()
  const { sources } = reply
  useEffect(() => {
    const text = root.current?.querySelector<HTMLElement>('.md')
    return text && sources?.length ? lightProof(text, reply) : undefined
  }, [root, reply, sources])
  // A mark may have opened a source before this came to show it.
  useEffect(() => {
    if (words !== null && open !== null) showRow(root.current, open)
  }, [root, words, open])
  if (words === null) return null
  return (
    <>
      {reply.state === 'done' && reply.finishReason === 'no_match' && (
        <NoMatch {...{ reply, last, onSend, words }} />
      )}
      <Sources {...{ reply, cited, open, onToggle, words }} />
    </>
  )
}
