import { useState } from 'preact/hooks'
import type { Space } from './account-api'
import { Confirm, isUnnamed, Said, Section, TextField, useAccount, useTask } from './parts'

type Action = 'rename' | 'merge' | 'remove'

/** The person's spaces: made, renamed, merged into another and deleted. What loses something asks to type the name. */
export function SpaceSection() {
  const { api, w, spaces, reload } = useAccount()
  const task = useTask()
  const [open, setOpen] = useState<{ id: string; what: Action } | null>(null)
  const [name, setName] = useState('')

  const change = (method: string, path: string, body?: unknown) =>
    task.run(async () => {
      await api.call(method, path, body)
      await reload()
      setOpen(null)
      return 'done'
    })
  return (
    <Section title={w('spaces')}>
      <p class="small muted">{w('spacesHint')}</p>
      <ul class="items">
        {spaces.map((space) => (
          <li key={space.id} class="item">
            <SpaceRow
              space={space}
              what={open?.id === space.id ? open.what : null}
              busy={task.busy}
              onOpen={(what) => setOpen(what === null ? null : { id: space.id, what })}
              onChange={(...call) => void change(...call)}
            />
          </li>
        ))}
      </ul>
      <form
        class="inline-form"
        onSubmit={(event) => {
          event.preventDefault()
          if (name.trim() === '' || task.busy) return
          void change('POST', '/me/spaces', { name: name.trim() }).then(() => setName(''))
        }}
      >
        <TextField label={w('spaceName')} value={name} onInput={setName} />
        <button type="submit" class="button" aria-disabled={name.trim() === '' || task.busy}>
          {w('create')}
        </button>
      </form>
      <Said task={task} />
    </Section>
  )
}

interface RowProps {
  space: Space
  /** What is open below the row. */
  what: Action | null
  busy: boolean
  onOpen: (what: Action | null) => void
  onChange: (method: string, path: string, body?: unknown) => void
}

function SpaceRow({ space, what, busy, onOpen, onChange }: RowProps) {
  const { w, spaces } = useAccount()
  const path = `/me/spaces/${space.id}`
  const others = spaces.filter(({ id }) => id !== space.id)
  const actions: Action[] = space.is_default ? ['rename'] : ['rename', 'merge', 'remove']
  return (
    <>
      <div class="item-head">
        <p>
          <strong dir="auto">{isUnnamed(space) ? w('isDefault') : space.name}</strong>{' '}
          {space.is_default && !isUnnamed(space) && <span class="badge">{w('isDefault')}</span>}
          <span class="small muted block">
            {w('chats', { n: space.session_count })} · {w('documents', { n: space.document_count })}
          </span>
        </p>
        <fieldset class="row">
          <legend class="sr">{isUnnamed(space) ? w('isDefault') : space.name}</legend>
          {actions.map((action) => (
            <button
              key={action}
              type="button"
              class="link-button"
              aria-expanded={what === action}
              onClick={() => onOpen(what === action ? null : action)}
            >
              {w(action)}
            </button>
          ))}
        </fieldset>
      </div>
      {what === 'rename' && (
        <Rename space={space} onSave={(name) => onChange('PATCH', path, { name })} />
      )}
      {what === 'merge' && (
        <Merge
          space={space}
          others={others}
          busy={busy}
          onCancel={() => onOpen(null)}
          onMerge={(target) => onChange('POST', `${path}/merge`, { target_space_id: target })}
        />
      )}
      {what === 'remove' && (
        <Confirm
          text={w('removeHint', { name: space.name })}
          name={space.name}
          action={w('remove')}
          busy={busy}
          onCancel={() => onOpen(null)}
          onConfirm={() => onChange('DELETE', path)}
        />
      )}
    </>
  )
}

function Rename({ space, onSave }: { space: Space; onSave: (name: string) => void }) {
  const { w } = useAccount()
  const [name, setName] = useState(space.name)
  return (
    <form
      class="inline-form"
      onSubmit={(event) => {
        event.preventDefault()
        if (name.trim() !== '') onSave(name.trim())
      }}
    >
      <TextField label={w('spaceName')} value={name} onInput={setName} />
      <button type="submit" class="button" aria-disabled={name.trim() === ''}>
        {w('save')}
      </button>
    </form>
  )
}

function Merge(props: {
  space: Space
  others: readonly Space[]
  busy: boolean
  onMerge: (target: string) => void
  onCancel: () => void
}) {
  const { w } = useAccount()
  const { space, others } = props
  const [target, setTarget] = useState(others[0]?.id ?? '')
  const into = others.find(({ id }) => id === target)
  const { name } = space
  return (
    <Confirm
      text={w('mergeHint', {
        name,
        target: into && isUnnamed(into) ? w('isDefault') : (into?.name ?? ''),
      })}
      name={name}
      action={w('merge')}
      busy={props.busy || into === undefined}
      onCancel={props.onCancel}
      onConfirm={() => props.onMerge(target)}
    >
      <div class="field">
        <label for={`merge-${space.id}`}>{w('mergeInto')}</label>
        <select
          id={`merge-${space.id}`}
          dir="auto"
          value={target}
          onChange={(event) => setTarget(event.currentTarget.value)}
        >
          {others.map((other) => (
            <option key={other.id} value={other.id}>
              {isUnnamed(other) ? w('isDefault') : other.name}
            </option>
          ))}
        </select>
      </div>
    </Confirm>
  )
}
