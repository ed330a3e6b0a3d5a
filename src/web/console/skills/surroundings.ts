import { useLoad } from '../use-load'
import { type AgentLists, namesWith } from './choose-agents'
import { type OwnTool, type ServerTools, toolChoices } from './tool-choices'
import { type SkillKey, useSkillWords } from './words'

/** What a skill can refer to, and who refers to it. */
export interface Surroundings {
  bases: readonly string[]
  servers: readonly ServerTools[]
  agents: readonly AgentLists[]
}

export const useSurroundings = () =>
  useLoad<Surroundings>(async (api, signal) => {
    const [bases, servers, agents] = await Promise.all([
      api.get<{ name: string }[]>('/v1/knowledge-bases', {}, signal),
      api.get<ServerTools[]>('/v1/mcp-servers', {}, signal),
      api.get<Surroundings['agents']>('/v1/agents', {}, signal),
    ])
    return { bases: bases.map(({ name }) => name), servers, agents }
  }, [])

export const agentsWith = ({ agents }: Surroundings, skill: string): string[] =>
  namesWith(agents, 'skills', skill)

const TOOL_HINTS: Record<OwnTool, SkillKey> = {
  current_time: 'toolCurrentTime',
  ip_geo: 'toolIpGeo',
  weather: 'toolWeather',
  search_knowledge: 'toolSearchKnowledge',
  ask_form: 'toolAskForm',
  handoff: 'toolHandoff',
  schedule_reminder: 'toolScheduleReminder',
}

export function useToolOptions({ servers }: Surroundings) {
  const t = useSkillWords()
  return toolChoices(servers).map(({ value, kind, label, server = '', hint = '' }) => {
    if (kind === 'own') {
      const tool = value as OwnTool
      return { value, label: t(`tool_${tool}`), hint: t(TOOL_HINTS[tool]) }
    }
    if (kind === 'server')
      return { value, label: t('allToolsOf', { server }), hint: t('allToolsHint') }
    return { value, label: `${server} / ${label}`, hint }
  })
}
