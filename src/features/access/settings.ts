import { defineSettings } from '../../settings/define-settings.ts'

export const accessSettings = defineSettings({
  automationAllowVirtualUser: {
    type: 'boolean',
    default: false,
    property: 'platform.automation.allowVirtualUser',
    help: 'Let rights be given to names that no user or group has',
  },
  transientUsernameUnique: {
    type: 'boolean',
    default: false,
    property: 'platform.transient.username.unique',
    help: 'Make each invitation of an address by a right a guest of its own',
  },
})
