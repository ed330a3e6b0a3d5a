/** Screens of one agent. */
export type AgentPart = '' | 'share' | 'history'

/** Where an agent is configured. One that is called `new` would be the form for a new one. */
export function agentPath(name: string, part: AgentPart = ''): string {
  const place = name === 'new' ? '/agents/%6Eew' : `/agents/${encodeURIComponent(name)}`
  return part === '' ? place : `${place}/${part}`
}

/** Where the API has it. */
export const agentApi = (name: string): string => `/v1/agents/${encodeURIComponent(name)}`
