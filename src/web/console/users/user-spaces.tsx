import { useState } from 'preact/hooks'
import { useApi } from '../api/call'
import { Badge, Button, Dialog, Problem, TextField } from '../parts'
import { Link, to } from '../router'
import { useAct } from '../use-load'
import { useShell } from '../words'
import { useSpaceName } from './space-name'
import type { Detail, Space } from './types'
import { usePeople } from './words'

/** Each space keeps its own chats, documents and memories; one can be made for the user here. */
export function UserSpaces({ user, onAdded }: { user: Detail; onAdded: (space: Space) => void }) {
  const t = usePeople()
  const nameOf = useSpaceName()
  const [isAdding, setAdding] = useState(false)
  return (
    <section class="card stack tight">
      <div class="row spread">
        <h2>{t('spaces')}</h2>
        <Button small icon="plus" onClick={() => setAdding(true)}>
          {t('createSpace')}
        </Button>
      </div>
      <ul class="bare-list">
        {user.spaces.map((space) => (
          <li key={space.id} class="row spread">
            <Link to={to`/spaces/${space.id}`}>
              <bdi>{nameOf(space)}</bdi>
            </Link>
            {space.is_default && <Badge tone="quiet">{t('isDefault')}</Badge>}
          </li>
        ))}
      </ul>
      {isAdding && (
        <AddSpace
          uid={user.id}
          onAdded={(space) => {
            setAdding(false)
            onAdded(space)
          }}
          onClose={() => setAdding(false)}
        />
      )}
    </section>
  )
}

interface AddSpaceProps {
  uid: string
  onAdded: (space: Space) => void
  onClose: () => void
}

function AddSpace({ uid, onAdded, onClose }: AddSpaceProps) {
  const t = usePeople()
  const shell = useShell()
  const api = useApi()
  const adding = useAct()
  const [name, setName] = useState('')
  const fault = adding.problem?.fields.find(({ path }) => path === 'name')?.message ?? null
  const add = () =>
    adding.act(async () => {
      onAdded(await api.post<Space>(to`/v1/manage/users/${uid}/spaces`, { name: name.trim() }))
    })
  return (
    <Dialog title={t('createSpace')} onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          void add()
        }}
      >
        <TextField
          label={t('spaceName')}
          value={name}
          onInput={setName}
          maxLength={80}
          dir="auto"
          hint={t('spaceHint')}
          error={fault}
        />
        <Problem of={fault === null ? adding.problem : null} />
        <div class="row at-end">
          <Button onClick={onClose}>{shell('cancel')}</Button>
          <Button kind="primary" type="submit" busy={adding.busy} disabled={name.trim() === ''}>
            {t('createSpace')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
