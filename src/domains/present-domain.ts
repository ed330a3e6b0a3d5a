import type { Config } from '../config/read-config'
import type { CustomDomainRow } from '../db/tables/domains'
import { isoOf } from '../time'
import { proofRecord } from './find-proof'
import { cnameTarget } from './records'

export async function presentDomain(config: Config, row: CustomDomainRow) {
  return {
    domain: row.domain,
    agent_alias: row.agentAlias,
    status: row.status,
    cname_target: cnameTarget(config, row),
    record: await proofRecord(config, row),
    last_checked_at: row.lastCheckedAt === null ? null : isoOf(row.lastCheckedAt),
    last_error: row.lastError,
  }
}

/** What the audit trail keeps: the times of checks are no settings. */
export function auditDomain(row: CustomDomainRow) {
  return { domain: row.domain, agent_alias: row.agentAlias, status: row.status }
}
