import type { Context } from 'hono'
import type { AppEnv } from '../context'
import { openField, sealField } from '../platform/crypto/field'
import { platformKeys, tenantKey } from '../platform/secrets'
import { UserFields } from '../users/user-fields'
import type { Route } from './route'

/** Seals a stored answer so that it opens for its own repeat only. */
export interface AnswerSeal {
  seal(scope: string, text: string): Promise<string>
  open(scope: string, sealed: string): Promise<string>
}

interface RepeatOwner {
  tenantId: string
  /** Who an Idempotency-Key belongs to: two callers with one key do not meet. */
  principal: string[]
  seal: AnswerSeal
}

const OPERATOR = 'operator'

/** Whose repeat it is, and under whose key its answer is kept: the user's, the tenant's, or the deployment's for the operator. */
export function repeatOwner(c: Context<AppEnv>, route: Pick<Route, 'layer'>): RepeatOwner {
  switch (route.layer) {
    case 'operator': {
      const keys = platformKeys(c.get('operator').config)
      const place = (scope: string) => [OPERATOR, 'idempotency', 'answer', scope] as const
      return {
        tenantId: OPERATOR,
        principal: [OPERATOR],
        seal: {
          seal: async (scope, text) => sealField((await keys).primary, place(scope), text),
          open: async (scope, sealed) => openField((await keys).all, place(scope), sealed),
        },
      }
    }
    case 'user': {
      const ctx = c.get('user')
      const fields = () => UserFields.load(ctx, ctx.tenant, ctx.user.id)
      return {
        tenantId: ctx.tenant.id,
        principal: [ctx.tenant.id, ctx.actor.keyId ?? 'token', ctx.user.id, ctx.space.id],
        seal: {
          seal: async (scope, text) => (await fields()).seal('idempotency', 'answer', text, scope),
          open: async (scope, sealed) =>
            (await fields()).open('idempotency', 'answer', sealed, scope),
        },
      }
    }
    case 'tenant': {
      const ctx = c.get('tenant')
      const key = () => tenantKey(ctx.config, ctx.tenant)
      const place = (scope: string) => [ctx.tenant.id, 'idempotency', 'answer', scope] as const
      return {
        tenantId: ctx.tenant.id,
        principal: [ctx.tenant.id, ctx.actor.keyId ?? ctx.actor.name],
        seal: {
          seal: async (scope, text) => sealField(await key(), place(scope), text),
          open: async (scope, sealed) => openField(await key(), place(scope), sealed),
        },
      }
    }
    default:
      throw new TypeError(`Answers of the layer ${route.layer} cannot be kept for a repeat`)
  }
}
