import type { Example, Reference } from './route-examples'
import { expectOk, seedAgent, waitFor } from './seed'
import type { Side, World } from './world'

const ABSENT_ID = '01890a5d-ac96-774b-bcce-b302099a8057'
const AGENT = 'strict-desk'

/** A pending review made by a real conversation, about something that nobody asked before. */
async function freshReview({ tenant, base }: Side): Promise<string> {
  await seedAgent(tenant, AGENT, { knowledge_bases: [base], grounding_required: true })
  // Letters alone: questions that differ in a single short word are taken for the same.
  const subject = crypto
    .randomUUID()
    .replaceAll(/[^a-f0-9]/g, '')
    .slice(0, 14)
    .replaceAll(/\d/g, (digit) => 'ghijklmnop'.charAt(Number(digit)))
  await expectOk(
    tenant.as('curious', 'POST', '/v1/chat', {
      message: `Who invented the ${subject}?`,
      agent: AGENT,
    }),
  )
  return waitFor(async () => {
    const { json } = await expectOk(
      tenant.call('GET', `/v1/manage/reviews?status=pending&q=${subject}`),
    )
    return json[0]?.id ?? null
  })
}

/** The other tenant's, made once with the first request. */
const foreignReviews = new WeakMap<World, string>()

const rid: Reference = {
  in: 'params',
  field: 'rid',
  resource: 'Review',
  foreign: (w) => foreignReviews.get(w) ?? ABSENT_ID,
  absent: ABSENT_ID,
}

async function ownReview(w: World): Promise<{ rid: string }> {
  if (!foreignReviews.has(w)) foreignReviews.set(w, await freshReview(w.foreign))
  return { rid: await freshReview(w.own) }
}

export const REVIEW_EXAMPLES: Record<string, Example> = {
  'GET /v1/manage/reviews': {
    fill: () => ({ query: { status: 'pending', limit: '2', q: 'who' } }),
  },
  'POST /v1/manage/reviews/{rid}/draft': {
    fill: async (w) => ({ params: await ownReview(w), query: { lang: 'es' } }),
    refers: [rid],
    makesObject: true,
  },
  'POST /v1/manage/reviews/{rid}/approve': {
    fill: async (w) => ({
      params: await ownReview(w),
      body: { kb_name: w.own.otherBase, title: 'An invention', text: 'Nobody invented it.' },
    }),
    refers: [
      rid,
      {
        in: 'body',
        field: 'kb_name',
        resource: 'Knowledge base',
        foreign: (w) => w.foreign.base,
        absent: 'no-such-base',
      },
    ],
    makesObject: true,
  },
  'POST /v1/manage/reviews/{rid}/reject': {
    fill: async (w) => ({ params: await ownReview(w) }),
    refers: [rid],
    makesObject: true,
  },
}
