import type { ReplyEntry } from '../model/chat'
import { useApp } from '../ui/context'
import type { ProofTranslate } from './words'

interface Props {
  reply: ReplyEntry
  /** The newest entry: only it offers something to ask. */
  last: boolean
  onSend: (words: string) => void
  words: ProofTranslate
}

/** A way on from an answer that found nothing: the documents that come closest, another wording, a person. */
export function NoMatch({ reply, last, onSend, words }: Props) {
  const { boot } = useApp()
  const { closest = [] } = reply
  return (
    <div class="no-match">
      <p class="small muted">{words('rephrase')}</p>
      {closest.length > 0 && (
        <>
          <p class="small">{words('closest')}</p>
          <ul class="chips" aria-label={words('closest')}>
            {closest.map(({ documentId, title, heading }) => (
              <li key={documentId}>
                {last ? (
                  <button type="button" class="chip" onClick={() => onSend(heading ?? title)}>
                    <Guide title={title} heading={heading} />
                  </button>
                ) : (
                  <span class="chip">
                    <Guide title={title} heading={heading} />
                  </span>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
      {last && boot.features.handOff && (
        <button type="button" class="button" onClick={() => onSend(words('personWords'))}>
          {words('person')}
        </button>
      )}
    </div>
  )
}

function Guide({ title, heading }: { title: string; heading: string | null }) {
  return (
    <>
      <bdi>{heading ?? title}</bdi>
      {heading !== null && <bdi class="small muted chip-title">{title}</bdi>}
    </>
  )
}
