import { automationSettings } from './automation/automation-settings.ts'
import { fileSettings } from './core/blobs/file-settings.ts'
import { contentSettings } from './core/content-settings.ts'
import { peopleSettings } from './core/principals/people-settings.ts'
import { searchSettings } from './core/search/search-settings.ts'
import { accessSettings } from './features/access/settings.ts'
import { enricherSettings } from './features/document-enrichers/settings.ts'
import { dublincoreSettings } from './features/dublincore/settings.ts'
import { collectionSettings } from './features/orphaned-files/settings.ts'
import { statusSettings } from './features/server-status/settings.ts'
import { uploadRouteSettings } from './features/uploads/settings.ts'
import { profileSettings } from './features/user-profile/settings.ts'
import { apiSettings } from './rest/api-settings.ts'
import type { SettingsOf } from './settings/define-settings.ts'
import { limitSettings } from './settings/limit-settings.ts'
import { serverSettings } from './settings/server-settings.ts'

/** Everything that a server can be told, in the order in which help shows it. */
export const settingGroups = [
  serverSettings,
  apiSettings,
  enricherSettings,
  statusSettings,
  limitSettings,
  contentSettings,
  dublincoreSettings,
  searchSettings,
  peopleSettings,
  profileSettings,
  fileSettings,
  uploadRouteSettings,
  collectionSettings,
  automationSettings,
  accessSettings,
] as const

export type Settings = SettingsOf<typeof settingGroups>
