import { apiSettings } from './api-settings.ts'
import { automationSettings } from './automation-settings.ts'
import { contentSettings } from './content-settings.ts'
import type { SettingsOf } from './define-settings.ts'
import { fileSettings } from './file-settings.ts'
import { limitSettings } from './limit-settings.ts'
import { peopleSettings } from './people-settings.ts'
import { searchSettings } from './search-settings.ts'
import { serverSettings } from './server-settings.ts'

/** Everything that a server can be told, in the order in which help shows it. */
export const settingGroups = [
  serverSettings,
  apiSettings,
  limitSettings,
  contentSettings,
  searchSettings,
  peopleSettings,
  fileSettings,
  automationSettings,
] as const

export type Settings = SettingsOf<typeof settingGroups>
