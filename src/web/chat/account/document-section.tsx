import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { AccountRefused, type SpaceDocument } from './account-api'
import { Confirm, problemWord, Said, Section, useAccount, useTask } from './parts'
import type { AccountKey } from './words'

const STATES: Record<SpaceDocument['status'], AccountKey> = {
  queued: 'docQueued',
  parsing: 'docReading',
  embedding: 'docReading',
  ready: 'docReady',
  failed: 'docFailed',
}
const REFUSALS: Record<number, AccountKey> = {
  409: 'docTooMany',
  413: 'docTooLarge',
  415: 'docUnknown',
  422: 'docUnknown',
}
const LOOK_MS = 2000

interface Page {
  items: SpaceDocument[]
  next_cursor: string | null
}

/** What the person gave a space to answer from: added, watched until it is read, and deleted. */
export function DocumentSection({ space }: { space: string }) {
  const { api, w, reload } = useAccount()
  const task = useTask()
  const id = useId()
  const picker = useRef<HTMLInputElement>(null)
  const [items, setItems] = useState<readonly SpaceDocument[] | null>(null)
  const [next, setNext] = useState<string | null>(null)
  const [asked, setAsked] = useState<string | null>(null)
  const path = `/me/spaces/${space}/documents`

  const load = async (cursor: string | null) => {
    const query = cursor === null ? '' : `?cursor=${encodeURIComponent(cursor)}`
    const page = await api.call<Page>('GET', path + query)
    setItems((shown) => [...(cursor === null ? [] : (shown ?? [])), ...page.items])
    setNext(page.next_cursor)
    return null
  }
  useEffect(() => {
    void task.run(() => load(null))
  }, [api])
  const isBusy = items?.some(({ status }) => status !== 'ready' && status !== 'failed') === true
  useEffect(() => {
    if (!isBusy) return
    const look = setInterval(() => void load(null).catch(() => {}), LOOK_MS)
    return () => clearInterval(look)
  }, [isBusy, api])

  const add = (file: File) =>
    task.run(async () => {
      try {
        await api.upload(path, file)
      } catch (error) {
        const known = error instanceof AccountRefused ? REFUSALS[error.status] : undefined
        return { bad: known ?? problemWord(error) }
      } finally {
        if (picker.current) picker.current.value = ''
      }
      await load(null)
      await reload()
      return 'docAdded'
    })
  const remove = (document: string) =>
    task.run(async () => {
      await api.call('DELETE', `${path}/${document}`)
      setAsked(null)
      await load(null)
      await reload()
      return 'done'
    })
  return (
    <Section title={w('spaceDocuments')}>
      <p class="small muted">{w('docHint')}</p>
      {items?.length === 0 && <p class="muted">{w('noDocuments')}</p>}
      <ul class="items">
        {items?.map((document) => (
          <li key={document.id} class="item">
            <div class="item-head">
              <p>
                <strong dir="auto">{document.name}</strong>
                <span class="small muted block">
                  {w(STATES[document.status])}
                  {document.error !== null && (
                    <>
                      {' · '}
                      <bdi>{document.error}</bdi>
                    </>
                  )}
                </span>
              </p>
              <fieldset class="row">
                <legend class="sr">{document.name}</legend>
                <button
                  type="button"
                  class="link-button"
                  aria-expanded={asked === document.id}
                  onClick={() => setAsked(asked === document.id ? null : document.id)}
                >
                  {w('remove')}
                </button>
              </fieldset>
            </div>
            {asked === document.id && (
              <Confirm
                text={w('docRemove', { name: document.name })}
                action={w('remove')}
                busy={task.busy}
                onCancel={() => setAsked(null)}
                onConfirm={() => void remove(document.id)}
              />
            )}
          </li>
        ))}
      </ul>
      {next !== null && (
        <button type="button" class="button" onClick={() => void task.run(() => load(next))}>
          {w('more')}
        </button>
      )}
      <div class="field">
        <label for={id}>{w('docAdd')}</label>
        <input
          id={id}
          ref={picker}
          type="file"
          disabled={task.busy}
          onChange={(event) => {
            const [file] = event.currentTarget.files ?? []
            if (file) void add(file)
          }}
        />
      </div>
      <Said task={task} />
    </Section>
  )
}
