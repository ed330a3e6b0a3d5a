import { to } from '../router'

export const baseApi = (name: string) => to`/v1/knowledge-bases/${name}`
export const documentApi = (base: string, id: string) => `${baseApi(base)}/documents/${id}`

export const screens = {
  documents: (name: string) => to`/knowledge/${name}`,
  verify: (name: string) => to`/knowledge/${name}/verify`,
  settings: (name: string) => to`/knowledge/${name}/settings`,
  document: (name: string, id: string) => to`/knowledge/${name}/documents/${id}`,
}
