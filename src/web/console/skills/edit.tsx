import { useState } from 'preact/hooks'
import { useApi } from '../api/call'
import { Loadable, SaveBar, useEditor } from '../parts'
import type { ScreenProps } from '../screens'
import { useLoad } from '../use-load'
import { skillApi } from './addresses'
import { fieldsOf, type Skill } from './skill'
import { SkillForm } from './skill-form'
import { SkillFrame } from './skill-frame'
import { type Surroundings, useSurroundings } from './surroundings'
import { Warnings } from './warnings'

export { words } from './words'

/** One skill, to be read and changed. */
export function Screen({ params }: ScreenProps) {
  const name = params.name ?? ''
  const loaded = useLoad((api, signal) => api.get<Skill>(skillApi(name), {}, signal), [name])
  const around = useSurroundings()
  return (
    <SkillFrame name={name} tab="edit" around={around.data}>
      <Loadable of={loaded}>
        {(skill) => (
          <Loadable of={around}>
            {(data) => <Editor key={name} name={name} skill={skill} around={data} />}
          </Loadable>
        )}
      </Loadable>
    </SkillFrame>
  )
}

interface EditorProps {
  name: string
  skill: Skill
  around: Surroundings
}

function Editor({ name, skill, around }: EditorProps) {
  const api = useApi()
  const [warnings, setWarnings] = useState(skill.warnings)
  const editor = useEditor(fieldsOf(skill), async (_draft, changed) => {
    const saved = await api.patch<Skill>(skillApi(name), changed)
    setWarnings(saved.warnings)
    return fieldsOf(saved)
  })
  return (
    <div class="stack">
      <Warnings of={warnings} />
      <SkillForm draft={editor.draft} set={editor.set} error={editor.error} around={around} />
      <SaveBar editor={editor} />
    </div>
  )
}
