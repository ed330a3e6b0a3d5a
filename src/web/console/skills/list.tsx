import { Badge, CallThisApi, LinkButton, ListView, Page, SearchField } from '../parts'
import { useQuery } from '../router'
import { useList } from '../use-load'
import { useFormat, useShell } from '../words'
import { skillScreen } from './addresses'
import { findSkills, type Skill } from './skill'
import { agentsWith, useSurroundings } from './surroundings'
import { useSkillWords } from './words'

export { words } from './words'

/** The tenant's skills. */
export function Screen() {
  const t = useSkillWords()
  const shell = useShell()
  const format = useFormat()
  const [query, setQuery] = useQuery()
  const list = useList<Skill>('/v1/skills')
  const { data: around } = useSurroundings()
  const letters = query.get('q') ?? ''
  const shown = { ...list, items: list.items && findSkills(list.items, letters) }
  const isNarrowed = letters !== '' && (list.items?.length ?? 0) > 0
  return (
    <Page
      title={t('skills')}
      purpose={t('purpose')}
      actions={
        <>
          <CallThisApi method="GET" path="/v1/skills" />
          <LinkButton kind="primary" icon="plus" to="/skills/new">
            {t('newSkill')}
          </LinkButton>
        </>
      }
    >
      {(list.items?.length ?? 0) > 0 && (
        <SearchField
          label={t('searchLabel')}
          value={letters}
          onInput={(text) => setQuery({ q: text })}
        />
      )}
      <ListView
        list={shown}
        caption={t('skills')}
        keyOf={({ name }) => name}
        to={({ name }) => skillScreen(name)}
        columns={[
          { key: 'name', label: shell('name'), primary: true, cell: ({ name }) => name },
          {
            key: 'description',
            label: t('description'),
            cell: ({ description }) => <span class="skill-clip">{description}</span>,
          },
          {
            key: 'agents',
            label: t('usedBy'),
            cell: ({ name }) => (around ? format.list(agentsWith(around, name)) || '–' : ''),
          },
          {
            key: 'tools',
            label: t('tools'),
            numeric: true,
            cell: ({ tools }) => format.number(tools.length),
          },
          {
            key: 'bases',
            label: t('bases'),
            numeric: true,
            cell: (skill) => format.number(skill.knowledge_bases.length),
          },
          {
            key: 'state',
            label: shell('status'),
            cell: ({ warnings }) => <State warnings={warnings} />,
          },
        ]}
        empty={
          isNarrowed
            ? { title: t('nothingFound'), text: t('nothingFoundText') }
            : {
                title: t('emptyTitle'),
                text: t('emptyText'),
                action: (
                  <LinkButton kind="primary" to="/skills/new">
                    {t('newSkill')}
                  </LinkButton>
                ),
              }
        }
      />
    </Page>
  )
}

function State({ warnings }: Pick<Skill, 'warnings'>) {
  const t = useSkillWords()
  const serious = warnings.filter(({ severity }) => severity === 'warning').length
  if (serious > 0) return <Badge tone="warn">{t('warningCount', { n: serious })}</Badge>
  if (warnings.length > 0) return <Badge tone="info">{t('unused')}</Badge>
  return <Badge tone="ok">{t('good')}</Badge>
}
