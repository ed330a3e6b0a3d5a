import { byteLength, holdTo, inParts, R2_LIMITS } from '../config/platform-limits'
import { type TenantKey, type UserKey, unwrapUserKey } from './crypto/keys'

/** Wrapped user keys live in R2 alone: there, deleting is final at once, which crypto-shredding needs. */
export function userKeyPath(tenantId: string, userId: string): string {
  return `keys/${tenantId}/${userId}`
}

/** @returns null when the key is gone: the user was deleted and nothing of theirs can be read again. */
export async function loadUserKey(
  files: R2Bucket,
  key: TenantKey,
  userId: string,
): Promise<UserKey | null> {
  const object = await files.get(userKeyPath(key.tenant, userId))
  return object ? unwrapUserKey(key, userId, await object.text()) : null
}

/** Sealed attachment bytes, under their user so that one listing finds all that a deletion must remove. */
export function attachmentPath(
  owner: { tenantId: string; userId: string },
  attachmentId: string,
): string {
  return `users/${owner.tenantId}/${owner.userId}/attachments/${attachmentId}`
}

/** The sealed original of a space's own document. */
export function spaceDocumentPath(
  owner: { tenantId: string; userId: string },
  documentId: string,
): string {
  return `users/${owner.tenantId}/${owner.userId}/documents/${documentId}`
}

/** Sealed pieces of what a user has exported. */
export const exportPrefix = (
  owner: { tenantId: string; userId: string },
  exportId: string,
): string => `users/${owner.tenantId}/${owner.userId}/exports/${exportId}/`

/** A knowledge-base document's original, by version: a replacement never overwrites what is being read. */
export function documentPath(document: {
  tenantId: string
  baseId: string
  id: string
  version: string
}): string {
  return `${documentPrefix(document)}${document.version}`
}

export function documentPrefix(document: { tenantId: string; baseId: string; id: string }): string {
  return `${basePrefix(document.tenantId, document.baseId)}${document.id}/`
}

export const basePrefix = (tenantId: string, baseId: string): string =>
  `bases/${tenantId}/${baseId}/`

export const logoFile = (tenantId: string, logo: string): string => `logos/${tenantId}/${logo}`

export const iconFile = (tenantId: string, icon: string, file: string): string =>
  `icons/${tenantId}/${icon}/${file}`
/** What a model wrote to greet an agent's visitors. */
export const greetingFile = (tenantId: string, agentId: string, lang: string): string =>
  `${greetingPrefix(tenantId, agentId)}${lang}`

export const greetingPrefix = (tenantId: string, agentId: string): string =>
  `greetings/${tenantId}/${agentId}/`

/** Everything of a user's in the object store: the key, and what it sealed. */
export const userPrefixes = (tenantId: string, userId: string): readonly string[] => [
  userKeyPath(tenantId, userId),
  `users/${tenantId}/${userId}/`,
]

/** Everything of a tenant's. */
export const tenantPrefixes = (tenantId: string): readonly string[] =>
  ['keys', 'users', 'bases', 'logos', 'icons', 'greetings'].map(
    (folder) => `${folder}/${tenantId}/`,
  )

/** The one way in; nothing is stored as metadata. */
export async function storeFile(
  files: R2Bucket,
  key: string,
  bytes: string | ArrayBuffer | Uint8Array,
): Promise<void> {
  holdTo('bytes of a key', byteLength(key), R2_LIMITS.keyBytes)
  await files.put(key, bytes)
}

/** Any number of files; those that are not there are no error. */
export async function deleteFiles(files: R2Bucket, keys: readonly string[]): Promise<void> {
  for (const part of inParts(keys, R2_LIMITS.keys)) await files.delete(part)
}

const LISTINGS = 50

/** Deletes what lies below a prefix, at most 50,000 files. @returns whether none is left. */
export async function removeFiles(files: R2Bucket, prefix: string): Promise<boolean> {
  for (let n = 0; n < LISTINGS; n++) {
    const { objects, truncated } = await files.list({ prefix, limit: R2_LIMITS.keys })
    await deleteFiles(
      files,
      objects.map((object) => object.key),
    )
    if (!truncated) return true
  }
  return false
}

export const holdsUserKeys = async (files: R2Bucket, tenantId: string): Promise<boolean> =>
  (await files.list({ prefix: `keys/${tenantId}/`, limit: 1 })).objects.length > 0

/** Every key of the tenant's users: nothing they sealed can be read again. Their objects are emptied by the job. */
export async function destroyUserKeys(files: R2Bucket, tenantId: string): Promise<void> {
  await removeFiles(files, `keys/${tenantId}/`)
}
