import { useState } from 'preact/hooks'
import { useApi } from '../api/call'
import {
  Button,
  CallThisApi,
  Fields,
  Loadable,
  Page,
  Problem,
  TextField,
  useRefusedField,
} from '../parts'
import { fieldError, unlessShown } from '../parts/field-error'
import { navigate, useGuard } from '../router'
import { useAct } from '../use-load'
import { useShell } from '../words'
import { skillApi, skillScreen } from './addresses'
import { NO_SKILL, type SkillFields } from './skill'
import { SkillForm } from './skill-form'
import { type Surroundings, useSurroundings } from './surroundings'
import { useSkillWords } from './words'

export { words } from './words'

const FIELDS = ['name', ...Object.keys(NO_SKILL)]

/** Makes a skill. */
export function Screen() {
  const t = useSkillWords()
  const around = useSurroundings()
  return (
    <Page
      title={t('newSkill')}
      purpose={t('purpose')}
      crumbs={[{ label: t('skills'), to: '/skills' }]}
      actions={
        <CallThisApi
          method="POST"
          path="/v1/skills/{name}"
          body={{ description: '', instructions: '' }}
        />
      }
    >
      <Loadable of={around}>{(data) => <Form around={data} />}</Loadable>
    </Page>
  )
}

function Form({ around }: { around: Surroundings }) {
  const t = useSkillWords()
  const shell = useShell()
  const api = useApi()
  const { busy, problem, act } = useAct()
  const [name, setName] = useState('')
  const [draft, setDraft] = useState<SkillFields>(NO_SKILL)
  useGuard(name !== '' || draft !== NO_SKILL)
  useRefusedField(problem)
  const error = (path: string) => fieldError(problem, path)

  const create = () =>
    act(async () => {
      await api.post(skillApi(name.trim()), draft)
      navigate(skillScreen(name.trim()), { replace: true })
    })
  return (
    <form
      class="sections measure"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void create()
      }}
    >
      <Fields>
        <TextField
          label={shell('name')}
          hint={t('nameHint')}
          value={name}
          maxLength={64}
          error={error('name')}
          onInput={setName}
        />
      </Fields>
      <SkillForm
        draft={draft}
        around={around}
        error={error}
        set={(key, value) => setDraft((was) => ({ ...was, [key]: value }))}
      />
      <Problem of={unlessShown(problem, FIELDS)} />
      <div class="row">
        <Button kind="primary" type="submit" busy={busy} disabled={name.trim() === ''}>
          {t('create')}
        </Button>
      </div>
    </form>
  )
}
