import { useApi } from '../api/call'
import { SaveBar, TextField, useEditor } from '../parts'
import { to } from '../router'
import type { Space } from '../users/types'
import { usePeople } from '../users/words'
import { useShell } from '../words'

interface RenameSpaceProps {
  space: Space
  onRenamed: (name: string) => void
}

export function RenameSpace({ space, onRenamed }: RenameSpaceProps) {
  const t = usePeople()
  const shell = useShell()
  const api = useApi()
  const editor = useEditor({ name: space.name }, async ({ name }) => {
    const stored = await api.patch<Space>(to`/v1/manage/spaces/${space.id}`, { name: name.trim() })
    onRenamed(stored.name)
    return { name: stored.name }
  })
  return (
    <section class="card stack space-rename">
      <h2>{shell('name')}</h2>
      <TextField
        label={t('spaceName')}
        value={editor.draft.name}
        onInput={(name) => editor.set('name', name)}
        maxLength={80}
        dir="auto"
        error={editor.error('name')}
      />
      <SaveBar editor={editor} />
    </section>
  )
}
