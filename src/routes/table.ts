import type { Route } from '../http/route'
import { adminTenantRoutes } from './admin/tenants'
import { agentAppRoutes } from './agent-apps'
import { agentDraftRoutes } from './agent-drafts'
import { agentRoutes } from './agents'
import { authRoutes } from './auth'
import { channelRoutes } from './channels'
import { chatRoutes } from './chat'
import { documentationRoutes } from './documentation'
import { healthRoutes } from './health'
import { internalRoutes } from './internal'
import { baseRoutes } from './knowledge-bases/bases'
import { documentRoutes } from './knowledge-bases/documents'
import { importRoutes } from './knowledge-bases/imports'
import { manageHandoffRoutes } from './manage/handoffs'
import { manageKnowledgeGraphRoutes } from './manage/knowledge-graph'
import { manageReviewRoutes } from './manage/reviews'
import { manageSessionRoutes } from './manage/sessions'
import { manageSpaceRoutes } from './manage/spaces'
import { manageUsageRoutes } from './manage/usage'
import { manageUserRoutes } from './manage/users'
import { mcpRoutes } from './mcp'
import { mcpServerRoutes } from './mcp-servers'
import { meAccountRoutes } from './me/account'
import { meChannelRoutes } from './me/channels'
import { meIdentityRoutes } from './me/identity'
import { meRememberedRoutes } from './me/remembered'
import { meReminderRoutes } from './me/reminders'
import { meSessionRoutes } from './me/sessions'
import { meSourceRoutes } from './me/sources'
import { meSpaceDocumentRoutes } from './me/space-documents'
import { meSpaceRoutes } from './me/spaces'
import { meStreamRoutes } from './me/stream'
import { openAiRoutes } from './openai'
import { pageRoutes } from './pages'
import { skillRoutes } from './skills'
import { speechRoutes } from './speech'
import { authoringRoutes } from './storylines/authoring'
import { enrollmentRoutes } from './storylines/enrollments'
import { rehearsalRoutes } from './storylines/rehearsal'
import { tenantAuditRoutes } from './tenant/audit'
import { tenantChannelRoutes } from './tenant/channels'
import { tenantDomainRoutes } from './tenant/custom-domain'
import { tenantIdentityRoutes } from './tenant/identity'
import { tenantKeyRoutes } from './tenant/keys'
import { tenantSettingsRoutes } from './tenant/settings'
import { tenantWebhookRoutes } from './tenant/webhooks'
import { widgetRoutes } from './widget'

/** What users ask of their own is served under `/v1`, too. */
const underV1 = (route: Route): Route =>
  route.path.startsWith('/me') ? { ...route, also: [`/v1${route.path}`] } : route

/** Every operation of the product. */
export const ROUTES: readonly Route[] = [
  ...healthRoutes,
  ...internalRoutes,
  ...adminTenantRoutes,
  ...tenantIdentityRoutes,
  ...tenantKeyRoutes,
  ...tenantAuditRoutes,
  ...tenantSettingsRoutes,
  ...tenantWebhookRoutes,
  ...tenantDomainRoutes,
  ...tenantChannelRoutes,
  ...agentDraftRoutes,
  ...agentRoutes,
  ...agentAppRoutes,
  ...skillRoutes,
  ...authoringRoutes,
  ...rehearsalRoutes,
  ...enrollmentRoutes,
  ...baseRoutes,
  ...documentRoutes,
  ...importRoutes,
  ...mcpServerRoutes,
  ...mcpRoutes(() => ROUTES),
  ...manageKnowledgeGraphRoutes,
  ...manageHandoffRoutes,
  ...manageReviewRoutes,
  ...manageUserRoutes,
  ...manageSpaceRoutes,
  ...manageSessionRoutes,
  ...manageUsageRoutes,
  ...chatRoutes,
  ...speechRoutes,
  ...openAiRoutes,
  ...authRoutes,
  ...meIdentityRoutes,
  ...meAccountRoutes,
  ...meSpaceRoutes,
  ...meSpaceDocumentRoutes,
  ...meSessionRoutes,
  ...meSourceRoutes,
  ...meReminderRoutes,
  ...meStreamRoutes,
  ...meRememberedRoutes,
  ...meChannelRoutes,
  ...channelRoutes,
  ...pageRoutes,
  ...widgetRoutes,
  ...documentationRoutes(() => ROUTES),
].map(underV1)
