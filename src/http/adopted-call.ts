import type { TenantContext } from '../context'

type Caller = Pick<TenantContext, 'tenant' | 'actor' | 'via'>

/** Requests that the Worker makes of itself for a caller it has already identified. Nothing from outside gets in here. */
const adopted = new WeakMap<Request, Caller>()

/** The route that the request reaches takes the caller's identity as it is, and still asks for the scope it needs. */
export function adoptCall(request: Request, { tenant, actor, via }: Caller): Request {
  adopted.set(request, { tenant, actor, via })
  return request
}

export const adoptedCaller = (request: Request): Caller | undefined => adopted.get(request)
