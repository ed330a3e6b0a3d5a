import { eq } from 'drizzle-orm'
import { withDefaults } from '../agents/agent-config'
import { isOnMenu, selectLiveStorylines, toLiveStoryline } from '../agents/live-storylines'
import { localize, shownName } from '../agents/localize'
import { readMenu } from '../agents/menu'
import { DAY_MS, MINUTE_MS } from '../config/limits'
import type { Language } from '../config/names'
import type { BaseContext } from '../context'
import { findNear } from '../db/client'
import { selectOwn } from '../db/own'
import { type AgentRow, agents } from '../db/tables/agents'
import type { TenantRow } from '../db/tables/tenants'
import { notFound } from '../errors'
import { createLog } from '../log'
import { resolveChatModel } from '../models/chat-model'
import { hasSpeech } from '../models/speech-model'
import { sha256, toHex } from '../platform/crypto/bytes'
import { greetingFile, storeFile } from '../platform/files'
import { openTenantModel } from '../tenants/byok'
import { meterCall } from '../usage/meter-call'
import { findActiveTenant } from '../users/find-tenant'
import { sealGreeting } from './greeting-id'
import { prepareGreeting } from './write-greeting'

/** After a call that came to nothing the next one waits. */
const PAUSE_MS = 10 * MINUTE_MS

/**
 * What somebody sees of a published agent before they say anything, in their language. A draft is absent. @throws notFound;
 * forbidden for a suspended tenant.
 */
export async function readOpening(base: BaseContext, named: string, name: string, lang: Language) {
  const tenant = await findActiveTenant(base, named)
  const found = await findNear(base.env.DB, async (db) => {
    const [[row], rows] = await db.batch([
      selectOwn(db, agents, tenant.id, eq(agents.name, name), eq(agents.published, true)).limit(1),
      selectLiveStorylines(db, tenant.id, name),
    ])
    return row && { row, rows }
  })
  if (!found) throw notFound('Agent')
  const { row, rows } = found
  const agent = { ...row, config: withDefaults(row.config) }
  const toMenu = await readMenu(base.env.DB, agent)
  const { menuItems } = localize(agent.config, lang)
  const greeting = await greet(base, tenant, agent, lang)
  const said = greeting === null ? null : { agentId: agent.id, text: greeting }
  return {
    agent: agent.name,
    display_name: shownName(agent, lang),
    lang,
    greeting,
    greeting_id: said && (await sealGreeting(base.config, tenant, said, base.now)),
    chips: toMenu(menuItems ?? []).map(({ label, prompt }) => ({ label, value: prompt })),
    storylines: rows
      .map(toLiveStoryline)
      .filter(isOnMenu)
      .map(({ id, displayName }) => ({ id, label: displayName, value: displayName })),
    can_hand_off: agent.config.tools.includes('handoff'),
    can_speak: hasSpeech(base.env),
  }
}

/** A greeting as it is kept: whose words it was made of, and how long it stands. */
interface Kept {
  digest: string
  until: number
  text: string | null
}

/** The agent's fixed greeting, or one that a model wrote today for visitors of this language. */
async function greet(
  base: BaseContext,
  tenant: TenantRow,
  agent: AgentRow,
  lang: Language,
): Promise<string | null> {
  const { env, now } = base
  const { greeting } = localize(agent.config, lang)
  if (!agent.config.auto_greeting) return greeting
  const { soul, task, model } = agent.config
  const digest = toHex(await sha256(JSON.stringify([agent.name, soul, task, model, greeting])))
  const path = greetingFile(tenant.id, agent.id, lang)
  const kept = await env.FILES.get(path).then((file) => file?.json<Kept>())
  if (kept?.digest === digest && kept.until > now) return kept.text ?? greeting
  const text = await write(base, tenant, { ...agent, config: { ...agent.config, greeting } }, lang)
  const until = text === null ? now + PAUSE_MS : (Math.floor(now / DAY_MS) + 1) * DAY_MS
  const file = JSON.stringify({ digest, until, text } satisfies Kept)
  // R2 takes one write of a key in a second, and many may have come at once.
  await storeFile(env.FILES, path, file).catch((error: unknown) =>
    base.log.error('greeting_not_kept', error),
  )
  return text ?? greeting
}

/** One metered call; null without a model that writes, without quota, and where nothing of use came. */
async function write(
  { env, now }: BaseContext,
  tenant: TenantRow,
  { id, name, config }: AgentRow,
  lang: Language,
): Promise<string | null> {
  try {
    const own = await openTenantModel(env, tenant)
    const model = resolveChatModel(env, config.model, own) ?? resolveChatModel(env, null, own)
    if (model?.info.reads !== 'prompt') return null
    const nonce = crypto.randomUUID().slice(0, 8)
    const { tokens, run } = prepareGreeting(model, name, config, lang, nonce)
    const call = {
      id: `greeting:${id}:${lang}:${now}`,
      agentId: id,
      userId: '',
      kind: 'chat' as const,
    }
    return await meterCall(env, tenant, call, tokens, async () => {
      const { value, usage } = await run()
      return { value, model: model.name, ...usage }
    })
  } catch (error) {
    createLog('opening').error('greeting_failed', error, { agent_id: id })
    return null
  }
}
