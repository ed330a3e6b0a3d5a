import type { D1Database, DurableObjectNamespace } from '@cloudflare/workers-types'

declare global {
  /** The harness names the Worker's bindings; the rest of their types belong to a runtime that these tests do not run in. */
  interface Env {
    DB: D1Database
    USER_SPACE: DurableObjectNamespace
  }
}
