import { firstSigns } from '../../../kit/first-signs'
import { Badge, CheckList, Segmented } from '../../parts'
import { Link } from '../../router'
import type { ServerRow, SkillRow } from '../types'
import type { SectionProps } from './instructions'
import { Section } from './section'
import {
  choose,
  chosenOf,
  OWN_TOOLS,
  type ServerUse,
  serverUse,
  setServerUse,
  unknownTools,
} from './tool-choices'
import { useBuildWords } from './words'

interface Props extends SectionProps {
  skills: readonly SkillRow[]
  servers: readonly ServerRow[]
}

/** What the agent can do besides answering. */
export function ToolsAndSkills({ editor, skills, servers }: Props) {
  const t = useBuildWords()
  const { draft, set, error } = editor
  const isOwn = (tool: string) => (OWN_TOOLS as readonly string[]).includes(tool)
  // One that nobody offers is shown beside the platform's own, so that it can be taken away.
  const unknown = unknownTools(draft.tools, servers)
  const here = draft.tools.filter((tool) => isOwn(tool) || unknown.includes(tool))
  return (
    <Section id="toolsAndSkills" title={t('toolsAndSkills')} hint={t('toolsHint')}>
      <CheckList
        label={t('tools')}
        options={OWN_TOOLS.map((tool) => ({
          value: tool,
          label: t(`tool_${tool}`),
          hint: t(`tool_${tool}_hint`),
        }))}
        value={here}
        error={error('tools')}
        onChange={(value) =>
          set('tools', [...value, ...draft.tools.filter((tool) => !here.includes(tool))])
        }
      />
      {servers.map((server) => (
        <ServerTools
          key={server.id}
          server={server}
          tools={draft.tools}
          onChange={(tools) => set('tools', tools)}
        />
      ))}
      <p class="small">
        <Link to="/mcp">{t('toServers')}</Link>
      </p>
      <CheckList
        label={t('skills')}
        options={skills.map(({ name, description }) => ({
          value: name,
          label: name,
          hint: description,
        }))}
        value={draft.skills}
        error={error('skills')}
        none={t('noSkills')}
        onChange={(value) => set('skills', value)}
      />
      <p class="small">
        <Link to="/skills">{t('toSkills')}</Link>
      </p>
    </Section>
  )
}

interface ServerProps {
  server: ServerRow
  tools: readonly string[]
  onChange: (tools: string[]) => void
}

function ServerTools({ server, tools, onChange }: ServerProps) {
  const t = useBuildWords()
  const use = serverUse(tools, server.name)
  const uses: readonly ServerUse[] =
    server.tools.length > 0 || use === 'some' ? ['none', 'some', 'all'] : ['none', 'all']
  return (
    <div class="server-tools stack">
      <div class="row">
        <strong>
          <bdi>{server.name}</bdi>
        </strong>
        <Badge tone="quiet">MCP</Badge>
        {!server.enabled && <Badge tone="warn">{t('serverOff')}</Badge>}
        <Segmented
          label={t('toolsOf', { name: server.name })}
          value={use}
          options={uses.map((value) => ({ value, label: t(`use_${value}`) }))}
          onChange={(next) => onChange(setServerUse(tools, server, next))}
        />
      </div>
      {use === 'some' && (
        <CheckList
          label={t('toolsOf', { name: server.name })}
          options={server.tools.map(({ name, description }) => ({
            value: name,
            label: name,
            hint: firstSigns(description, 200),
          }))}
          value={chosenOf(tools, server.name)}
          onChange={(chosen) => onChange(choose(tools, server.name, chosen))}
        />
      )}
    </div>
  )
}
