import { automationSettings } from './automation/automation-settings.ts'
import { contentSettings, valueSettings } from './core/content-settings.ts'
import { conversionSettings } from './core/conversion/conversion-settings.ts'
import { networkSettings } from './core/outgoing/network-settings.ts'
import { principalSettings } from './core/principals/principal-settings.ts'
import { searchSettings } from './core/search/search-settings.ts'
import { uploadSettings } from './core/uploads/upload-settings.ts'
import { accessSettings } from './features/access/settings.ts'
import { analyticsSettings } from './features/analytics/settings.ts'
import { auditSettings } from './features/audit/settings.ts'
import { callSettings } from './features/automation/settings.ts'
import { csvSettings } from './features/csv/settings.ts'
import { desktopSyncSettings } from './features/desktop-sync/settings.ts'
import { enricherSettings } from './features/document-enrichers/settings.ts'
import { dublincoreSettings } from './features/dublincore/settings.ts'
import { fileSettings } from './features/files/settings.ts'
import { jwtSettings } from './features/jwt/settings.ts'
import { liveEventSettings } from './features/live-events/settings.ts'
import { mailSettings } from './features/mail/settings.ts'
import { maintenanceSettings } from './features/maintenance/settings.ts'
import { metricsSettings } from './features/metrics/settings.ts'
import { notificationEndpointSettings } from './features/notification-endpoints/settings.ts'
import { notificationSettings } from './features/notifications/settings.ts'
import { oauth2ProviderSettings } from './features/oauth2-providers/settings.ts'
import { oauth2ServerSettings } from './features/oauth2-server/settings.ts'
import { openIdConnectSettings } from './features/openid-connect/settings.ts'
import { collectionSettings } from './features/orphaned-files/settings.ts'
import { outboxSettings } from './features/outbox/settings.ts'
import { accountSettings } from './features/people/settings.ts'
import { portalSettings } from './features/portal-sign-in/settings.ts'
import { quotaSettings } from './features/quotas/settings.ts'
import { renderingSettings } from './features/rendering/settings.ts'
import { searchEngineSettings } from './features/search-engine/settings.ts'
import { statusSettings } from './features/server-status/settings.ts'
import { signInSettings } from './features/sign-in/settings.ts'
import { tagSettings } from './features/tags/settings.ts'
import { tokenSettings } from './features/tokens/settings.ts'
import { treeSnapshotSettings } from './features/tree-snapshots/settings.ts'
import { uploadRouteSettings } from './features/uploads/settings.ts'
import { invitationSettings } from './features/user-invitations/settings.ts'
import { profileSettings } from './features/user-profile/settings.ts'
import { videoSettings } from './features/video/settings.ts'
import { webhookSettings } from './features/webhooks/settings.ts'
import { workflowSettings } from './features/workflow/settings.ts'
import { connectionSettings, encryptionSettings, httpSettings } from './http/settings.ts'
import { apiSettings, entityLimitSettings } from './rest/api-settings.ts'
import { documentUrlSettings } from './rest/document-url.ts'
import { downloadSettings } from './rest/download/download-settings.ts'
import { sessionSettings } from './rest/session-settings.ts'
import { traceSettings } from './server/trace-settings.ts'
import type { SettingsOf } from './settings/define-settings.ts'
import { serverSettings } from './settings/server-settings.ts'
import { blobSettings } from './store/blobs/blob-settings.ts'
import { searchCostSettings, storeSettings } from './store/store-settings.ts'

/** All settings of a server, by the part that reads them and in the order in which help shows them. */
export const settingGroups = [
  serverSettings,
  storeSettings,
  httpSettings,
  sessionSettings,
  signInSettings,
  tokenSettings,
  jwtSettings,
  portalSettings,
  apiSettings,
  documentUrlSettings,
  enricherSettings,
  statusSettings,
  metricsSettings,
  traceSettings,
  entityLimitSettings,
  valueSettings,
  connectionSettings,
  encryptionSettings,
  contentSettings,
  dublincoreSettings,
  tagSettings,
  treeSnapshotSettings,
  searchCostSettings,
  searchSettings,
  searchEngineSettings,
  principalSettings,
  accountSettings,
  invitationSettings,
  profileSettings,
  oauth2ServerSettings,
  oauth2ProviderSettings,
  openIdConnectSettings,
  blobSettings,
  downloadSettings,
  uploadSettings,
  uploadRouteSettings,
  fileSettings,
  conversionSettings,
  videoSettings,
  renderingSettings,
  csvSettings,
  collectionSettings,
  maintenanceSettings,
  automationSettings,
  callSettings,
  accessSettings,
  auditSettings,
  analyticsSettings,
  outboxSettings,
  networkSettings,
  quotaSettings,
  webhookSettings,
  liveEventSettings,
  desktopSyncSettings,
  mailSettings,
  notificationSettings,
  notificationEndpointSettings,
  workflowSettings,
] as const

export type Settings = SettingsOf<typeof settingGroups>
