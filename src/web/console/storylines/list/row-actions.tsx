import { useApi } from '../../api/call'
import { IconButton, Menu, useToast } from '../../parts'
import { saveFile } from '../../parts/save-file'
import { navigate, to } from '../../router'
import { useShell } from '../../words'
import type { Storyline } from '../types'
import { useListWords } from './words'

interface Props {
  storyline: Storyline
  /** Those of the same agent, in their order. */
  siblings: readonly Storyline[]
  onMove: (by: 1 | -1) => void
  onDefault: () => void
  onChanged: () => void
  onDelete: () => void
}

export function RowActions({ storyline, siblings, onMove, onDefault, onDelete }: Props) {
  const t = useListWords()
  const shell = useShell()
  const api = useApi()
  const toast = useToast()
  const { id, name, key } = storyline
  const at = siblings.findIndex((one) => one.id === id)
  const failed = (error: unknown) => toast(error instanceof Error ? error.message : String(error))
  const clone = async () => {
    const copy = await api.post<Storyline>(to`/v1/storylines/${id}/clone`)
    navigate(to`/storylines/${copy.id}`)
  }
  const exported = async () => {
    const file = await api.get<object>(to`/v1/storylines/${id}/export`)
    saveFile(`${key}.json`, JSON.stringify(file, null, 2), 'application/json')
  }
  return (
    <span class="row row-actions">
      <IconButton
        icon="send"
        label={`${t('moveUp')}: ${name}`}
        disabled={at <= 0}
        onClick={() => onMove(-1)}
      />
      <IconButton
        icon="arrowDown"
        label={`${t('moveDown')}: ${name}`}
        disabled={at === siblings.length - 1}
        onClick={() => onMove(1)}
      />
      <Menu
        label={`${shell('actions')}: ${name}`}
        items={[
          {
            label: t('tabPeople'),
            icon: 'users',
            act: () => navigate(to`/storylines/${id}/people`),
          },
          {
            label: t('tabFunnel'),
            icon: 'usage',
            act: () => navigate(to`/storylines/${id}/funnel`),
          },
          {
            label: t(storyline.is_default ? 'noDefault' : 'makeDefault'),
            icon: 'check',
            act: onDefault,
          },
          { label: t('clone'), icon: 'copy', act: () => void clone().catch(failed) },
          { label: t('export'), icon: 'download', act: () => void exported().catch(failed) },
          { label: shell('delete'), icon: 'trash', danger: true, act: onDelete },
        ]}
      />
    </span>
  )
}
