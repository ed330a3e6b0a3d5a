import { to } from '../router'

export const SERVERS = '/v1/mcp-servers'
export const serverApi = (id: string) => `${SERVERS}/${id}`
export const serverScreen = (id: string) => to`/mcp/${id}`
