import type { Api } from '../api/create-api'
import { documentApi } from './addresses'
import type { Document } from './base'

/** Hands the file of a document to the browser under its name. */
export async function downloadDocument(
  api: Api,
  base: string,
  { id, name }: Pick<Document, 'id' | 'name'>,
): Promise<void> {
  const response = await api.raw('GET', `${documentApi(base, id)}/original`)
  const address = URL.createObjectURL(await response.blob())
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // At once it would be gone before some browsers have begun to read it.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
