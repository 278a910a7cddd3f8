import { automationSettings } from './automation/automation-settings.ts'
import { fileSettings } from './core/blobs/file-settings.ts'
import { contentSettings } from './core/content-settings.ts'
import { peopleSettings } from './core/principals/people-settings.ts'
import { searchSettings } from './core/search/search-settings.ts'
import { statusSettings } from './features/server-status/settings.ts'
import { profileSettings } from './features/user-profile/settings.ts'
import { apiSettings } from './rest/api-settings.ts'
import type { SettingsOf } from './settings/define-settings.ts'
import { limitSettings } from './settings/limit-settings.ts'
import { serverSettings } from './settings/server-settings.ts'

/** Everything that a server can be told, in the order in which help shows it. */
export const settingGroups = [
  serverSettings,
  apiSettings,
  statusSettings,
  limitSettings,
  contentSettings,
  searchSettings,
  peopleSettings,
  profileSettings,
  fileSettings,
  automationSettings,
] as const

export type Settings = SettingsOf<typeof settingGroups>
