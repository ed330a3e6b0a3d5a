import type { Api } from '../api/create-api'
import { to } from '../router'
import { useLoad } from '../use-load'
import { differs } from './model/draft'
import type { Revision, RevisionFull, Storyline } from './types'

/**
 * Whether the working copy differs from what is live. The version alone does not say: it rises with the place in the
 * list too, which acts at once.
 */
export async function hasUnpublished(api: Api, storyline: Storyline): Promise<boolean> {
  const { id, status, published_revision_id: live, version } = storyline
  if (status !== 'published' || live === null) return false
  const path = to`/v1/storylines/${id}/revisions`
  const revisions = await api.get<Revision[]>(path)
  if (revisions.find((one) => one.id === live)?.version === version) return false
  const revision = await api.get<RevisionFull>(`${path}/${live}`)
  return differs(storyline, revision)
}

export function useUnpublished(storyline: Storyline): boolean {
  const { id, version, published_revision_id } = storyline
  const found = useLoad(
    (api) => hasUnpublished(api, storyline),
    [id, version, published_revision_id],
  )
  return found.data ?? false
}
