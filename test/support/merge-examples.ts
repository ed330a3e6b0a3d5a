import type { Example } from './route-examples'
import { expectOk } from './seed'
import { freshName, type Person, type World } from './world'

/** A UUIDv7 that nothing has. */
const ABSENT_ID = '01890a5d-ac96-774b-bcce-b302099a8057'

async function freshSpace(w: World, who: Person): Promise<string> {
  const body = { name: freshName('space') }
  const answer = w.parley.call('POST', '/me/spaces', { headers: who.headers, body })
  return (await expectOk(answer)).json.id
}

export const MERGE_EXAMPLES: Record<string, Example> = {
  'POST /me/spaces/{sid}/merge': {
    makesObject: true,
    fill: async (w, who) => ({
      params: { sid: await freshSpace(w, who) },
      body: { target_space_id: who.spaceId },
    }),
    refers: [
      {
        in: 'params',
        field: 'sid',
        resource: 'Space',
        foreign: (w) => w.foreign.ada.otherSpaceId,
        absent: ABSENT_ID,
        siblings: (w, who) => [who === 'key' ? w.own.bob.otherSpaceId : w.own.sibling.otherSpaceId],
      },
      {
        in: 'body',
        field: 'target_space_id',
        resource: 'Space',
        foreign: (w) => w.foreign.ada.spaceId,
        absent: ABSENT_ID,
        siblings: (w, who) => [who === 'key' ? w.own.bob.spaceId : w.own.sibling.spaceId],
      },
    ],
  },
}
