/** The database of one tenant's chats on this device. */
export const historyName = (tenantId: string): string => `parley:${tenantId}:history`

/** Deletes the chats that are kept for reading without a network: their person is no longer signed in. */
export function deleteHistory(tenantId: string): void {
  try {
    indexedDB.deleteDatabase(historyName(tenantId))
  } catch {
    // Storage is forbidden: nothing was kept.
  }
}
