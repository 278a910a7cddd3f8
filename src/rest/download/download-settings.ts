import { defineSettings, type SettingValues } from '../../settings/define-settings.ts'
import type { DownloadRule, DownloadSettings } from './download-rule.ts'

/** How files are handed over (contract: blobs 18). */
export const downloadSettings = defineSettings({
  blobDirectDownload: {
    type: 'boolean',
    default: false,
    help: 'Send clients to the object store for the bytes of files instead of passing them through',
  },
  downloadSandboxEnabled: {
    type: 'boolean',
    default: true,
    property: 'platform.download.sandbox.enabled',
    help: 'Keep what is shown in the browser from running scripts, unless its type is known to be harmless',
  },
  nginxAccelEnabled: {
    type: 'boolean',
    default: false,
    property: 'platform.nginx.accel.enabled',
    help: 'Let an nginx that asks for it hand over the files of the folder itself, with X-Accel-Redirect',
  },
  nginxAccelLocation: {
    type: 'string',
    default: '/quire-files',
    pattern: { matches: /^(?:\/[\w~-][\w.~-]*)+$/, expected: 'a path such as /quire-files' },
    help: 'The internal location at which that nginx has the folder of the files, and what its header X-Accel-Location says',
  },
  downloadUrlFollowRedirect: {
    type: 'boolean',
    default: false,
    property: 'org.platform.download.url.follow.redirect',
    help: 'Show the address at the object store as the address of a file',
  },
})

export function downloadSettingsOf(
  settings: SettingValues<typeof downloadSettings>,
  rules: readonly DownloadRule[],
): DownloadSettings {
  return {
    rules,
    sendsToStore: settings.blobDirectDownload,
    ...(settings.nginxAccelEnabled && { handOffLocation: settings.nginxAccelLocation }),
    showsStoreAddresses: settings.downloadUrlFollowRedirect,
    sandboxesActiveContent: settings.downloadSandboxEnabled,
  }
}
