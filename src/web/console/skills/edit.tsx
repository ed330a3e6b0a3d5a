import { useApi } from '../api/call'
import { Loadable, SaveBar, useSharedEditor } from '../parts'
import type { ScreenProps } from '../screens'
import { useLoad } from '../use-load'
import { skillApi } from './addresses'
import { AgentsWith } from './agents-with'
import { useFieldLabel } from './field-label'
import { fieldsOf, type Skill } from './skill'
import { SkillForm } from './skill-form'
import { SkillFrame } from './skill-frame'
import { type Surroundings, useSurroundings } from './surroundings'
import { Warnings } from './warnings'
import { useSkillWords } from './words'

export { words } from './words'

/** One skill, to be read and changed. */
export function Screen({ params }: ScreenProps) {
  const name = params.name ?? ''
  const loaded = useLoad((api, signal) => api.get<Skill>(skillApi(name), {}, signal), [name])
  const around = useSurroundings()
  return (
    <SkillFrame name={name} tab="edit" of={loaded} around={around.data}>
      <Loadable of={loaded}>
        {(skill) => (
          <Loadable of={around}>
            {(data) => (
              <Editor
                key={name}
                name={name}
                skill={skill}
                around={data}
                onSaved={loaded.set}
                onGiven={() => {
                  around.reload()
                  loaded.reload()
                }}
              />
            )}
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
  onSaved: (skill: Skill) => void
  /** Other agents have it now. */
  onGiven: () => void
}

function Editor({ name, skill, around, onSaved, onGiven }: EditorProps) {
  const t = useSkillWords()
  const labelOf = useFieldLabel()
  const api = useApi()
  const { editor, conflict } = useSharedEditor(fieldsOf(skill), {
    read: async () => fieldsOf(await api.get<Skill>(skillApi(name))),
    write: async (changed) => {
      const saved = await api.patch<Skill>(skillApi(name), changed)
      onSaved(saved)
      return fieldsOf(saved)
    },
    labelOf,
  })
  return (
    <div class="sections">
      <Warnings of={skill.warnings} />
      <SkillForm draft={editor.draft} set={editor.set} error={editor.error} around={around} />
      <AgentsWith
        list="skills"
        name={name}
        agents={around.agents}
        words={{
          title: t('agentsWith'),
          hint: t('agentsWithHint'),
          nobody: t('giveIt'),
          choose: t('chooseAgents'),
          noAgents: t('noAgents'),
          saved: t('agentsSaved'),
        }}
        onChanged={onGiven}
      />
      {conflict}
      <SaveBar editor={editor} />
    </div>
  )
}
