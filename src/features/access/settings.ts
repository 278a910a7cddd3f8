import { defineSettings } from '../../settings/define-settings.ts'

export const accessSettings = defineSettings({
  transientUsernameUnique: {
    type: 'boolean',
    default: false,
    property: 'platform.transient.username.unique',
    help: 'Make each invitation of an address by a right a guest of its own',
  },
})
