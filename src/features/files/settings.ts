import { defineSettings } from '../../settings/define-settings.ts'

export const remoteFileSettings = defineSettings({
  remoteFileTimeout: {
    type: 'duration',
    default: '5m',
    min: '100ms',
    max: '1d',
    help: 'Time that another server may take to send or to receive a file, when an operation of an administrator asks it to',
  },
})
