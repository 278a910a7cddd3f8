import { defineSettings } from '../../settings/define-settings.ts'

export const quotaSettings = defineSettings({
  quotaMaxSize: {
    type: 'bytes',
    default: '999 GB',
    property: 'platform.quota.maxsize',
    help: 'Largest quota that a folder can be given',
  },
})
