import { expectTypeOf, it } from 'vitest'
import type * as z from 'zod'
import type { AuditOut } from '../../../../src/audit/schema'
import type { ChannelOut } from '../../../../src/channels/schema'
import type { CustomDomainFeature, CustomDomainOut } from '../../../../src/domains/schema'
import type { KeyOut, Quota as QuotaOut } from '../../../../src/tenants/schema'
import type { PrivacyOut, SettingsOut } from '../../../../src/tenants/settings-schema'
import type { UsageReport as UsageReportOut } from '../../../../src/usage/schema'
import type { AuditEntry } from '../../../../src/web/console/audit/types'
import type {
  Channel,
  Delivery,
  Domain,
  DomainFeature,
  Key,
  Privacy,
  Quota,
  Settings,
  Webhook,
} from '../../../../src/web/console/settings/types'
import type { UsageReport } from '../../../../src/web/console/usage/types'
import type { DeliveryOut, WebhookOut } from '../../../../src/webhooks/schema'

/** The page cannot take the service's own types: with them comes all that the schemas are made of. */
it('the console reads the answers as the service writes them', () => {
  expectTypeOf<Settings>().toEqualTypeOf<z.output<typeof SettingsOut>>()
  expectTypeOf<Privacy>().toEqualTypeOf<z.output<typeof PrivacyOut>>()
  expectTypeOf<Domain>().toEqualTypeOf<z.output<typeof CustomDomainOut>>()
  expectTypeOf<DomainFeature>().toEqualTypeOf<z.output<typeof CustomDomainFeature>>()
  expectTypeOf<Key>().toEqualTypeOf<z.output<typeof KeyOut>>()
  expectTypeOf<Webhook>().toEqualTypeOf<z.output<typeof WebhookOut>>()
  expectTypeOf<Delivery>().toEqualTypeOf<z.output<typeof DeliveryOut>>()
  expectTypeOf<Channel>().toEqualTypeOf<z.output<typeof ChannelOut>>()
  expectTypeOf<Quota>().toEqualTypeOf<z.output<typeof QuotaOut>>()
  expectTypeOf<UsageReport>().toEqualTypeOf<z.output<typeof UsageReportOut>>()
  expectTypeOf<AuditEntry>().toEqualTypeOf<z.output<typeof AuditOut>>()
})
