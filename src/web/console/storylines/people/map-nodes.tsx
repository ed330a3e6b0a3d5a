import { useApi } from '../../api/call'
import { Button, Problem, SelectField } from '../../parts'
import { useAct } from '../../use-load'
import type { Proposal } from '../types'
import { usePeopleWords } from './words'

interface Props {
  path: string
  keys: readonly string[]
  live: readonly string[]
  titleOf: (key: string) => string
  nodes: Readonly<Record<string, string>>
  onChange: (nodes: Record<string, string>) => void
}

/** Where the people of each node go on; a proposal by key, title and neighbours fills it in. */
export function MapNodes({ path, keys, live, titleOf, nodes, onChange }: Props) {
  const t = usePeopleWords()
  const api = useApi()
  const { busy, problem, act } = useAct()
  const propose = () =>
    void act(async () => {
      const { nodes: proposed } = await api.get<Proposal>(`${path}/proposal`)
      onChange({ ...nodes, ...proposed })
    })
  return (
    <fieldset class="field-rows">
      <legend>{t('whereTo')}</legend>
      <Problem of={problem} />
      {keys.map((key) => (
        <SelectField
          key={key}
          label={live.includes(key) ? titleOf(key) : t('retiredNode', { name: titleOf(key) })}
          value={nodes[key] ?? ''}
          options={[
            { value: '', label: t('lostStay') },
            ...live.map((value) => ({ value, label: titleOf(value) })),
          ]}
          onChange={(target) => {
            const { [key]: _gone, ...rest } = nodes
            onChange(target === '' ? rest : { ...rest, [key]: target })
          }}
        />
      ))}
      <Button small busy={busy} onClick={propose}>
        {t('propose')}
      </Button>
    </fieldset>
  )
}
