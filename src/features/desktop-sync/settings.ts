import { defineSettings, type SettingValues } from '../../settings/define-settings.ts'

export const desktopSyncSettings = defineSettings({
  desktopSync: {
    type: 'boolean',
    default: true,
    help: 'Let desktop clients synchronise folders; without it they are refused, and no write looks for who synchronises what',
  },
  desktopSyncKeep: {
    type: 'duration',
    default: '30d',
    min: '1h',
    max: '365d',
    help: 'How long changes stay for desktop clients that were away; one that was for longer compares everything anew',
  },
  desktopSyncChangeLimit: {
    type: 'integer',
    default: 1_000,
    min: 1,
    max: 10_000,
    property: 'org.platform.drive.document.change.limit',
    help: 'Most changes that a desktop client is told at once; where there are more, it compares everything anew',
  },
  desktopSyncConfiguration: {
    type: 'json',
    help: 'What desktop clients are told to do at /drive/configuration, as an object of their own options: {"delay": 30}',
  },
  desktopSyncUpdateSite: {
    type: 'url',
    protocols: ['https:', 'http:'],
    help: 'Where desktop clients find newer versions of themselves',
  },
})

export type DesktopSyncValues = SettingValues<typeof desktopSyncSettings>
