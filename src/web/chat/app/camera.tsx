import { useRef, useState } from 'preact/hooks'
import { useLateWords } from './words'

/** A phone's own camera, beside its pictures. */
export function Camera(props: { accept: string; onFiles: (files: File[]) => void }) {
  const words = useLateWords()
  const input = useRef<HTMLInputElement>(null)
  const [isPhone] = useState(() => matchMedia('(hover: none) and (pointer: coarse)').matches)
  if (!isPhone || words === null) return null
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        accept={props.accept}
        capture="environment"
        onChange={(event) => {
          props.onFiles([...(event.currentTarget.files ?? [])])
          event.currentTarget.value = ''
        }}
      />
      <button
        type="button"
        class="icon-button"
        aria-label={words('camera')}
        title={words('camera')}
        onClick={() => input.current?.click()}
      >
        <svg class="icon" viewBox="0 0 20 20" aria-hidden="true" focusable="false">
          <path d="M4.5 6h2.2l1.2-2h4.2l1.2 2h2.2A1.5 1.5 0 0 1 17 7.5v7a1.5 1.5 0 0 1-1.5 1.5h-11A1.5 1.5 0 0 1 3 14.5v-7A1.5 1.5 0 0 1 4.5 6zM12.8 10.8a2.8 2.8 0 1 1-5.6 0 2.8 2.8 0 0 1 5.6 0z" />
        </svg>
      </button>
    </>
  )
}
