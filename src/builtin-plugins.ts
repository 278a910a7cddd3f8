import access from './features/access/index.ts'
import analytics from './features/analytics/index.ts'
import annotations from './features/annotations/index.ts'
import anonymous from './features/anonymous/index.ts'
import archiveImport from './features/archive-import/index.ts'
import archives from './features/archives/index.ts'
import audio from './features/audio/index.ts'
import audit from './features/audit/index.ts'
import automation from './features/automation/index.ts'
import bulk from './features/bulk/index.ts'
import businessObjects from './features/business-objects/index.ts'
import collections from './features/collections/index.ts'
import comments from './features/comments/index.ts'
import consolePages from './features/console/index.ts'
import contentModel from './features/content-model/index.ts'
import contentTemplates from './features/content-templates/index.ts'
import conversion from './features/conversion/index.ts'
import csv from './features/csv/index.ts'
import desktopSync from './features/desktop-sync/index.ts'
import directories from './features/directories/index.ts'
import documentEnrichers from './features/document-enrichers/index.ts'
import documentExport from './features/document-export/index.ts'
import documentOperations from './features/document-operations/index.ts'
import documents from './features/documents/index.ts'
import dublincore from './features/dublincore/index.ts'
import favorites from './features/favorites/index.ts'
import fileImport from './features/file-import/index.ts'
import files from './features/files/index.ts'
import fulltext from './features/fulltext/index.ts'
import guests from './features/guests/index.ts'
import icons from './features/icons/index.ts'
import jwt from './features/jwt/index.ts'
import lifecycle from './features/lifecycle/index.ts'
import liveEvents from './features/live-events/index.ts'
import localConfiguration from './features/local-configuration/index.ts'
import mail from './features/mail/index.ts'
import maintenance from './features/maintenance/index.ts'
import management from './features/management/index.ts'
import media from './features/media/index.ts'
import metrics from './features/metrics/index.ts'
import mimeTypes from './features/mime-types/index.ts'
import notificationEndpoints from './features/notification-endpoints/index.ts'
import notifications from './features/notifications/index.ts'
import oauth1 from './features/oauth1/index.ts'
import oauth2Providers from './features/oauth2-providers/index.ts'
import oauth2Server from './features/oauth2-server/index.ts'
import oauth2Tokens from './features/oauth2-tokens/index.ts'
import officeTemplates from './features/office-templates/index.ts'
import openIdConnect from './features/openid-connect/index.ts'
import orphanedFiles from './features/orphaned-files/index.ts'
import outbox from './features/outbox/index.ts'
import people from './features/people/index.ts'
import permissionReport from './features/permission-report/index.ts'
import pictures from './features/pictures/index.ts'
import portalSignIn from './features/portal-sign-in/index.ts'
import preview from './features/preview/index.ts'
import publishing from './features/publishing/index.ts'
import quotas from './features/quotas/index.ts'
import records from './features/records/index.ts'
import relations from './features/relations/index.ts'
import rendering from './features/rendering/index.ts'
import renditions from './features/renditions/index.ts'
import retentionRules from './features/retention-rules/index.ts'
import savedSearches from './features/saved-searches/index.ts'
import search from './features/search/index.ts'
import searchEngine from './features/search-engine/index.ts'
import serverStatus from './features/server-status/index.ts'
import signIn from './features/sign-in/index.ts'
import suggestions from './features/suggestions/index.ts'
import tags from './features/tags/index.ts'
import thumbnails from './features/thumbnails/index.ts'
import tokens from './features/tokens/index.ts'
import treeSnapshots from './features/tree-snapshots/index.ts'
import uploads from './features/uploads/index.ts'
import userInvitations from './features/user-invitations/index.ts'
import userProfile from './features/user-profile/index.ts'
import userWorkspaces from './features/user-workspaces/index.ts'
import video from './features/video/index.ts'
import webhooks from './features/webhooks/index.ts'
import workflow from './features/workflow/index.ts'
import type { Plugin } from './plugin/define-plugin.ts'

/** What Quire is made of, in the order in which it is put together: a feature comes after those it requires. */
export const builtinPlugins: readonly Plugin[] = [
  // What documents are
  contentModel,
  dublincore,
  lifecycle,
  records,
  mimeTypes,
  icons,
  fileImport,
  // Who works with them
  userWorkspaces,
  userProfile,
  directories,
  signIn,
  people,
  tokens,
  guests,
  mail,
  userInvitations,
  jwt,
  oauth2Tokens,
  oauth2Server,
  oauth2Providers,
  oauth1,
  openIdConnect,
  portalSignIn,
  anonymous,
  // Documents and files over REST
  documents,
  files,
  uploads,
  conversion,
  fulltext,
  // Finding them
  search,
  savedSearches,
  suggestions,
  bulk,
  // Who may do what
  access,
  // Working together
  relations,
  publishing,
  comments,
  annotations,
  tags,
  collections,
  favorites,
  audit,
  retentionRules,
  notifications,
  outbox,
  webhooks,
  liveEvents,
  desktopSync,
  workflow,
  analytics,
  // How much a folder may hold
  quotas,
  // What a new repository starts with
  contentTemplates,
  // Other forms of documents, and media
  renditions,
  thumbnails,
  preview,
  pictures,
  audio,
  video,
  management,
  media,
  // What clients are told and can have done
  documentEnrichers,
  documentExport,
  archiveImport,
  archives,
  csv,
  documentOperations,
  treeSnapshots,
  rendering,
  officeTemplates,
  localConfiguration,
  // Keeping the server
  permissionReport,
  orphanedFiles,
  maintenance,
  serverStatus,
  metrics,
  searchEngine,
  // For people
  consolePages,
  // A resource of another API
  notificationEndpoints,
  // Operations over REST, and what goes with them
  automation,
  businessObjects,
]
