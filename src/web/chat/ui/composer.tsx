import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { isComposing } from '../../kit/composing'
import { Icon } from '../../kit/icons'
import { useLate } from '../app/lazy-app'
import { loadCode } from '../app/load-code'
import { IMAGE_TYPES, MAX_IMAGES } from '../image-types'
import type { OwnImage } from '../model/chat'
import { useApp, useChatState } from './context'
import { useDraft } from './draft'

const MAX_LENGTH = 16_000

/** Where the visitor writes. Enter sends, Shift+Enter breaks the line, never while an input method composes. */
export function Composer() {
  const { boot, agent, chat, locale } = useApp()
  const { t } = locale
  const { turn, entries } = useChatState()
  const [text, write] = useDraft()
  const [images, setImages] = useState<readonly OwnImage[]>([])
  const [notice, setNotice] = useState<string | null>(null)
  const [preparing, setPreparing] = useState(0)
  const late = useLate()
  const input = useRef<HTMLTextAreaElement>(null)
  const picker = useRef<HTMLInputElement>(null)
  const dragging = useDropTarget((files) => void addFiles(files))

  const running = turn !== 'idle'
  const over = text.length - MAX_LENGTH
  const empty = text.trim() === '' && images.length === 0
  const complete = !empty && over <= 0 && preparing === 0

  useLayoutEffect(() => fitHeight(input.current), [text, images])
  useEffect(() => {
    // On a page of another site the frame is told when somebody opens it.
    if (!boot.framed && matchMedia('(hover: hover)').matches) input.current?.focus()
  }, [boot])
  // A pressed chip disappears with its message: the keyboard goes on where the next words are written.
  useEffect(() => {
    const isLost = document.hasFocus() && document.activeElement === document.body
    if (entries.length > 0 && isLost) input.current?.focus()
  }, [entries.length])

  const send = () => {
    // Without a network a reply may stay unfinished for long: what is said meanwhile waits.
    if (!complete || (running && navigator.onLine)) return
    const words = text.trim()
    write('')
    setImages([])
    setNotice(null)
    void chat.send(words, images)
  }

  const addFiles = async (files: readonly File[]) => {
    const room = MAX_IMAGES - images.length - preparing
    const notes = files.length > room ? [t('imagesFull', { n: MAX_IMAGES })] : []
    const added: OwnImage[] = []
    const wanted = files.slice(0, Math.max(0, room))
    // Others may still be on their way, too.
    const count = (more: number) => setPreparing((known) => known + more)
    count(wanted.length)
    const module = await loadCode(() => import('../images')).catch(() => null)
    if (module === null) return count(-wanted.length)
    for (const file of wanted) {
      const image = await module.prepareImage(file, IMAGE_TYPES)
      if (image === 'type') notes.push(t('imageType', { name: file.name }))
      else if (image === 'size') notes.push(t('imageSize', { name: file.name }))
      else added.push(image)
    }
    count(-wanted.length)
    setImages((known) => [...known, ...added].slice(0, MAX_IMAGES))
    setNotice(notes.length === 0 ? null : notes.join(' '))
    input.current?.focus()
  }

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || isComposing(event)) return
    event.preventDefault()
    send()
  }

  const onPaste = (event: ClipboardEvent) => {
    const { files: given = [], types = [] } = event.clipboardData ?? {}
    const files = [...given]
    // Word processors and spreadsheets put a picture of it beside the text.
    const isText = types.includes('text/plain') && types.includes('text/html')
    if (files.length === 0 || isText) return
    event.preventDefault()
    void addFiles(files)
  }

  return (
    <form
      class={dragging ? 'composer is-dropping' : 'composer'}
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      {images.length + preparing > 0 && (
        <ul class="attachments" aria-label={t('attachedImages')}>
          {images.map((image) => (
            <li key={image.preview}>
              <img src={image.preview ?? ''} alt={image.name} />
              <button
                type="button"
                class="remove"
                aria-label={t('removeImage', { name: image.name })}
                onClick={() => {
                  setImages(images.filter((other) => other !== image))
                  input.current?.focus()
                }}
              >
                <Icon name="close" />
              </button>
            </li>
          ))}
          {[...Array(preparing).keys()].map((n) => (
            <li key={n} class="preparing">
              <span class="pulse" />
            </li>
          ))}
        </ul>
      )}
      <textarea
        ref={input}
        rows={1}
        // An empty field would decide for left-to-right and take the placeholder along.
        dir={text === '' ? undefined : 'auto'}
        enterkeyhint="send"
        aria-label={t('messageLabel')}
        placeholder={t('askPlaceholder', { agent: agent.name })}
        value={text}
        aria-invalid={over > 0}
        onInput={(event) => write(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
      />
      <div class="composer-row">
        <input
          ref={picker}
          type="file"
          hidden
          multiple
          accept={IMAGE_TYPES}
          onChange={(event) => {
            void addFiles([...(event.currentTarget.files ?? [])])
            event.currentTarget.value = ''
          }}
        />
        <button
          type="button"
          class="icon-button"
          aria-label={t('addImages')}
          title={t('addImages')}
          onClick={() => picker.current?.click()}
        >
          <Icon name="image" />
        </button>
        {late && <late.Camera accept={IMAGE_TYPES} onFiles={(files) => void addFiles(files)} />}
        {late && boot.features.hears && (
          <late.Voice
            onSend={(audio) => {
              setImages([])
              void chat.send('', images, audio)
            }}
          />
        )}
        <p class="composer-note" role="status">
          {dragging
            ? t('dropImages')
            : preparing > 0
              ? t('preparing')
              : over > 0
                ? t('tooLong', { n: over })
                : notice}
        </p>
        {running ? (
          <button
            type="button"
            class="send is-stop"
            aria-label={t('stop')}
            title={t('stop')}
            aria-disabled={turn === 'stopping'}
            onClick={() => {
              void chat.stop()
              input.current?.focus()
            }}
          >
            <Icon name="stop" />
          </button>
        ) : (
          <button
            type="submit"
            class="send"
            aria-label={t('send')}
            title={t('send')}
            aria-disabled={!complete}
          >
            <Icon name="send" />
          </button>
        )}
      </div>
    </form>
  )
}

/** Grows the field with its text; the style sheet ends the growth at six lines. */
function fitHeight(field: HTMLTextAreaElement | null): void {
  if (!field || CSS.supports('field-sizing', 'content')) return
  field.style.blockSize = 'auto'
  field.style.blockSize = `${field.scrollHeight}px`
}

/** True while files are dragged over the page; dropped ones go to `onFiles`. */
function useDropTarget(onFiles: (files: readonly File[]) => void): boolean {
  const [dragging, setDragging] = useState(false)
  const handler = useRef(onFiles)
  handler.current = onFiles
  useEffect(() => {
    const end = new AbortController()
    const { signal } = end
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true
    addEventListener(
      'dragover',
      (event) => {
        if (!hasFiles(event)) return
        event.preventDefault()
        setDragging(true)
      },
      { signal },
    )
    addEventListener(
      'dragleave',
      (event) => {
        if (event.relatedTarget === null) setDragging(false)
      },
      { signal },
    )
    addEventListener(
      'drop',
      (event) => {
        setDragging(false)
        if (!hasFiles(event)) return
        event.preventDefault()
        handler.current([...(event.dataTransfer?.files ?? [])])
      },
      { signal },
    )
    return () => end.abort()
  }, [])
  return dragging
}
