import { defineSettings } from '../../settings/define-settings.ts'

/** What operations may do with files. */
export const fileSettings = defineSettings({
  archiveMaxBytes: {
    type: 'bytes',
    default: '2GB',
    min: '1KB',
    help: 'Most that the files in one zip archive may have together, before they are made smaller',
  },
  remoteFileTimeout: {
    type: 'duration',
    default: '5m',
    min: '100ms',
    max: '1d',
    help: 'Time that another server may take to send or to receive a file, when an operation of an administrator asks it to',
  },
})
